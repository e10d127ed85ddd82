#include <algorithm>

#include "tools/validate/edits.hpp"
#include "tools/validate/moe_overlap.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

/// Positions in Rule::raises; Bridge's twin follows each.
enum : std::size_t { kFull = 0, kMethod = 2, kLayers = 4, kMoe = 6 };

void refuse(const Facts& facts, Report& report, std::size_t raise, std::string message, std::string_view key, std::vector<Edit> edits) {
  auto finding = report.add(std::move(message) + " while overlap_moe_expert_parallel_comm is on");
  finding.keys({key, kExpertOverlap, kExpertOverlapOfBridge})
      .raise(raise + (overlap_from_comm_overlap(facts) ? 1 : 0))
      .fix(Fix::Safety::kDisplayOnly, "change the recompute setting", std::move(edits))
      .fix(Fix::Safety::kDisplayOnly, "do not overlap expert communication", without_expert_overlap(facts));
}

}  // namespace

Rule moe_ovl_rc() {
  constexpr std::string_view full = "disable full recomputation when enabling overlap_moe_expert_parallel_comm";
  constexpr std::string_view method = "disable recomputation method when enabling overlap_moe_expert_parallel_comm";
  constexpr std::string_view layers = "recompute_num_layers must be None when enabling overlap_moe_expert_parallel_comm";
  constexpr std::string_view moe = "disable moe in recompute_modules when enabling overlap_moe_expert_parallel_comm";
  return {
      .code = "MOE-OVL-RC",
      .summary = "overlapping expert communication allows neither full recompute nor recompute of moe",
      .raises = {{Place::kTransformerConfig, 3021, "AssertionError", full},
                 {Place::kBridge, 499, "AssertionError", full, {Launcher::kBridge}},
                 {Place::kTransformerConfig, 3024, "AssertionError", method},
                 {Place::kBridge, 502, "AssertionError", method, {Launcher::kBridge}},
                 {Place::kTransformerConfig, 3027, "AssertionError", layers},
                 {Place::kBridge, 505, "AssertionError", layers, {Launcher::kBridge}},
                 {.place = Place::kTransformerConfig, .sequence = 3030, .type = "AssertionError", .text = moe, .since = Core::k0_17},
                 {Place::kBridge, 510, "AssertionError", moe, {Launcher::kBridge}}},
      .what =
          "overlap_moe_expert_parallel_comm is on together with recompute_granularity full, any recompute_method, any "
          "recompute_num_layers, or (since 0.17) moe in recompute_modules, whatever the granularity.",
      .why =
          "The overlapping schedule runs a layer in pieces; a checkpoint around the layer or around the MoE part cannot be replayed in it. "
          "The configuration is refused when it is built; in Bridge already when comm_overlap is applied.",
      .remedy =
          "Recompute selectively, without moe (layernorm, moe_act, mla_up_proj, …), with recompute_method and recompute_num_layers null; "
          "or switch the overlap off.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "assert self.recompute_granularity != 'full'; assert self.recompute_method is None; assert self.recompute_num_layers is "
                   "None; assert \"moe\" not in self.recompute_modules"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off(kExpertOverlap)) return;
            if (facts.recompute_granularity() == config::Value("full"))
              refuse(facts, report, kFull, "recompute_granularity is full", "model.recompute_granularity",
                     {set("model.recompute_granularity", "selective")});
            if (!facts.is_null("model.recompute_method"))
              refuse(facts, report, kMethod, "recompute_method is set", "model.recompute_method", {clear(facts, "model.recompute_method")});
            if (!facts.is_null("model.recompute_num_layers"))
              refuse(facts, report, kLayers, "recompute_num_layers is set", "model.recompute_num_layers",
                     {clear(facts, "model.recompute_num_layers")});
            const auto modules = facts.recompute_modules();
            if (facts.core() >= Core::k0_17 && std::find(modules.begin(), modules.end(), "moe") != modules.end())
              refuse(facts, report, kMoe, "recompute_modules has moe", "model.recompute_modules", without_recompute_of(facts, "moe"));
          },
  };
}

}  // namespace spillway::validate::rules
