#include <algorithm>

#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

constexpr std::string_view kDevOnly[] = {"offload_optimizer_states", "chunked_optimizer_state_offload",
                                         "optimizer_state_offload_chunk_size_mb", "optimizer_state_offload_fraction"};

/// `--offload-optimizer-states`, `optimizer.offload_optimizer_states`, however the section is spelled.
bool is_dev_only(std::string_view name) {
  std::string field(name.substr(std::min(name.find_first_not_of('-'), name.size())));
  if (const auto dot = field.rfind('.'); dot != std::string::npos) field.erase(0, dot + 1);
  std::replace(field.begin(), field.end(), '-', '_');
  return std::find(std::begin(kDevOnly), std::end(kDevOnly), field) != std::end(kDevOnly);
}

bool has_remark(const Facts& facts, const config::Setting& setting) {
  const auto& all = facts.remarks();
  return std::any_of(all.begin(), all.end(), [&](const config::Remark& remark) {
    return remark.subject == setting.key &&
           (remark.kind == config::Remark::Kind::kUnknownKey || remark.kind == config::Remark::Kind::kAddedKey);
  });
}

}  // namespace

Rule opt_states_field() {
  return {
      .code = "OPT-STATES-FIELD",
      .summary = "offloading optimizer states in chunks exists on the dev branch only",
      .stage = Stage::kParse,
      .until = Core::kMain,
      .what =
          "offload_optimizer_states, or a setting of the chunked optimizer-state offload, is given. Neither Megatron-LM main nor a release "
          "has them.",
      .why =
          "Megatron-LM refuses the option, OptimizerConfig the keyword, Hydra the plain override. Added with + it is dropped with a "
          "warning, and assigned in Python it is a dead attribute: nothing is offloaded.",
      .remedy = "Use optimizer_cpu_offload with a fraction, or the dev branch (--mcore dev checks its own constraints).",
      .evidence = {"megatron/core/optimizer/optimizer_config.py", "no such field on main"},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& remark : facts.remarks()) {
              const bool refused = remark.kind == config::Remark::Kind::kUnknownFlag ||
                                   (remark.kind == config::Remark::Kind::kUnknownKey && remark.detail.starts_with('='));
              const bool dropped =
                  remark.kind == config::Remark::Kind::kAddedKey || (remark.kind == config::Remark::Kind::kUnknownKey && !refused);
              if ((!refused && !dropped) || !is_dev_only(remark.subject)) continue;
              auto draft = report.add(remark.subject + " exists on Megatron-LM's dev branch only" +
                                      (refused ? "" : ": it is dropped and nothing is offloaded"));
              draft.at(remark.origin);
              const bool option = remark.kind == config::Remark::Kind::kUnknownFlag;
              if (option)
                draft.fix(Fix::Safety::kDisplayOnly, "write --optimizer-cpu-offload --optimizer-offload-fraction 1.0 instead");
              else
                draft.fix(Fix::Safety::kDisplayOnly, "offload the optimizer as main can",
                          {remove(remark.subject), set("optimizer.optimizer_cpu_offload", true),
                           set("optimizer.optimizer_offload_fraction", 1.0)});
              if (!refused) draft.severity(Severity::kWarning);
            }
            for (const auto& setting : facts.settings()) {
              if (!is_dev_only(setting.key) || has_remark(facts, setting)) continue;
              const bool raw = facts.launcher() == Launcher::kMegatronCore;
              const std::string field = setting.key.substr(setting.key.find('.') + 1);
              auto draft = report.add(field + " exists on Megatron-LM's dev branch only" + (raw ? "" : ": nothing is offloaded"));
              draft.keys({setting.key}).fix(Fix::Safety::kDisplayOnly, "leave it out", {remove(setting.key)});
              if (raw)
                draft.natural("TypeError", "OptimizerConfig.__init__() got an unexpected keyword argument '" + field + "'")
                    .stage(Stage::kConfig);
              else
                draft.severity(Severity::kWarning);
            }
          },
  };
}

}  // namespace spillway::validate::rules
