#include <algorithm>

#include "base/text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// The module names as Bridge sees them before the aliases are resolved: those of both spellings, whole layers left out.
std::vector<std::string> named_modules(const Facts& facts) {
  std::vector<std::string> names;
  for (const std::string_view key : {"model.cuda_graph_modules", "model.cuda_graph_scope"}) {
    const auto& value = facts.value(key);
    const auto* text = value.string();
    for (const auto& name : text == nullptr ? facts.strings(key) : std::vector<std::string>()) names.push_back(name);
    if (text != nullptr)
      for (const auto name : split(*text, ',')) names.emplace_back(name);
  }
  std::erase(names, "full");
  std::erase(names, "");
  return names;
}

/// A graph for inference only is allowed, but the check compares with the enumeration: a dump or a recipe holds its member, an override
/// is still text at this point and does not count. What the deprecated switch chooses is still "none" here.
bool exempt(const Facts& facts) {
  const auto scope = facts.text("model.inference_cuda_graph_scope");
  const auto* setting = facts.setting("model.inference_cuda_graph_scope");
  const auto form = setting == nullptr ? std::string_view() : facts.form(setting->origin);
  const bool inference = (scope == "layer" || scope == "block") && (form.empty() || form == "bridge-dump" || form == "python-recipe");
  const auto names = named_modules(facts);
  const bool whole = std::find(names.begin(), names.end(), "full_iteration") != names.end();
  return inference || !facts.is("model.cuda_graph_impl", "local") || whole;
}

}  // namespace

Rule brg_cg_local() {
  return {
      .code = "BRG-CG-LOCAL",
      .summary = "Bridge takes local CUDA graphs only for the full iteration",
      .stage = Stage::kBridge,
      .launchers = {Launcher::kBridge},
      .raises = {{Place::kBridge, 1399, "ValueError",
                  "Megatron Bridge supports model.cuda_graph_impl=\"local\" only for full-iteration CUDA graphs{}. Use "
                  "model.cuda_graph_impl=\"transformer_engine\" for scoped CUDA graph capture such as \"attn\" or \"mlp\"."}},
      .what = "cuda_graph_impl is local without the full-iteration scope and without an inference scope.",
      .why = "Bridge supports scoped capture only through Transformer Engine and refuses local graphs before the model is finalized.",
      .remedy = "Use cuda_graph_impl=transformer_engine with modules, or full_iteration.",
      .evidence = {"src/megatron/bridge/utils/cuda_graph.py",
                   "if model.cuda_graph_impl == \"local\" and not full_iteration and not inference_only: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cuda_graph_impl") || exempt(facts)) return;
            const auto modules = named_modules(facts);
            std::string scopes;
            for (const auto& module : modules) scopes += (scopes.empty() ? "" : ", ") + config::Value(module).repr();
            report.add("Bridge runs cuda_graph_impl=local only for full-iteration graphs")
                .keys({"model.cuda_graph_impl", "model.cuda_graph_modules"})
                .with({scopes.empty() ? "" : " with scopes [" + scopes + "]"})
                .fix(Fix::Safety::kUnsafe, "capture through Transformer Engine", {set("model.cuda_graph_impl", "transformer_engine")});
          },
  };
}

}  // namespace spillway::validate::rules
