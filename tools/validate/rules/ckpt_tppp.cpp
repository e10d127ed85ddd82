#include <string>

#include "tools/validate/checkpoints.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// `(2, 1)`
std::string layout(const Facts& facts) {
  return "(" + std::to_string(facts.integer("model.tensor_model_parallel_size", 1)) + ", " +
         std::to_string(facts.integer("model.pipeline_model_parallel_size", 1)) + ")";
}

}  // namespace

Rule ckpt_tppp() {
  return {
      .code = "CKPT-TPPP",
      .summary = "optimizer state is tied to the parallel layout unless it was saved as fully reshardable",
      .raises = {{Place::kLoad,
                  2650,
                  "RuntimeError",
                  "{}: not supported for DistributedOptimizer with sharding type {}. Please use `--ckpt-fully-parallel-save` flag during "
                  "checkpoint saving.",
                  {Launcher::kMegatronLm, Launcher::kMegatronLmYaml, Launcher::kMegatronCore}},
                 {Place::kLoad, 2650, "RuntimeError", "", {Launcher::kBridge}}},
      .what =
          "The tensor- or pipeline-parallel size differs from that of the run that saved, and the optimizer state was saved in the default "
          "layout, dp_reshardable.",
      .why =
          "The load stops. (The advice that its message gives does not name the setting that helps: dist_ckpt_optim_fully_reshardable, "
          "when saving.)",
      .remedy = "Resume with the old layout, save with dist_ckpt_optim_fully_reshardable, or load without optimizer state.",
      .evidence = {"megatron/training/checkpointing.py",
                   "if ckpt_tp_pp != run_tp_pp and sharding type not in DistributedOptimizer.checkpoint_fully_reshardable_formats: raise "
                   "RuntimeError"},
      .check =
          [](const Facts& facts, Report& report) {
            // Without offload this is no more than any resume; it is said where the saved run is stated.
            if (facts.saved() == nullptr && facts.off("optimizer.optimizer_cpu_offload")) return;
            const Facts* saved = loaded_run(facts);
            if (saved == nullptr || facts.off("optimizer.use_distributed_optimizer")) return;
            if (facts.is("checkpoint.ckpt_format", "torch") || optimizer_layout(*saved) != "dp_reshardable") return;
            const std::string now = layout(facts), then = layout(*saved);
            if (now == then) return;
            report
                .add("the checkpoint was saved with (TP, PP) = " + then + " and is loaded with " + now +
                     ", which its optimizer state does not allow")
                .keys({"model.tensor_model_parallel_size", "model.pipeline_model_parallel_size", "checkpoint.load_optim"})
                .with({"(TP, PP) mismatch after resume (" + now + " vs " + then + " from checkpoint)", "dp_reshardable"})
                .fix(Fix::Safety::kDisplayOnly, "resume with the parallel layout that saved",
                     {set("model.tensor_model_parallel_size", saved->integer("model.tensor_model_parallel_size", 1)),
                      set("model.pipeline_model_parallel_size", saved->integer("model.pipeline_model_parallel_size", 1))})
                .fix(Fix::Safety::kDisplayOnly, "load the weights alone and start the optimizer afresh",
                     {set("checkpoint.load_optim", false)})
                .fix(Fix::Safety::kDisplayOnly, "save the checkpoint once more with dist_ckpt_optim_fully_reshardable and the old layout");
          },
  };
}

}  // namespace spillway::validate::rules
