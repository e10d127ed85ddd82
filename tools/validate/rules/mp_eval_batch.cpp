#include "tools/validate/layout.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {
namespace {

/// The value of the first of the keys that is set; 0 when none is.
std::int64_t first_of(const Facts& facts, std::string_view key, std::string_view otherwise) {
  return facts.is_null(key) ? facts.integer(otherwise) : facts.integer(key);
}

}  // namespace

Rule mp_eval_batch() {
  return {
      .code = "MP-EVAL-BATCH",
      .summary = "the evaluation batch does not divide among the replicas",
      .launchers = {Launcher::kMegatronLm},
      .since = Core::k0_18,
      .raises = {{.place = Place::kValidateArgs,
                  .sequence = 715,
                  .type = "AssertionError",
                  .text = "eval_global_batch_size ({}) must be divisible by eval_micro_batch_size ({}) * data_parallel_size ({})",
                  .until = Core::kBridgePin},
                 {.place = Place::kValidateArgs,
                  .sequence = 715,
                  .type = "AssertionError",
                  .text = "eval_global_batch_size ({}) must be divisible by eval_micro_batch_size ({}) * data_parallel_size ({}) * "
                          "gtp_weight_remat_size ({})",
                  .since = Core::kMain}},
      .what =
          "The world size is known and eval_global_batch_size (the global batch size unless given) is no multiple of eval_micro_batch_size "
          "(the micro batch size unless given) times the data-parallel size.",
      .why = "Megatron-LM refuses to start: each replica would get a fraction of a micro batch.",
      .remedy = "Change a batch size, or the number of processes.",
      .evidence = {"megatron/training/arguments.py",
                   "assert args.eval_global_batch_size % (args.eval_micro_batch_size * args.data_parallel_size) == 0"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto world = facts.world_size();
            if (!world || facts.is_null("train.micro_batch_size")) return;
            const auto replicas = *world / model_parallel_ranks(facts), shards = weight_shards(facts);
            const auto micro = first_of(facts, "validation.eval_micro_batch_size", "train.micro_batch_size");
            if (replicas <= 0 || micro <= 0) return;
            if (facts.is_null("validation.eval_global_batch_size") && facts.is_null("train.global_batch_size")) return;
            const auto global = first_of(facts, "validation.eval_global_batch_size", "train.global_batch_size");
            if (global % (micro * replicas * shards) == 0) return;
            report
                .add("the evaluation batch of " + std::to_string(global) + " is no multiple of the micro batch " + std::to_string(micro) +
                     " times " + std::to_string(replicas * shards) + " data-parallel replicas")
                .keys({"validation.eval_global_batch_size", "train.global_batch_size", "validation.eval_micro_batch_size",
                       "train.micro_batch_size"})
                .with({std::to_string(global), std::to_string(micro), std::to_string(replicas), std::to_string(shards)});
          },
  };
}

}  // namespace spillway::validate::rules
