#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_impl() {
  return {
      .code = "FGO-IMPL",
      .summary = "fine-grained activation offload needs the transformer_engine implementation",
      .stage = Stage::kBridge,
      .launchers = {Launcher::kMegatronLm, Launcher::kBridge},
      .since = Core::k0_16,
      .raises =
          {{Place::kValidateArgs,
            1936,
            "AssertionError",
            "Fine-grained activation offloading is only supported with transformer_engine implementation",
            {Launcher::kMegatronLm}},
           {Place::kBridge,
            1506,
            "ValueError",
            "Fine-grained activation offloading is only supported with transformer_engine implementation. Current transformer_impl: {}",
            {Launcher::kBridge}}},
      .what =
          "fine_grained_activation_offloading is on and transformer_impl is local or inference_optimized. Megatron-LM and Bridge check it; "
          "plain Megatron-Core and --yaml-cfg do not.",
      .why = "The modules that carry the offload scopes are built on Transformer Engine; the launcher refuses the combination.",
      .remedy = "Set transformer_impl to transformer_engine, or switch fine_grained_activation_offloading off.",
      .evidence = {"megatron/training/arguments.py",
                   "if args.fine_grained_activation_offloading: assert args.transformer_impl == 'transformer_engine'"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.fine_grained_activation_offloading") || facts.is("model.transformer_impl", "transformer_engine")) return;
            const auto impl = facts.value("model.transformer_impl").str();
            report.add("fine-grained offload is on but transformer_impl is " + impl + "; it works only with transformer_engine")
                .keys({"model.transformer_impl", "model.fine_grained_activation_offloading"})
                .with({impl})
                .fix(Fix::Safety::kDisplayOnly, "use Transformer Engine", {set("model.transformer_impl", "transformer_engine")})
                .fix(Fix::Safety::kDisplayOnly, "switch fine-grained offload off",
                     {switch_off(facts, "model.fine_grained_activation_offloading")});
          },
  };
}

}  // namespace spillway::validate::rules
