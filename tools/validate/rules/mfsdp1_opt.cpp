#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule mfsdp1_opt() {
  return {
      .code = "MFSDP1-OPT",
      .summary = "Megatron-FSDP knows adam and sgd only",
      .launchers = {Launcher::kMegatronLm},
      .since = Core::k0_18,
      .raises = {{Place::kValidateArgs, 1150, "AssertionError", "Megatron-FSDP does not support the {} optimizer yet."}},
      .what = "--use-megatron-fsdp is given with another optimizer than adam and sgd.",
      .why = "The arguments are refused: the emerging optimizers work on whole matrices, which FSDP keeps in pieces.",
      .remedy = "Use adam or sgd, or drop Megatron-FSDP.",
      .evidence = {"megatron/training/arguments.py", "if args.use_megatron_fsdp: assert args.optimizer in ('sgd', 'adam')"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!uses_megatron_fsdp(facts)) return;
            const std::string name = facts.raw("optimizer.optimizer").str();
            if (name == "adam" || name == "sgd") return;
            report.add("Megatron-FSDP does not run with the optimizer " + name + "; it knows adam and sgd")
                .keys({"optimizer.optimizer", "ddp.use_megatron_fsdp"})
                .with({name})
                .fix(Fix::Safety::kDisplayOnly, "train with adam", {set("optimizer.optimizer", "adam")})
                .fix(Fix::Safety::kDisplayOnly, "do without Megatron-FSDP", {remove("ddp.use_megatron_fsdp")});
          },
  };
}

}  // namespace spillway::validate::rules
