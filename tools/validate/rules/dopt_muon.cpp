#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule dopt_muon() {
  return {
      .code = "DOPT-MUON",
      .summary = "what muon excludes in Megatron-LM 0.17",
      .launchers = {Launcher::kMegatronLm},
      .since = Core::k0_17,
      .until = Core::k0_17,
      .raises = {{Place::kValidateArgs, 1735, "AssertionError",
                  "Muon optimizer does not support overlap grad reduce. Use dist_muon instead."},
                 {Place::kValidateArgs, 1736, "AssertionError",
                  "Muon optimizer does not support overlap param gather. Use dist_muon instead."},
                 {Place::kValidateArgs, 1738, "AssertionError", "Muon optimizer does not support distributed optimizer for now."},
                 {Place::kValidateArgs, 1740, "AssertionError", "Muon optimizer does not support Megatron-FSDP for now."},
                 {Place::kValidateArgs, 1741, "AssertionError", "Muon optimizer supports torch and torch_dist checkpoint format."}},
      .what =
          "--optimizer is muon or dist_muon in 0.17 and the distributed optimizer, Megatron-FSDP or another checkpoint format than torch "
          "and torch_dist is used; or it is muon with overlapped reduction or gather. Later versions turn the distributed optimizer into a "
          "layer-wise one instead.",
      .why = "The arguments are refused.",
      .remedy = "Drop the option, use dist_muon for the overlaps, or use Megatron-Core 0.18 or later.",
      .evidence = {"megatron/training/arguments.py", "if 'muon' in args.optimizer: assert not args.use_distributed_optimizer; …"},
      .check =
          [](const Facts& facts, Report& report) {
            const std::string name(facts.text("optimizer.optimizer"));
            if (name.find("muon") == std::string::npos) return;
            const auto refuse = [&](std::size_t raise, std::string_view key) {
              report.add(name + " does not run with " + std::string(key.substr(key.find('.') + 1)) + " in this version")
                  .keys({key, "optimizer.optimizer"})
                  .raise(raise)
                  .fix(Fix::Safety::kDisplayOnly, "drop the option", {remove(key)})
                  .fix(Fix::Safety::kDisplayOnly, "train with adam", {set("optimizer.optimizer", "adam")});
            };
            if (name == "muon" && facts.on("ddp.overlap_grad_reduce")) refuse(0, "ddp.overlap_grad_reduce");
            if (name == "muon" && facts.on("optimizer.overlap_param_gather")) refuse(1, "optimizer.overlap_param_gather");
            if (facts.on("optimizer.use_distributed_optimizer")) refuse(2, "optimizer.use_distributed_optimizer");
            if (uses_megatron_fsdp(facts)) refuse(3, "ddp.use_megatron_fsdp");
            if (!facts.is("checkpoint.ckpt_format", "torch") && !facts.is("checkpoint.ckpt_format", "torch_dist"))
              refuse(4, "checkpoint.ckpt_format");
          },
  };
}

}  // namespace spillway::validate::rules
