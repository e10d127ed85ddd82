#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// The module, or everything, is inside a graph.
bool captured(const Facts& facts, std::string_view module) {
  const Graphs& graphs = facts.graphs();
  return graphs.whole_iteration || graphs.modules.empty() || graphs.has(module);
}

bool drops(const Facts& facts, std::string_view key) { return facts.number(key).value_or(0.0) != 0.0; }

}  // namespace

Rule cg_recompute_dropout() {
  return {
      .code = "CG-RECOMPUTE-DROPOUT",
      .summary = "random numbers inside a module that is both captured and recomputed",
      .since = Core::k0_16,
      .raises = {{Place::kTransformerConfig, 2879, "AssertionError",
                  "attention dropout is not supported with graphed attention recomputation."},
                 {Place::kTransformerConfig, 2887, "AssertionError", "hidden dropout is not supported with graphed MLP/MoE recomputation."},
                 {Place::kTransformerConfig, 2901, "AssertionError",
                  "moe_input_jitter_eps is not supported with graphed moe recomputation."}},
      .what =
          "A module is captured by a CUDA graph and recomputed selectively while it draws random numbers: attention dropout in core_attn, "
          "hidden dropout in mlp or moe, input jitter in moe. The dropouts are 0.1 by default.",
      .why = "The replayed forward would draw other numbers than the first one; upstream refuses it.",
      .remedy = "Set the dropout (or moe_input_jitter_eps) to zero, or leave the module out of recompute or out of the graph.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.attention_dropout != 0.0: assert … or \"core_attn\" not in self.recompute_modules"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!facts.graphs().any() || !facts.selective()) return;
            if (captured(facts, "attn") && facts.recomputes("core_attn") && drops(facts, "model.attention_dropout"))
              report.add("core_attn is captured and recomputed with attention_dropout=" + facts.value("model.attention_dropout").str())
                  .keys({"model.attention_dropout", "model.recompute_modules", "model.cuda_graph_modules"})
                  .raise(0)
                  .fix(Fix::Safety::kUnsafe, "set attention_dropout to 0", {set("model.attention_dropout", 0.0)});
            const bool mlp = captured(facts, "mlp") && facts.recomputes("mlp"), moe = captured(facts, "moe") && facts.recomputes("moe");
            if ((mlp || moe) && drops(facts, "model.hidden_dropout"))
              report
                  .add(std::string(mlp ? "mlp" : "moe") +
                       " is captured and recomputed with hidden_dropout=" + facts.value("model.hidden_dropout").str())
                  .keys({"model.hidden_dropout", "model.recompute_modules", "model.cuda_graph_modules"})
                  .raise(1)
                  .fix(Fix::Safety::kUnsafe, "set hidden_dropout to 0", {set("model.hidden_dropout", 0.0)});
            if (moe && !facts.is_null("model.moe_input_jitter_eps"))
              report.add("moe is captured and recomputed with moe_input_jitter_eps=" + facts.value("model.moe_input_jitter_eps").str())
                  .keys({"model.moe_input_jitter_eps", "model.recompute_modules", "model.cuda_graph_modules"})
                  .raise(2)
                  .fix(Fix::Safety::kUnsafe, "remove the jitter", {set("model.moe_input_jitter_eps", config::Null{})});
          },
  };
}

}  // namespace spillway::validate::rules
