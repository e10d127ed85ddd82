#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule dopt_overlap_pg() {
  return {
      .code = "DOPT-OVERLAP-PG",
      .summary = "overlapping the parameter gather needs sharded optimizer state and overlapped gradient reduction",
      .launchers = {Launcher::kMegatronLm},
      .raises = {{.place = Place::kValidateArgs,
                  .sequence = 1025,
                  .type = "AssertionError",
                  .text = "--overlap-param-gather only supported with distributed optimizer, megatron fsdp, or dist_muon",
                  .since = Core::k0_17},
                 {Place::kValidateArgs, 1028, "AssertionError", "Must use --overlap-param-gather with --overlap-grad-reduce"}},
      .what =
          "--overlap-param-gather is given without --use-distributed-optimizer, --use-megatron-fsdp and --optimizer dist_muon, or without "
          "--overlap-grad-reduce. What later normalisation switches on does not count yet.",
      .why = "There is nothing to gather where nothing is sharded, and the gather is scheduled around the reduction; both are refused.",
      .remedy = "Add the missing option, or drop --overlap-param-gather.",
      .evidence = {"megatron/training/arguments.py",
                   "if args.overlap_param_gather: assert args.use_distributed_optimizer or args.use_megatron_fsdp or args.optimizer == "
                   "'dist_muon'; assert args.overlap_grad_reduce"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.raw("optimizer.overlap_param_gather").truthy()) return;
            const bool sharded = facts.raw("optimizer.use_distributed_optimizer").truthy() || uses_megatron_fsdp(facts) ||
                                 facts.raw("optimizer.optimizer") == config::Value("dist_muon");
            if (!sharded && facts.core() >= Core::k0_17)
              report.add("--overlap-param-gather needs --use-distributed-optimizer, --use-megatron-fsdp or --optimizer dist_muon")
                  .keys({"optimizer.overlap_param_gather", "optimizer.use_distributed_optimizer"})
                  .raise(0)
                  .fix(Fix::Safety::kUnsafe, "use the distributed optimizer", {set("optimizer.use_distributed_optimizer", true)})
                  .fix(Fix::Safety::kDisplayOnly, "do not overlap the gather", {remove("optimizer.overlap_param_gather")});
            if (facts.on("ddp.overlap_grad_reduce")) return;
            report.add("--overlap-param-gather needs --overlap-grad-reduce")
                .keys({"optimizer.overlap_param_gather", "ddp.overlap_grad_reduce"})
                .raise(1)
                .fix(Fix::Safety::kUnsafe, "overlap the reduction too", {set("ddp.overlap_grad_reduce", true)})
                .fix(Fix::Safety::kDisplayOnly, "do not overlap the gather", {remove("optimizer.overlap_param_gather")});
          },
  };
}

}  // namespace spillway::validate::rules
