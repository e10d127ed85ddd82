#include "tools/validate/edits.hpp"
#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule mfsdp1_weight_hash() {
  static constexpr std::string_view kInterval = "train.check_weight_hash_across_dp_replicas_interval";
  return {
      .code = "MFSDP1-WEIGHT-HASH",
      .summary = "weights that Megatron-FSDP shards cannot be compared between replicas",
      .launchers = {Launcher::kMegatronLm, Launcher::kBridge},
      .since = Core::k0_18,
      .raises = {{Place::kValidateArgs,
                  1163,
                  "AssertionError",
                  "check_weight_hash_across_dp_replicas_interval is not supported with optim_grads_params",
                  {Launcher::kMegatronLm}},
                 {Place::kBridge, 1486, "AssertionError", "", {Launcher::kBridge}}},
      .what =
          "Megatron-FSDP shards parameters too (data_parallel_sharding_strategy optim_grads_params) and "
          "check_weight_hash_across_dp_replicas_interval is set.",
      .why = "No rank holds whole weights to hash; the run is refused.",
      .remedy = "Leave the interval unset.",
      .evidence = {"megatron/training/arguments.py",
                   "if args.data_parallel_sharding_strategy == \"optim_grads_params\": assert "
                   "args.check_weight_hash_across_dp_replicas_interval is None"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!uses_megatron_fsdp(facts) || (facts.bridge() && uses_megatron_fsdp_v2(facts)) || facts.is_null(kInterval)) return;
            if (!facts.is("ddp.data_parallel_sharding_strategy", "optim_grads_params")) return;
            report.add("check_weight_hash_across_dp_replicas_interval is set, but Megatron-FSDP shards the weights it would compare")
                .keys({kInterval, "ddp.data_parallel_sharding_strategy", "ddp.use_megatron_fsdp", "dist.use_megatron_fsdp"})
                .fix(Fix::Safety::kSafe, "do not compare weights", {clear(facts, kInterval)});
          },
  };
}

}  // namespace spillway::validate::rules
