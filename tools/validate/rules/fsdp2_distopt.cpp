#include "tools/validate/edits.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

/// Positions in Rule::raises.
enum : std::size_t { kTorch = 0, kPipeline, kExperts, kDistOpt, kFusion, kFormat, kTied, kFp16, kConnections };

constexpr std::string_view kFsdp2 = "dist.use_torch_fsdp2";

void refuse(const Facts& facts, Report& report, std::size_t raise, std::string message, std::string_view key, std::vector<Edit> edits) {
  auto finding = report.add("--use-torch-fsdp2 " + std::move(message));
  finding.keys({key, kFsdp2}).raise(raise);
  if (!edits.empty()) finding.fix(Fix::Safety::kDisplayOnly, "keep torch's FSDP2 and change this", std::move(edits));
  finding.fix(Fix::Safety::kDisplayOnly, "do without torch's FSDP2", {switch_off(facts, kFsdp2)});
}

void check_sharding(const Facts& facts, Report& report) {
  if (facts.integer("model.pipeline_model_parallel_size", 1) != 1)
    refuse(facts, report, kPipeline, "does not run with pipeline stages", "model.pipeline_model_parallel_size",
           {set("model.pipeline_model_parallel_size", 1)});
  if (facts.integer("model.expert_model_parallel_size", 1) != 1)
    refuse(facts, report, kExperts, "does not run with expert parallelism", "model.expert_model_parallel_size",
           {set("model.expert_model_parallel_size", 1)});
  if (facts.raw("optimizer.use_distributed_optimizer").truthy())
    refuse(facts, report, kDistOpt, "shards the optimizer itself and does not run with --use-distributed-optimizer",
           "optimizer.use_distributed_optimizer", {remove("optimizer.use_distributed_optimizer")});
}

void check_rest(const Facts& facts, Report& report) {
  if (facts.on("model.gradient_accumulation_fusion"))
    refuse(facts, report, kFusion, "needs --no-gradient-accumulation-fusion", "model.gradient_accumulation_fusion",
           {set("model.gradient_accumulation_fusion", false)});
  if (!facts.is("checkpoint.ckpt_format", "torch_dist") && !facts.is("checkpoint.ckpt_format", "torch_dcp"))
    refuse(facts, report, kFormat, "saves as torch_dist or torch_dcp, not as " + facts.value("checkpoint.ckpt_format").str(),
           "checkpoint.ckpt_format", {set("checkpoint.ckpt_format", "torch_dist")});
  if (facts.off("args.untie_embeddings_and_output_weights"))
    refuse(facts, report, kTied, "needs --untie-embeddings-and-output-weights", "args.untie_embeddings_and_output_weights",
           {set("args.untie_embeddings_and_output_weights", true)});
  if (facts.on("model.fp16")) refuse(facts, report, kFp16, "does not run in fp16", "model.fp16", {});
}

}  // namespace

Rule fsdp2_distopt() {
  return {
      .code = "FSDP2-DISTOPT",
      .summary = "torch's FSDP2 excludes the distributed optimizer, and with it optimizer offload in Megatron-LM",
      .launchers = {Launcher::kMegatronLm},
      .raises = {{Place::kValidateArgs, 1032, "AssertionError", "FSDP2 requires PyTorch >= 2.4.0 with FSDP 2 support."},
                 {Place::kValidateArgs, 1034, "AssertionError", "--use-torch-fsdp2 is not supported with pipeline parallelism"},
                 {Place::kValidateArgs, 1036, "AssertionError", "--use-torch-fsdp2 is not supported with expert parallelism"},
                 {Place::kValidateArgs, 1038, "AssertionError", "--use-torch-fsdp2 is not supported with MCore's distributed optimizer"},
                 {Place::kValidateArgs, 1040, "AssertionError", "--use-torch-fsdp2 is not supported with gradient accumulation fusion"},
                 {Place::kValidateArgs, 1042, "AssertionError", "--use-torch-fsdp2 requires --ckpt-format torch_dist or torch_dcp"},
                 {Place::kValidateArgs, 1044, "AssertionError", "--use-torch-fsdp2 requires --untie-embeddings-and-output-weights"},
                 {Place::kValidateArgs, 1046, "AssertionError", "--use-torch-fsdp2 not supported with fp16 yet"},
                 {Place::kValidateArgs, 1048, "AssertionError", "FSDP always requires CUDA_DEVICE_MAX_CONNECTIONS value large than one"}},
      .what =
          "--use-torch-fsdp2 is given together with --use-distributed-optimizer, pipeline or expert parallelism, fused gradient "
          "accumulation, another checkpoint format than torch_dist and torch_dcp, tied embeddings, fp16, torch before 2.4 or "
          "CUDA_DEVICE_MAX_CONNECTIONS=1.",
      .why =
          "Megatron-LM refuses each. Optimizer offload there asks for the precision-aware and thus the distributed optimizer, so it never "
          "runs with torch's FSDP2.",
      .remedy = "Use Megatron's own distributed optimizer to offload; with torch's FSDP2 follow the list above.",
      .evidence = {"megatron/training/arguments.py", "if args.use_torch_fsdp2: assert not args.use_distributed_optimizer; …"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off(kFsdp2)) return;
            if (facts.torch() && *facts.torch() < Version{2, 4, 0})
              refuse(facts, report, kTorch, "needs torch 2.4.0, this is " + facts.torch()->str(), kFsdp2, {});
            check_sharding(facts, report);
            check_rest(facts, report);
            if (facts.env("CUDA_DEVICE_MAX_CONNECTIONS") == "1")
              refuse(facts, report, kConnections, "does not run with CUDA_DEVICE_MAX_CONNECTIONS=1", kFsdp2, {});
          },
  };
}

}  // namespace spillway::validate::rules
