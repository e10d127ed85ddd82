#include "base/text.hpp"
#include "tools/validate/flag_spelling.hpp"
#include "tools/validate/parse_order.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

constexpr std::size_t kMostNamed = 8;

/// What to do about options that people expect and Megatron-LM does not have.
struct Advice {
  std::string_view option, advice;
};
constexpr Advice kAdvice[] = {
    {"--cpu-offloading", "--cpu-offloading-num-layers N switches layer-level offload on by itself"},
    {"--cpu-offload-num-layers", "it is --cpu-offloading-num-layers N"},
    {"--cpu-offloading-activations", "there is no option: activations are offloaded by default"},
    {"--cpu-offloading-weights", "there is no option, and weight offload has no effect in current Transformer Engine"},
    {"--cpu-offloading-double-buffering", "there is no option, and no effect in current Transformer Engine"},
    {"--offload-optimizer-states", "Megatron-LM's dev branch only; main has --optimizer-cpu-offload"},
    {"--chunked-optimizer-state-offload", "Megatron-LM's dev branch only; main has --optimizer-cpu-offload"},
    {"--optimizer-state-offload-chunk-size-mb", "Megatron-LM's dev branch only"},
    {"--optimizer-state-offload-fraction", "Megatron-LM's dev branch only; main has --optimizer-offload-fraction"},
    {"--pin-cpu-grads", "pinning is the default; only --no-pin-cpu-grads exists"},
    {"--pin-cpu-params", "pinning is the default; only --no-pin-cpu-params exists"},
    {"--decoupled-weight-decay", "there is no option: it is always on"},
    {"--store-param-remainders", "there is no option: it is always on"},
    {"--no-optimizer-cpu-offload", "leave --optimizer-cpu-offload out instead"},
    {"--no-overlap-cpu-optimizer-d2h-h2d", "leave --overlap-cpu-optimizer-d2h-h2d out instead"},
};

/// Underscores for dashes, and abbreviations.
bool has_own_rule(const Facts& facts, const config::Remark& remark) {
  return !dashed(facts, remark).empty() || !completions(facts, remark).empty();
}

std::string described(const config::Remark& remark) {
  for (const auto& entry : kAdvice)
    if (entry.option == remark.subject) return remark.subject + " (" + std::string(entry.advice) + ")";
  return with_suggestions(remark.subject, remark);
}

}  // namespace

Rule form_unknown_flag() {
  return {
      .code = "FORM-UNKNOWN-FLAG",
      .summary = "an option that the launcher does not have",
      .stage = Stage::kParse,
      .raises = {{Place::kParse, kUnrecognized, "ArgumentError", "unrecognized arguments: {}", {Launcher::kMegatronLm}}},
      .what =
          "The command line holds an option that the parser of this version and script does not have. Options are not abbreviated, "
          "underscores are not dashes, and case counts.",
      .why = "argparse reports all of them together and the run ends with exit status 2.",
      .remedy =
          "Use the option meant. Some settings have no option in Megatron-LM: layer-level activation offload is switched on by "
          "--cpu-offloading-num-layers alone.",
      .evidence = {"megatron/training/arguments.py", "argparse.ArgumentParser(allow_abbrev=False), parser.parse_args()"},
      .check =
          [](const Facts& facts, Report& report) {
            std::vector<std::string> unknown;
            const config::Remark* first = nullptr;
            for (const auto& remark : facts.remarks()) {
              if (remark.kind != config::Remark::Kind::kUnknownFlag || has_own_rule(facts, remark)) continue;
              if (first == nullptr) first = &remark;
              if (unknown.size() < kMostNamed) unknown.push_back(described(remark));
            }
            if (first == nullptr) return;
            auto draft = report.add(std::string(facts.bridge() ? "no option of run_recipe.py: " : "no option of Megatron-LM: ") +
                                    join(unknown, "; "));
            draft.at(first->origin).with({unrecognized_words(facts)});
            for (const auto& name : first->suggestions)
              draft.fix(Fix::Safety::kDisplayOnly, "write " + name + " instead of " + first->subject);
          },
  };
}

}  // namespace spillway::validate::rules
