#include <set>

#include "tools/config/tables/tables.hpp"

// Facts named here can be looked up in NVIDIA/Megatron-LM, megatron/training/arguments.py, at the commits of version.cpp.
namespace spillway::config::tables {
namespace {

constexpr Core kAllCores[] = {Core::k0_15, Core::k0_16, Core::k0_17, Core::k0_18, Core::k0_19, Core::kBridgePin, Core::kMain, Core::kDev};
constexpr std::string_view kScripts[] = {"gpt", "hybrid", "flex", "t5", "bert", "rl", "vlm", "mimo", "inf", "static", "offline"};

Flag flag(std::string_view spelling, Core core = Core::kMain, std::string_view script = "gpt") {
  const auto found = find_flag(spelling, core, script);
  EXPECT_TRUE(found) << spelling;
  return found.value_or(Flag{});
}

TEST(Flags, EverySpellingIsFoundAndWritesAKey) {
  for (const Core core : kAllCores)
    for (const auto script : kScripts)
      for (const auto name : flag_names(core, script)) {
        const auto found = find_flag(name, core, script);
        ASSERT_TRUE(found) << name;
        EXPECT_NE(found->key.find('.'), std::string_view::npos) << name;
        EXPECT_FALSE(found->dest.empty()) << name;
        EXPECT_TRUE(find_flag_of_key(found->key, core, script)) << name;
      }
}

TEST(Flags, OneSpellingMeansOneOption) {
  for (const Core core : kAllCores) {
    const auto names = flag_names(core, "hybrid");
    EXPECT_EQ(std::set<std::string_view>(names.begin(), names.end()).size(), names.size()) << profile(core).name;
    EXPECT_GT(names.size(), 500u);
  }
}

TEST(Flags, OptimizerOffload) {
  EXPECT_EQ(flag("--optimizer-offload-fraction").fallback, Value(1.0)) << "the dataclass says 0.0";
  EXPECT_EQ(flag("--optimizer-offload-fraction").type, Flag::Type::kFloat);
  EXPECT_EQ(flag("--optimizer-cpu-offload").key, "optimizer.optimizer_cpu_offload");
  EXPECT_EQ(flag("--optimizer-cpu-offload").constant, Value(true));
  EXPECT_EQ(flag("--optimizer-cpu-offload").nargs, "0");
  EXPECT_EQ(flag("--no-pin-cpu-grads").key, "optimizer.pin_cpu_grads");
  EXPECT_EQ(flag("--no-pin-cpu-grads").action, Flag::Action::kStoreFalse);
  EXPECT_EQ(flag("--no-pin-cpu-grads").constant, Value(false));
  EXPECT_EQ(flag("--no-pin-cpu-grads").fallback, Value(true));
}

TEST(Flags, ActivationOffload) {
  EXPECT_FALSE(find_flag("--cpu-offloading", Core::kMain, "gpt")) << "the layer count switches it on";
  EXPECT_FALSE(find_flag_of_key("model.cpu_offloading", Core::kMain, "gpt"));
  EXPECT_EQ(flag("--cpu-offloading-num-layers").key, "model.cpu_offloading_num_layers");
  EXPECT_EQ(flag("--cpu-offloading-num-layers").fallback, Value(0));
  EXPECT_EQ(flag("--offload-modules").nargs, "+");
  EXPECT_EQ(flag("--offload-modules").fallback, Value(List{}));
  EXPECT_FALSE(find_flag("--activation-offload-fraction", Core::k0_18, "gpt"));
  EXPECT_TRUE(find_flag("--activation-offload-fraction", Core::k0_19, "gpt"));
  EXPECT_FALSE(find_flag("--offload-optimizer-states", Core::kMain, "gpt")) << "a flag of the dev branch";
  EXPECT_TRUE(find_flag("--offload-optimizer-states", Core::kDev, "gpt"));
  EXPECT_TRUE(find_flag("--optimizer-cpu-offload", Core::kDev, "gpt")) << "dev has what main has";
}

TEST(Flags, AbbreviationsAndUnderscoresAreNoSpellings) {
  EXPECT_FALSE(find_flag("--optimizer_cpu_offload", Core::kMain, "gpt"));
  EXPECT_FALSE(find_flag("--optimizer-cpu", Core::kMain, "gpt"));
  EXPECT_FALSE(find_flag("", Core::kMain, "gpt"));
}

TEST(Flags, ChoicesFollowTheVersion) {
  using testing::ElementsAre;
  EXPECT_THAT(flag("--recompute-granularity").choices, ElementsAre("full", "selective"));
  EXPECT_THAT(flag("--cuda-graph-impl").choices, ElementsAre("none", "local", "transformer_engine", "full_iteration"));
  EXPECT_THAT(flag("--cuda-graph-impl", Core::k0_17).choices, ElementsAre("none", "local", "transformer_engine"));
  EXPECT_THAT(flag("--ckpt-format", Core::k0_15).choices, testing::Contains("zarr"));
  EXPECT_THAT(flag("--megatron-fsdp-version").choices, ElementsAre("1", "2"));
}

TEST(Flags, ComeAndGoWithVersionsAndScripts) {
  for (const auto name : flag_names(Core::k0_17, "gpt")) EXPECT_EQ(name.find("gdp"), std::string_view::npos) << name;
  EXPECT_FALSE(find_flag("--megatron-fsdp-version", Core::k0_19, "gpt"));
  EXPECT_TRUE(find_flag("--megatron-fsdp-version", Core::kBridgePin, "gpt"));
  EXPECT_FALSE(find_flag("--freeze-LM", Core::kMain, "gpt"));
  EXPECT_TRUE(find_flag("--freeze-LM", Core::kMain, "vlm"));
  EXPECT_TRUE(find_flag("--export-te-mcore-model", Core::kMain, "mamba")) << "the hybrid script's former name";
  EXPECT_TRUE(find_flag("--num-layers", Core::kMain, "no-such-script")) << "common options";
}

TEST(Flags, NegativePairsAreDistinguished) {
  const Flag yes = flag("--rl-skip-bos-token");
  EXPECT_EQ(yes.action, Flag::Action::kStoreTrue);
  EXPECT_EQ(yes.constant, Value(true));
  const Flag no = flag("--no-rl-skip-bos-token");
  EXPECT_EQ(no.key, yes.key);
  EXPECT_EQ(no.flag, "--no-rl-skip-bos-token");
  EXPECT_EQ(no.action, Flag::Action::kStoreFalse);
  EXPECT_EQ(no.constant, Value(false));
}

TEST(Flags, AliasesLeadToTheMainSpelling) {
  EXPECT_EQ(flag("--persistent-save-interval").flag, "--save-interval");
  EXPECT_EQ(flag("--disable-fp8-wgrad").constant, Value(false));
  EXPECT_FALSE(find_flag("--disable-fp8-wgrad", Core::k0_15, "gpt"));
}

TEST(Flags, SwitchesThatSayNoStoreFalse) {
  EXPECT_EQ(flag("--no-load-optim").key, "checkpoint.load_optim");
  EXPECT_EQ(flag("--no-load-optim").constant, Value(false));
  EXPECT_EQ(flag("--no-load-optim").fallback, Value(true));
  EXPECT_EQ(flag("--no-load-optim").dest, "no_load_optim");
  EXPECT_EQ(flag("--disable-mamba-mem-eff-path", Core::k0_15).constant, Value(false));
}

TEST(Flags, CanonicalKeys) {
  const std::pair<std::string_view, std::string_view> expected[] = {
      {"--num-experts", "model.num_moe_experts"},
      {"--fp8-format", "model.fp8"},
      {"--cuda-graph-scope", "model.cuda_graph_scope"},
      {"--no-check-for-nan-in-loss-and-grad", "rerun_state_machine.check_for_nan_in_loss"},
      {"--untie-embeddings-and-output-weights", "args.untie_embeddings_and_output_weights"},
      {"--use-torch-fsdp2", "dist.use_torch_fsdp2"},
      {"--use-megatron-fsdp", "ddp.use_megatron_fsdp"},
      {"--data-parallel-sharding-strategy", "ddp.data_parallel_sharding_strategy"},
      {"--ckpt-format", "checkpoint.ckpt_format"},
      {"--dist-ckpt-optim-fully-reshardable", "checkpoint.dist_ckpt_optim_fully_reshardable"},
      {"--load", "checkpoint.load"},
      {"--micro-batch-size", "train.micro_batch_size"},
      {"--global-batch-size", "train.global_batch_size"},
      {"--train-iters", "train.train_iters"},
      {"--seq-length", "model.seq_length"},
      {"--te-rng-tracker", "rng.te_rng_tracker"},
      {"--recompute-activations", "args.recompute_activations"},
      {"--use-distributed-optimizer", "optimizer.use_distributed_optimizer"},
      {"--bf16", "model.bf16"},
      {"--eval-iters", "validation.eval_iters"},
      {"--lr-warmup-iters", "scheduler.lr_warmup_iters"},
      {"--seed", "rng.seed"},
  };
  for (const auto& [spelling, key] : expected) EXPECT_EQ(flag(spelling).key, key);
  EXPECT_EQ(flag("--cuda-graph-scope", Core::k0_16).key, "model.cuda_graph_scope") << "another dest there";
}

TEST(Flags, OfKeyPrefersTheYes) {
  EXPECT_EQ(find_flag_of_key("model.yarn_correction_range_round_to_int", Core::kMain, "gpt")->flag, "--yarn-correction-range-round-to-int");
  EXPECT_EQ(find_flag_of_key("optimizer.pin_cpu_grads", Core::kMain, "gpt")->flag, "--no-pin-cpu-grads");
  EXPECT_FALSE(find_flag_of_key("optimizer.decoupled_weight_decay", Core::kMain, "gpt"));
}

}  // namespace
}  // namespace spillway::config::tables
