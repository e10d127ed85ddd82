#include <string>

#include "base/text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

bool names_nothing(const std::string& path) { return path.empty() || path == "None" || path == "none" || path == "Null"; }

/// `<path>`, `/path/to/checkpoint`, `???`.
bool is_placeholder(const std::string& path) {
  return path.starts_with('<') || path == "???" || lower(path).find("path/to/") != std::string::npos;
}

}  // namespace

Rule ckpt_pretrained() {
  return {
      .code = "CKPT-PRETRAINED",
      .summary = "the pretrained checkpoint has to be a path that exists",
      .launchers = {Launcher::kBridge},
      .raises = {{Place::kBridge, 1405, "AssertionError", "Pretrained checkpoint {} does not exist"}},
      .what =
          "checkpoint.pretrained_checkpoint is no path: empty, the word None, or a placeholder. Whether a real path exists is not looked "
          "up here: it may be on another machine.",
      .why = "Megatron-Bridge looks the path up when the configuration is validated and refuses one that is not there.",
      .remedy = "Give a checkpoint's folder, or null for none.",
      .evidence = {"src/megatron/bridge/training/config.py",
                   "if self.pretrained_checkpoint is not None: assert file_exists(self.pretrained_checkpoint)"},
      .check =
          [](const Facts& facts, Report& report) {
            const std::string_view key = "checkpoint.pretrained_checkpoint";
            if (facts.setting(key) == nullptr || facts.value(key).string() == nullptr) return;
            const std::string path(facts.text(key));
            if (!names_nothing(path) && !is_placeholder(path)) return;
            auto draft = report.add(
                path.empty() ? "checkpoint.pretrained_checkpoint is empty, which is no folder: null means none"
                             : "checkpoint.pretrained_checkpoint is " + path + ", which " +
                                   (names_nothing(path) ? "is a text and not null" : "stands for a path that is still to be filled in"));
            draft.keys({key}).with({path}).fix(Fix::Safety::kDisplayOnly, "set it to the folder of a checkpoint, or to null for none");
            if (!names_nothing(path)) draft.severity(Severity::kWarning);
          },
  };
}

}  // namespace spillway::validate::rules
