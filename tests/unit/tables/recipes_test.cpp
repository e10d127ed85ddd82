#include <set>
#include <thread>

#include "tools/config/tables/tables.hpp"

// Facts named here can be looked up in NVIDIA-NeMo/Megatron-Bridge at bridge_commit(): src/megatron/bridge/recipes and perf_recipes.
namespace spillway::config::tables {
namespace {

/// The value of a key, or Unknown where the recipe has none.
Value value(const Recipe& recipe, std::string_view key) {
  for (const Setting& setting : recipe.settings)
    if (setting.key == key) return setting.value;
  return Unknown{std::string(key), "not set"};
}

/// Keys of the settings, each once.
std::set<std::string_view> keys_of(const Recipe& recipe) {
  std::set<std::string_view> keys;
  for (const Setting& setting : recipe.settings) keys.insert(setting.key);
  EXPECT_EQ(keys.size(), recipe.settings.size()) << recipe.name;
  return keys;
}

TEST(Recipes, AllResolveToKnownKeysOnceEach) {
  EXPECT_GT(recipe_names().size(), 500u);
  std::set<std::string> paths, unknown;
  for (const auto name : recipe_names()) {
    const auto recipe = find_recipe(name);
    ASSERT_TRUE(recipe) << name;
    const auto keys = keys_of(*recipe);
    for (const char* key : {"model.num_layers", "model.cpu_offloading", "optimizer.optimizer_cpu_offload", "train.global_batch_size"})
      EXPECT_TRUE(keys.contains(key)) << name << ": " << key;
    for (const Setting& setting : recipe->settings) paths.insert(setting.origin.spelling);
  }
  for (const auto& path : paths)
    if (!path.starts_with("env_vars.") && !find_key(path)) unknown.insert(path);
  // Attributes that recipes set although no class declares them.
  EXPECT_THAT(unknown, testing::IsSubsetOf({"dataset.sequence_length", "model.fp8_param_gather", "model.moe_a2a_overlap",
                                            "scheduler.max_lr", "scheduler.min_lr"}));
}

TEST(Recipes, QwenAliasIsTheSixteenGpuRecipe) {
  const auto recipe = find_recipe("qwen3_30b_a3b_pretrain_config");
  ASSERT_TRUE(recipe);
  EXPECT_EQ(recipe->name, "qwen3_30b_a3b_pretrain_16gpu_h100_bf16_config");
  EXPECT_EQ(recipe->kind, "library");
  EXPECT_EQ(recipe->gpus, 16);
  EXPECT_EQ(recipe->hf_id, "Qwen/Qwen3-30B-A3B");
  EXPECT_FALSE(recipe->builder_style);
  EXPECT_EQ(value(*recipe, "model.tensor_model_parallel_size"), Value(1));
  EXPECT_EQ(value(*recipe, "model.pipeline_model_parallel_size"), Value(1));
  EXPECT_EQ(value(*recipe, "model.expert_model_parallel_size"), Value(16));
  EXPECT_EQ(value(*recipe, "model.cuda_graph_impl"), Value("transformer_engine"));
  EXPECT_EQ(value(*recipe, "model.cuda_graph_scope"), Value(List{"moe_router", "moe_preprocess"}));
  EXPECT_EQ(value(*recipe, "model.recompute_granularity"), Value());
  EXPECT_EQ(value(*recipe, "optimizer.use_precision_aware_optimizer"), Value(true));
  EXPECT_EQ(value(*recipe, "optimizer.optimizer_offload_fraction"), Value(0.0)) << "from the class";
  EXPECT_EQ(value(*recipe, "env_vars.PYTORCH_CUDA_ALLOC_CONF"), Value("expandable_segments:True"));
  EXPECT_EQ(value(*recipe, "checkpoint.save"), Value("nemo_experiments/default/checkpoints"));
}

TEST(Recipes, OfTwoPackagesThePerfOneIsPicked) {
  const auto recipe = find_recipe("qwen3_30b_a3b_pretrain_16gpu_h100_bf16_config");
  EXPECT_EQ(recipe->kind, "perf");
  EXPECT_EQ(value(*recipe, "model.moe_router_force_load_balancing"), Value(true));
}

TEST(Recipes, EightGpuQwenRecomputesEverything) {
  EXPECT_EQ(value(*find_recipe("qwen3_30b_a3b_pretrain_8gpu_h100_bf16_config"), "model.recompute_granularity"), Value("full"));
}

TEST(Recipes, EndingMayBeLeftOut) {
  EXPECT_EQ(find_recipe("qwen3_30b_a3b_pretrain")->gpus, 16);
  EXPECT_EQ(find_recipe("llama3_8b_pretrain_8gpu_h100_bf16")->name, "llama3_8b_pretrain_8gpu_h100_bf16_config");
  EXPECT_FALSE(find_recipe("no_such_recipe"));
  EXPECT_FALSE(find_recipe(""));
}

TEST(Recipes, BuilderStyleHasCanonicalKeysAndItsOwnSpelling) {
  const auto recipe = find_recipe("llama3_8b_pretrain_8gpu_h100_fp8cs_config");
  EXPECT_TRUE(recipe->builder_style);
  const auto same = [](const Setting& setting) { return setting.key == "model.cpu_offloading"; };
  const auto found = std::find_if(recipe->settings.begin(), recipe->settings.end(), same);
  ASSERT_NE(found, recipe->settings.end());
  EXPECT_EQ(found->origin.spelling, "model.transformer.cpu_offloading");
  EXPECT_EQ(found->origin.source, -1);
  EXPECT_EQ(value(*recipe, "model.vocab_size").type_name(), "int");
}

TEST(Recipes, NamedPrecisionIsExpanded) {
  const auto recipe = find_recipe("gemma2_2b_pretrain_2gpu_h100_bf16_config");
  EXPECT_EQ(value(*recipe, "mixed_precision"), Value("bf16_mixed"));
  EXPECT_EQ(value(*recipe, "mixed_precision.bf16"), Value(true));
  EXPECT_EQ(value(*recipe, "mixed_precision.fp8_recipe"), Value("tensorwise")) << "from the class";
  EXPECT_EQ(value(*recipe, "mixed_precision.grad_reduce_in_fp32"), Value(true));
}

TEST(Recipes, NestedObjectsReplaceTheNullOfTheirParent) {
  const auto recipe = find_recipe("gemma2_2b_sft_1gpu_h100_bf16_config");
  EXPECT_TRUE(value(*recipe, "dataset.offline_packing_specs").is_unknown());
  EXPECT_FALSE(value(*recipe, "dataset.offline_packing_specs.packed_sequence_size").is_unknown());
}

TEST(Precisions, AreFoundByName) {
  EXPECT_FALSE(precision_names().empty());
  for (const auto name : precision_names()) EXPECT_EQ(find_precision(name)->size(), 31u) << name;
  Recipe made;
  made.settings = *find_precision("bf16-with-mxfp8-mixed");
  EXPECT_EQ(value(made, "mixed_precision.fp8_recipe"), Value("mxfp8"));
  EXPECT_EQ(value(made, "mixed_precision.fp8_param_gather"), Value(true));
  EXPECT_FALSE(find_precision("bf17_mixed"));
}

TEST(Recipes, SourceIsNamed) {
  EXPECT_EQ(bridge_commit(), "067f987df03b8355b03192d88d70f1709fedf51a");
  EXPECT_EQ(bridge_date(), "2026-08-22");
}

TEST(Tables, MayBeAskedFromSeveralThreads) {
  std::vector<std::thread> threads;
  for (int each = 0; each < 4; ++each)
    threads.emplace_back([] {
      EXPECT_TRUE(find_flag("--num-layers", Core::kMain, "gpt"));
      EXPECT_TRUE(find_field("model.num_layers", Core::kMain));
      EXPECT_TRUE(find_key("model.num_layers"));
      EXPECT_TRUE(find_recipe("qwen3_30b_a3b_pretrain"));
    });
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace spillway::config::tables
