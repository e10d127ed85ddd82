#include "tools/validate/edits.hpp"
#include "tools/validate/fine_grained.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fgo_gemma4() {
  return {
      .code = "FGO-GEMMA4",
      .summary = "Gemma 4's MoE layers do not offload their MLP norm",
      .launchers = {Launcher::kBridge},
      .raises = {{Place::kBuildModel, 75, "ValueError",
                  "Gemma 4 MoE's separate router/shared/routed inputs do not yet support: MLP norm activation offloading"}},
      .what = "A Gemma 4 model of Megatron-Bridge has experts and fine-grained offload names mlp_norm.",
      .why =
          "Its router, shared and routed experts have inputs of their own instead of one normalised one; the provider refuses the module "
          "when the model is built. The message lists everything else that is not supported as well.",
      .remedy = "Leave mlp_norm out of offload_modules.",
      .evidence = {"src/megatron/bridge/models/gemma/gemma4_provider.py",
                   "unsupported.append(\"MLP norm activation offloading\") if mlp_norm is offloaded"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.model_class().find("Gemma4") == std::string_view::npos || !offloads_fine(facts, "mlp_norm")) return;
            if (facts.is_null("model.num_moe_experts")) return;
            report.add("Gemma 4's MoE layers do not support offloading mlp_norm")
                .keys({"model.offload_modules", "model.fine_grained_activation_offloading"})
                .fix(Fix::Safety::kSafe, "leave mlp_norm out", without_offload_of(facts, {"mlp_norm"}));
          },
  };
}

}  // namespace spillway::validate::rules
