#include <set>

#include "tools/validate/python_text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

std::set<std::string> allowed_modules(Core core) {
  std::set<std::string> allowed{"core_attn", "layernorm", "mla_up_proj", "mlp", "moe", "moe_act", "shared_experts"};
  if (core >= Core::k0_19) allowed.insert("gdn_norm_out");
  if (core >= Core::kMain) allowed.insert({"gdp_in_proj", "gdp_qkv", "mhc"});
  return allowed;
}

/// The allowed name that was meant; empty when none is near.
std::string meant(const std::string& name, const std::set<std::string>& allowed) {
  if (name == "moe_layer") return "moe";
  const auto near = nearest(name, {allowed.begin(), allowed.end()}, 1);
  return near.empty() ? "" : near.front();
}

/// A comma list written as one string.
void offer_list(const std::string& text, const std::set<std::string>& allowed, Report::Draft& found) {
  config::List names;
  for (const auto part : split(text, ',')) {
    if (!allowed.contains(std::string(trim(part)))) return;
    names.emplace_back(trim(part));
  }
  found.fix(Fix::Safety::kSafe, "write the names as a list", {set("model.recompute_modules", names)});
}

void offer_names(const config::List& modules, const std::set<std::string>& allowed, Report::Draft& found) {
  config::List names;
  for (const auto& module : modules) {
    const std::string name = allowed.contains(module.str()) ? module.str() : meant(module.str(), allowed);
    if (name.empty()) return;
    if (std::find(names.begin(), names.end(), config::Value(name)) == names.end()) names.emplace_back(name);
  }
  found.fix(Fix::Safety::kDisplayOnly, "use the nearest known names", {set("model.recompute_modules", names)});
}

}  // namespace

Rule rc_modules() {
  return {
      .code = "RC-MODULES",
      .summary = "recompute_modules holds a name that Megatron-Core does not know",
      .raises = {{Place::kTransformerConfig, 1959, "AssertionError", "Invalid choices for recompute_modules: {}. Allowed modules are: {}"}},
      .what =
          "recompute_granularity is selective and recompute_modules holds other names than the version knows: core_attn, layernorm, "
          "mla_up_proj, mlp, moe, moe_act and shared_experts; gdn_norm_out from 0.19 on; gdp_in_proj, gdp_qkv and mhc on main. One string "
          "instead of a list counts as its characters.",
      .why =
          "Megatron-Core refuses the list when the model configuration is built. The deprecation warning of moe_layer_recompute names "
          "moe_layer, which is not accepted: the name is moe.",
      .remedy = "Use the listed names, as a list; the names of offload_modules are others.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "invalid_modules = set(self.recompute_modules) - allowed_modules; assert not invalid_modules"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.is("model.recompute_granularity", "selective") || facts.is_null("model.recompute_modules")) return;
            const auto& modules = facts.value("model.recompute_modules");
            if (modules.list() == nullptr && modules.string() == nullptr && modules.map() == nullptr) {
              report.add("recompute_modules is " + modules.repr() + "; it must be a list of module names")
                  .keys({"model.recompute_modules"})
                  .natural("TypeError", "object of type '" + std::string(modules.type_name()) + "' has no len()");
              return;
            }
            const auto allowed = allowed_modules(facts.core());
            std::set<std::string> unknown;
            for (const auto& module : facts.strings("model.recompute_modules"))
              if (!allowed.contains(module)) unknown.insert(module);
            if (unknown.empty()) return;
            const bool text = modules.string() != nullptr;
            auto found = report.add("recompute_modules " +
                                    (text ? "is the text " + modules.repr() + ", not a list of names" : "holds " + python_set(unknown)) +
                                    "; allowed are " + join({allowed.begin(), allowed.end()}, ", "));
            found.keys({"model.recompute_modules"}).with({python_set(unknown), python_set(allowed)});
            if (text)
              offer_list(*modules.string(), allowed, found);
            else if (modules.list() != nullptr)
              offer_names(*modules.list(), allowed, found);
          },
  };
}

}  // namespace spillway::validate::rules
