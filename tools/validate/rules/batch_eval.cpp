#include <cstdint>
#include <optional>
#include <string>

#include "tools/validate/parallel.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

/// A batch size of evaluation, else of training.
std::optional<std::int64_t> batch(const Facts& facts, std::string_view key, std::string_view otherwise) {
  const auto* own = facts.value(key).integer();
  const auto* size = own != nullptr ? own : facts.value(otherwise).integer();
  return size == nullptr ? std::nullopt : std::optional(*size);
}

std::optional<std::int64_t> eval_ranks(const Facts& facts) {
  const auto* context = facts.value("dist.eval_context_parallel_size").integer();
  return data_parallel_size(facts, context == nullptr ? std::nullopt : std::optional(*context));
}

}  // namespace

Rule batch_eval() {
  return {
      .code = "BATCH-EVAL",
      .summary = "evaluation needs whole micro-batches on every data-parallel rank",
      .launchers = {Launcher::kBridge, Launcher::kMegatronLm},
      .since = Core::k0_18,
      .raises = {{Place::kBridge,
                  1474,
                  "AssertionError",
                  "eval_global_batch_size ({}) must be divisible by eval_micro_batch_size * eval_data_parallel_size ({} * {} = {})",
                  {Launcher::kBridge}},
                 {Place::kValidateArgs,
                  715,
                  "AssertionError",
                  "eval_global_batch_size ({}) must be divisible by eval_micro_batch_size ({}) * data_parallel_size ({}) * "
                  "gtp_weight_remat_size ({})",
                  {Launcher::kMegatronLm},
                  Core::kMain},
                 {Place::kValidateArgs,
                  694,
                  "AssertionError",
                  "eval_global_batch_size ({}) must be divisible by eval_micro_batch_size ({}) * data_parallel_size ({})",
                  {Launcher::kMegatronLm},
                  Core::k0_18}},
      .what =
          "eval_global_batch_size is no multiple of eval_micro_batch_size times the data-parallel size. What is not given is that of "
          "training.",
      .why =
          "The configuration is refused, also where training itself, which may build up its batch, would run. It is checked when the "
          "number of GPUs is known.",
      .remedy = "Choose another batch size for evaluation, or another number of GPUs.",
      .evidence = {"src/megatron/bridge/training/config.py",
                   "assert self.validation.eval_global_batch_size % (eval_micro_batch_size * eval_data_parallel_size) == 0"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto ranks = eval_ranks(facts);
            const auto global = batch(facts, "validation.eval_global_batch_size", "train.global_batch_size");
            const auto micro = batch(facts, "validation.eval_micro_batch_size", "train.micro_batch_size");
            if (!ranks || !global || !micro || *micro * *ranks <= 0 || *global % (*micro * *ranks) == 0) return;
            const auto text = [](std::int64_t number) { return std::to_string(number); };
            report
                .add("the global batch of evaluation, " + text(*global) + ", is no multiple of micro-batch times data-parallel ranks, " +
                     text(*micro) + " * " + text(*ranks))
                .keys({"validation.eval_global_batch_size", "validation.eval_micro_batch_size", "train.global_batch_size",
                       "train.micro_batch_size"})
                .with({text(*global), text(*micro), text(*ranks), facts.bridge() ? text(*micro * *ranks) : "1"})
                .fix(Fix::Safety::kDisplayOnly, "choose a batch size for evaluation that is a multiple of " + text(*micro * *ranks));
          },
  };
}

}  // namespace spillway::validate::rules
