#include <algorithm>

#include "base/text.hpp"
#include "tools/validate/name_lists.hpp"
#include "tools/validate/python_text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

std::set<std::string> allowed_modules(Core core) {
  std::set<std::string> allowed{"attn_norm", "attn_proj", "core_attn", "expert_fc1", "mlp_norm", "moe_act", "qkv_linear"};
  if (core >= Core::k0_19) allowed.insert("fused_group_mlp");
  if (core >= Core::kMain) allowed.insert("gdp_qkv");
  return allowed;
}

/// The words of a value that was meant as a list: `core_attn,attn_proj`, `[core_attn`, `core_attn attn_proj`.
std::vector<std::string> words_of(const config::Value& value) {
  std::string text;
  if (value.string() != nullptr) text = *value.string();
  if (value.list() != nullptr)
    for (const auto& item : *value.list()) text += item.str() + " ";
  for (char& c : text)
    if (std::string_view(",[](){}'\"").find(c) != std::string_view::npos) c = ' ';
  std::vector<std::string> words;
  for (const auto word : split(text, ' '))
    if (!trim(word).empty() && std::find(words.begin(), words.end(), trim(word)) == words.end()) words.emplace_back(trim(word));
  return words;
}

config::List list_of(const std::vector<std::string>& words) { return without(words, {}); }

/// The same words with each unknown one replaced by its nearest name; empty when one has none.
std::vector<std::string> corrected(const std::vector<std::string>& words, const std::set<std::string>& allowed) {
  std::vector<std::string> out;
  for (const auto& word : words) {
    const auto near = allowed.contains(word) ? std::vector{word} : nearest(word, {allowed.begin(), allowed.end()}, 1);
    if (near.empty()) return {};
    if (std::find(out.begin(), out.end(), near.front()) == out.end()) out.push_back(near.front());
  }
  return out;
}

}  // namespace

Rule fgo_modules_invalid() {
  return {
      .code = "FGO-MODULES-INVALID",
      .summary = "offload_modules names a module that fine-grained offload does not know",
      .since = Core::k0_16,
      .raises = {{Place::kTransformerConfig, 2144, "AssertionError", "Invalid choices for offload_modules: {}. Allowed modules are: {}"}},
      .what =
          "fine_grained_activation_offloading is on and an entry of offload_modules is not one of core_attn, attn_proj, qkv_linear, "
          "attn_norm, mlp_norm, expert_fc1, moe_act, fused_group_mlp (since 0.19) and gdp_qkv (main only). A plain string is taken letter "
          "by letter, and a comma or blank inside one entry does not separate names.",
      .why =
          "Megatron-Core refuses the list when the model configuration is built. Names of recompute_modules (layernorm, mlp, moe) are not "
          "valid here.",
      .remedy =
          "Write a list of known names: [core_attn, attn_proj] in YAML and Hydra (quoted from the shell), blank-separated after "
          "--offload-modules.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "invalid_modules = set(self.offload_modules) - allowed_modules; assert not invalid_modules"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading")) return;
            const auto allowed = allowed_modules(facts.core());
            std::set<std::string> invalid;
            for (const auto& name : facts.offload_modules())
              if (!allowed.contains(name)) invalid.insert(name);
            if (invalid.empty()) return;
            const auto& value = facts.value("model.offload_modules");
            const bool plain = value.string() != nullptr;
            auto finding = report.add(
                plain ? "offload_modules is the text " + value.repr() + ", which is taken letter by letter; it must be a list of names"
                      : "offload_modules has no module " + python_set(invalid) + "; known are " + enumerated(allowed));
            finding.keys({"model.offload_modules", "model.fine_grained_activation_offloading"})
                .with({python_set(invalid), python_set(allowed)});
            const auto words = words_of(value);
            if (words.empty()) return;
            if (std::all_of(words.begin(), words.end(), [&](const auto& word) { return allowed.contains(word); }))
              finding.fix(Fix::Safety::kSafe, "write the names as a list", {set("model.offload_modules", list_of(words))});
            else if (const auto meant = corrected(words, allowed); !meant.empty())
              finding.fix(Fix::Safety::kDisplayOnly, "use the nearest known names", {set("model.offload_modules", list_of(meant))});
          },
  };
}

}  // namespace spillway::validate::rules
