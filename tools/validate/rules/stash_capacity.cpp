#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

constexpr std::string_view kCapacity = "model.moe_expert_rank_capacity_factor";
constexpr std::string_view kBackend = "model.moe_flex_dispatcher_backend";
constexpr std::string_view kFuser = "model.use_transformer_engine_op_fuser";

/// Positions in Rule::raises.
enum : std::size_t { kStashAlone, kBackend018, kBackend019, kFuser018, kFuser019, kFuserMain };

void check_stash(const Facts& facts, Report& report) {
  if (facts.off("model.moe_paged_stash") || !facts.is_null(kCapacity)) return;
  report.add("moe_paged_stash is on but moe_expert_rank_capacity_factor is not set; without a capacity there is nothing to stash")
      .keys({kCapacity, "model.moe_paged_stash"})
      .raise(kStashAlone)
      .fix(Fix::Safety::kDisplayOnly, "set a capacity, with the dispatcher and the fused experts it needs",
           {set(kCapacity, 1.5), set(kBackend, "hybridep"), set("model.moe_token_dispatcher_type", "flex"), set(kFuser, true)})
      .fix(Fix::Safety::kDisplayOnly, "switch the paged stash off", {switch_off(facts, "model.moe_paged_stash")});
}

void check_backend(const Facts& facts, Report& report) {
  const bool old = facts.core() == Core::k0_18;
  if (facts.is(kBackend, "hybridep") || (!old && facts.is(kBackend, "ncclep"))) return;
  const std::string wanted = old ? "hybridep" : "hybridep or ncclep";
  report
      .add("moe_expert_rank_capacity_factor is set but moe_flex_dispatcher_backend is " + facts.value(kBackend).str() + "; it must be " +
           wanted)
      .keys({kBackend, kCapacity})
      .raise(old ? kBackend018 : kBackend019)
      .fix(Fix::Safety::kDisplayOnly, "dispatch through hybridep",
           {set(kBackend, "hybridep"), set("model.moe_token_dispatcher_type", "flex")})
      .fix(Fix::Safety::kDisplayOnly, "do not bound the capacity", {clear(facts, kCapacity)});
}

void check_fuser(const Facts& facts, Report& report) {
  const bool old = facts.core() == Core::k0_18, newest = facts.core() >= Core::kMain;
  if (facts.on(kFuser) || (!old && !facts.is(kBackend, "hybridep")) || (newest && facts.on("model.moe_use_grouped_tensor"))) return;
  report
      .add(std::string("moe_expert_rank_capacity_factor is set, which needs use_transformer_engine_op_fuser") +
           (newest ? " or moe_use_grouped_tensor" : "") + (old ? "" : " with the hybridep backend"))
      .keys({kFuser, kCapacity, kBackend})
      .raise(newest ? kFuserMain
             : old  ? kFuser018
                    : kFuser019)
      .fix(Fix::Safety::kDisplayOnly, "switch the operation fuser on", {set(kFuser, true)})
      .fix(Fix::Safety::kDisplayOnly, "do not bound the capacity", {clear(facts, kCapacity)});
}

}  // namespace

Rule stash_capacity() {
  return {
      .code = "STASH-CAPACITY",
      .summary = "paged stash needs a rank capacity, and the capacity needs its dispatcher and fused experts",
      .since = Core::k0_18,
      .raises = {{Place::kTransformerConfig, 2214, "ValueError",
                  "moe_paged_stash requires moe_expert_rank_capacity_factor to be set; there is no need to use paged stashing without it."},
                 {.place = Place::kTransformerConfig,
                  .sequence = 1871,
                  .type = "ValueError",
                  .text = "moe_expert_rank_capacity_factor requires moe_flex_dispatcher_backend to be 'hybridep'.",
                  .until = Core::k0_18},
                 {.place = Place::kTransformerConfig,
                  .sequence = 1870,
                  .type = "ValueError",
                  .text = "moe_expert_rank_capacity_factor requires moe_flex_dispatcher_backend to be 'hybridep' or 'ncclep'.",
                  .since = Core::k0_19},
                 {.place = Place::kTransformerConfig,
                  .sequence = 1869,  // 0.18 asks this before the back-end
                  .type = "ValueError",
                  .text = "moe_expert_rank_capacity_factor requires use_transformer_engine_op_fuser to be enabled.",
                  .until = Core::k0_18},
                 {.place = Place::kTransformerConfig,
                  .sequence = 1879,
                  .type = "ValueError",
                  .text =
                      "moe_expert_rank_capacity_factor with the 'hybridep' backend requires use_transformer_engine_op_fuser to be enabled.",
                  .since = Core::k0_19,
                  .until = Core::kBridgePin},
                 {.place = Place::kTransformerConfig,
                  .sequence = 1879,
                  .type = "ValueError",
                  .text = "moe_expert_rank_capacity_factor with the 'hybridep' backend requires use_transformer_engine_op_fuser=True or "
                          "moe_use_grouped_tensor=True.",
                  .since = Core::kMain}},
      .what =
          "moe_paged_stash is on without moe_expert_rank_capacity_factor; or that factor is set while moe_flex_dispatcher_backend is not "
          "hybridep (or ncclep since 0.19), or without use_transformer_engine_op_fuser, which 0.18 wants for every back-end, later "
          "versions for hybridep only, and main takes moe_use_grouped_tensor for as well.",
      .why =
          "The stash pages what exceeds the bounded buffer of a rank; without the bound there is nothing to page, and the bound itself "
          "exists only in these dispatchers and fused experts. Megatron-Core refuses the configuration when it is built.",
      .remedy = "Set all three together (capacity factor, hybridep, operation fuser), or leave all three out.",
      .evidence =
          {"megatron/core/transformer/transformer_config.py",
           "if self.moe_paged_stash: if self.moe_expert_rank_capacity_factor is None: raise; if self.moe_expert_rank_capacity_factor is "
           "not None: if self.moe_flex_dispatcher_backend not in (\"hybridep\", \"ncclep\"): raise"},
      .check =
          [](const Facts& facts, Report& report) {
            check_stash(facts, report);
            if (facts.is_null(kCapacity)) return;
            check_backend(facts, report);
            check_fuser(facts, report);
          },
  };
}

}  // namespace spillway::validate::rules
