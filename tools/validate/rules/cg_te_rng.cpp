#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule cg_te_rng() {
  return {
      .code = "CG-TE-RNG",
      .summary = "CUDA graphs need Transformer Engine's random-number tracker",
      .launchers = {Launcher::kBridge},
      .raises = {{Place::kTransformerConfig, 9000, "AssertionError",
                  "Transformer engine's RNG tracker is required for cudagraphs, it can be enabled with use_te_rng_tracker=True'."}},
      .what = "A model of the builder style (fields below model.transformer) captures CUDA graphs and use_te_rng_tracker is off.",
      .why =
          "Its configuration is refused when it is finalized. That comes before Bridge copies rng.te_rng_tracker to the model, so that "
          "this one alone does not help.",
      .remedy = "Set model.transformer.use_te_rng_tracker.",
      .evidence = {"src/megatron/bridge/models/gpt/gpt_builder.py",
                   "if self.transformer.cuda_graph_impl != \"none\": assert self.transformer.use_te_rng_tracker"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.builder_style() || facts.on("model.use_te_rng_tracker") || !facts.graphs().any()) return;
            report
                .add(facts.on("rng.te_rng_tracker") ? "rng.te_rng_tracker reaches the model only after this model is checked: CUDA graphs "
                                                      "need model.transformer.use_te_rng_tracker"
                                                    : "CUDA graphs need use_te_rng_tracker")
                .keys({"model.use_te_rng_tracker", "model.cuda_graph_impl", "rng.te_rng_tracker"})
                .fix(Fix::Safety::kSafe, "track random numbers in Transformer Engine", {set("model.use_te_rng_tracker", true)});
          },
  };
}

}  // namespace spillway::validate::rules
