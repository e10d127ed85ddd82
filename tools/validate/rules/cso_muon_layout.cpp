#include "tools/validate/chunked_states.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cso_muon_layout() {
  return {
      .code = "CSO-MUON-LAYOUT",
      .summary = "the chunked offload of muon needs the compact layout",
      .launchers = {Launcher::kMegatronLm},
      .since = Core::kDev,
      .raises = {{Place::kValidateArgs, 1871, "AssertionError",
                  "Muon optimizer state offload requires --use-layer-wise-param-layout to be disabled so the decoupled compact LayerWise "
                  "DDP layout is used"}},
      .what =
          "The chunked optimizer-state offload, which only Megatron-LM's dev branch has, is on with muon, and the layer-wise parameter "
          "layout is not switched off.",
      .why = "Megatron-LM refuses it.",
      .remedy = "Add --no-use-layer-wise-param-layout.",
      .evidence = {"megatron/training/arguments.py",
                   "assert ..., \"Muon optimizer state offload requires --use-layer-wise-param-layout to be disabled so the decoupled "
                   "compact LayerWise DDP layout is used\""},
      .check =
          [](const Facts& facts, Report& report) {
            if (!offloads_states(facts)) return;
            if (!(is_muon(facts) && facts.on("args.use_layer_wise_param_layout"))) return;
            report.add("the chunked optimizer-state offload of muon needs the layer-wise parameter layout off")
                .keys({"args.use_layer_wise_param_layout", "optimizer.optimizer"})
                .fix(Fix::Safety::kSafe, "switch the layout off", {set("args.use_layer_wise_param_layout", false)});
          },
  };
}

}  // namespace spillway::validate::rules
