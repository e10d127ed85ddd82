#include <string>
#include <vector>

#include "base/text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// The user wrote it, and it is on.
bool switched_on(const Facts& facts, std::string_view key) {
  const auto* setting = facts.setting(key);
  return setting != nullptr && setting->origin.source >= 0 && facts.on(key);
}

}  // namespace

Rule brg_recipe_defaults() {
  return {
      .code = "BRG-RECIPE-DEFAULTS",
      .summary = "a value of the recipe collides with the offload switched on over it",
      .severity = Severity::kInfo,
      .stage = Stage::kBridge,
      .launchers = {Launcher::kBridge},
      .what =
          "Activation offload is switched on over a recipe that presets what it cannot be combined with: recompute, CUDA graphs, pipeline "
          "parallelism, the other kind of offload.",
      .why =
          "The refusal speaks of a setting that the command line does not show. Recipes preset these for speed; switching offload on does "
          "not clear them.",
      .remedy = "Clear them in the same command: the findings about each name the keys.",
      .evidence = {"src/megatron/bridge/recipes/qwen/qwen3_moe.py",
                   "recipes set recompute_granularity, cuda_graph_impl and the parallel sizes"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.recipe().empty()) return;
            std::vector<std::string> presets;
            const auto preset = [&](std::string_view key) {
              const auto* setting = facts.setting(key);
              if (setting != nullptr && setting->origin.source < 0) presets.push_back(std::string(key) + "=" + setting->value.str());
            };
            if (switched_on(facts, "model.cpu_offloading")) {
              if (!facts.is_null("model.recompute_granularity")) preset("model.recompute_granularity");
              if (facts.graphs().any() && !facts.graphs().whole_iteration) preset("model.cuda_graph_impl");
              if (facts.integer("model.pipeline_model_parallel_size", 1) > 1) preset("model.pipeline_model_parallel_size");
              if (facts.on("model.fine_grained_activation_offloading")) preset("model.fine_grained_activation_offloading");
              if (facts.on("model.moe_paged_stash")) preset("model.moe_paged_stash");
            }
            if (switched_on(facts, "model.fine_grained_activation_offloading")) {
              if (facts.on("model.cpu_offloading")) preset("model.cpu_offloading");
              if (facts.on("model.moe_paged_stash")) preset("model.moe_paged_stash");
            }
            if (presets.empty()) return;
            report
                .add("recipe " + std::string(facts.recipe()) + " presets " + join(presets, ", ") +
                     ", which the offload that is switched on does not go with")
                .keys({"model.cpu_offloading", "model.fine_grained_activation_offloading"});
          },
  };
}

}  // namespace spillway::validate::rules
