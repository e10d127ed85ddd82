#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule dopt_emerging_fsdp() {
  return {
      .code = "DOPT-EMERGING-FSDP",
      .summary = "emerging optimizers run with neither FSDP, and save as torch or torch_dist",
      .launchers = {Launcher::kMegatronLm},
      .since = Core::k0_18,
      .raises = {{Place::kValidateArgs, 1739, "AssertionError", "Emerging optimizer does not support Torch-FSDP2 for now."},
                 {Place::kValidateArgs, 1740, "AssertionError", "Emerging optimizer does not support Megatron-FSDP for now."},
                 {Place::kValidateArgs, 1741, "AssertionError", "Emerging optimizer supports torch and torch_dist checkpoint format."}},
      .what =
          "--optimizer is neither adam nor sgd and the run uses torch's FSDP2 or Megatron-FSDP, or another --ckpt-format than torch and "
          "torch_dist.",
      .why = "The arguments are refused: these optimizers work on whole matrices and have a layer-wise sharding of their own.",
      .remedy = "Use adam with FSDP; with an emerging optimizer use --use-distributed-optimizer, which becomes the layer-wise one.",
      .evidence = {"megatron/training/arguments.py",
                   "if args.optimizer not in ('sgd', 'adam'): assert not args.use_torch_fsdp2; assert not args.use_megatron_fsdp; assert "
                   "args.ckpt_format in [\"torch\", \"torch_dist\"]"},
      .check =
          [](const Facts& facts, Report& report) {
            const std::string name = facts.raw("optimizer.optimizer").str();
            if (name == "adam" || name == "sgd") return;
            const auto refuse = [&](std::size_t raise, const std::string& what, std::string_view key, std::vector<Edit> edits) {
              report.add("the optimizer " + name + " does not run with " + what)
                  .keys({key, "optimizer.optimizer"})
                  .raise(raise)
                  .fix(Fix::Safety::kDisplayOnly, "train with adam", {set("optimizer.optimizer", "adam")})
                  .fix(Fix::Safety::kDisplayOnly, "keep the optimizer", std::move(edits));
            };
            if (facts.on("dist.use_torch_fsdp2")) refuse(0, "torch's FSDP2", "dist.use_torch_fsdp2", {remove("dist.use_torch_fsdp2")});
            if (uses_megatron_fsdp(facts)) refuse(1, "Megatron-FSDP", "ddp.use_megatron_fsdp", {remove("ddp.use_megatron_fsdp")});
            const std::string format(facts.text("checkpoint.ckpt_format"));
            if (format != "torch" && format != "torch_dist")
              refuse(2, "checkpoints as " + format, "checkpoint.ckpt_format", {set("checkpoint.ckpt_format", "torch_dist")});
          },
  };
}

}  // namespace spillway::validate::rules
