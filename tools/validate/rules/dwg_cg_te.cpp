#include "tools/validate/delayed_wgrad.hpp"
#include "tools/validate/edits.hpp"
#include "tools/validate/graph_edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

/// Positions in Rule::raises; Bridge's twin follows each.
enum : std::size_t { kVersion = 0, kFusion = 2, kBias = 4 };

void refuse(const Facts& facts, Report& report, std::size_t raise, std::string message, std::string_view key, std::vector<Edit> edits) {
  auto finding = report.add(std::move(message));
  finding.keys({key, kDelayedWgrad, kDelayedWgradOfBridge, "model.cuda_graph_modules", "model.cuda_graph_scope"})
      .raise(raise + (facts.bridge() ? 1 : 0));
  if (!edits.empty()) finding.fix(Fix::Safety::kDisplayOnly, "change " + std::string(key.substr(key.find('.') + 1)), std::move(edits));
  finding
      .fix(Fix::Safety::kDisplayOnly, "do not delay weight gradients",
           {switch_off(facts, facts.bridge() ? kDelayedWgradOfBridge : kDelayedWgrad)})
      .fix(Fix::Safety::kDisplayOnly, "switch CUDA graphs off", capture_with(facts, "none"));
}

}  // namespace

Rule dwg_cg_te() {
  return {
      .code = "DWG-CG-TE",
      .summary = "delayed weight gradients of captured layers need Transformer Engine 2.12, fusion and no bias",
      .stage = Stage::kArgs,
      .launchers = {Launcher::kMegatronLm, Launcher::kBridge},
      .since = Core::k0_17,
      .raises = {{Place::kValidateArgs,
                  1916,
                  "AssertionError",
                  "CUDA graph with delay_wgrad_compute requires TE version >= 2.12.0.",
                  {Launcher::kMegatronLm}},
                 {Place::kBridge,
                  546,
                  "AssertionError",
                  "CUDA graph with delay_wgrad_compute requires TE version >= 2.12.0.",
                  {Launcher::kBridge}},
                 {Place::kValidateArgs,
                  1919,
                  "AssertionError",
                  "CUDA graph with delay_wgrad_compute requires gradient_accumulation_fusion to be enabled. This is because the default "
                  "gradient accumulation does not use static memory addresses, which breaks CUDA graph requirements.",
                  {Launcher::kMegatronLm}},
                 {Place::kBridge, 549, "AssertionError", "", {Launcher::kBridge}},
                 {Place::kValidateArgs,
                  1925,
                  "AssertionError",
                  "CUDA graph with delay_wgrad_compute doesn't support attn bias for now.",
                  {Launcher::kMegatronLm}},
                 {Place::kBridge,
                  555,
                  "AssertionError",
                  "CUDA graph with delay_wgrad_compute does not support attention bias for now.",
                  {Launcher::kBridge}}},
      .what =
          "delay_wgrad_compute is on (Megatron-LM: together with overlap_grad_reduce, elsewhere it is not looked at) and CUDA graphs "
          "capture attn, or moe_router with a shared expert; and Transformer Engine is older than 2.12, or gradient_accumulation_fusion is "
          "off, or attention has a bias.",
      .why =
          "Weight gradients computed inside a graph must land at fixed addresses, and the captured backward has no place for bias "
          "gradients. The launcher refuses the configuration.",
      .remedy = "Use Transformer Engine 2.12 or newer with gradient_accumulation_fusion and without bias, or drop the graphs or the delay.",
      .evidence = {"megatron/training/arguments.py",
                   "if wgrad_in_graph_scope: assert is_te_min_version(\"2.12.0\"); assert args.gradient_accumulation_fusion; if attn is "
                   "captured: assert not args.add_bias_linear and not args.add_qkv_bias"},
      .check =
          [](const Facts& facts, Report& report) {
            if (!launcher_delays_wgrad(facts) || (facts.megatron_lm() && facts.off("ddp.overlap_grad_reduce"))) return;
            if (!captures_delayed_wgrad(facts)) return;
            if (facts.te() < Version{2, 12, 0})
              refuse(facts, report, kVersion,
                     "delay_wgrad_compute with captured layers needs Transformer Engine 2.12.0, this is " + facts.te().str(),
                     "model.cuda_graph_impl", {});
            if (facts.off("model.gradient_accumulation_fusion"))
              refuse(facts, report, kFusion, "delay_wgrad_compute with captured layers needs gradient_accumulation_fusion",
                     "model.gradient_accumulation_fusion", {set("model.gradient_accumulation_fusion", true)});
            if (!captures_attention(facts)) return;
            for (const std::string_view bias : {"model.add_bias_linear", "model.add_qkv_bias"}) {
              if (facts.off(bias)) continue;
              refuse(facts, report, kBias, "delay_wgrad_compute with captured attention does not support " + std::string(bias.substr(6)),
                     bias, {});
              break;
            }
          },
  };
}

}  // namespace spillway::validate::rules
