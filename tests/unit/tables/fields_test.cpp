#include <limits>
#include <set>

#include "tools/config/tables/literal.hpp"
#include "tools/config/tables/tables.hpp"

// Facts named here can be looked up in megatron/core at the commits of version.cpp, and in Megatron-Bridge at bridge_commit().
namespace spillway::config::tables {
namespace {

Field field(std::string_view key, Core core = Core::kMain) {
  const auto found = find_field(key, core);
  EXPECT_TRUE(found) << key;
  return found.value_or(Field{});
}

TEST(Literal, ReadsEachKind) {
  EXPECT_TRUE(literal("null").is_null());
  EXPECT_EQ(literal("true"), Value(true));
  EXPECT_EQ(literal("-3"), Value(-3));
  EXPECT_EQ(literal("4294967296"), Value(std::int64_t{4294967296}));
  EXPECT_EQ(literal("1.0"), Value(1.0));
  EXPECT_EQ(literal("1e-05"), Value(1e-5));
  EXPECT_EQ(literal("-Infinity"), Value(-std::numeric_limits<double>::infinity()));
  EXPECT_EQ(literal(R"("a \"b\"\n\\")"), Value("a \"b\"\n\\"));
  EXPECT_EQ(literal(R"([[1,"x"],[],{}])"), Value(List{List{1, "x"}, List{}, Map{}}));
  EXPECT_EQ(literal(R"({"a":{"b":null},"c":0.5})"), Value(Map{{"a", Map{{"b", Null{}}}}, {"c", 0.5}}));
}

TEST(Literal, EndsOnBrokenText) {
  for (const std::string_view text : {"", "[", "[1", "[}", "{\"a\"", "\"open", "\"\\", "nonsense", "]"}) (void)literal(text);
}

TEST(Fields, EveryOneIsFound) {
  for (const Core core : {Core::k0_15, Core::k0_17, Core::kBridgePin, Core::kMain})
    for (const std::string_view section : {"model", "optimizer", "ddp"}) {
      const auto keys = field_keys(section, core);
      EXPECT_GE(keys.size(), 25u);
      EXPECT_EQ(std::set<std::string_view>(keys.begin(), keys.end()).size(), keys.size());
      for (const auto key : keys) {
        EXPECT_TRUE(key.starts_with(section));
        EXPECT_FALSE(field(key, core).type.empty()) << key;
      }
    }
}

TEST(Fields, Defaults) {
  EXPECT_EQ(field("optimizer.optimizer_offload_fraction").fallback, Value(0.0)) << "the command line says 1.0";
  EXPECT_EQ(field("optimizer.grad_norm_skip_threshold").fallback, Value(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(field("optimizer.exp_avg_dtype").fallback, Value("torch.float32"));
  EXPECT_EQ(field("model.cpu_offloading_activations").fallback, Value(true));
  EXPECT_EQ(field("model.offload_modules").fallback, Value(List{}));
  EXPECT_EQ(field("model.min_offloaded_tensor_size").fallback, Value(1048576));
  EXPECT_EQ(field("model.cuda_graph_modules").fallback, Value("full"));
  EXPECT_EQ(field("ddp.data_parallel_sharding_strategy").fallback, Value("no_shard"));
  EXPECT_TRUE(field("model.recompute_granularity").fallback.is_null());
}

TEST(Fields, FollowTheVersion) {
  EXPECT_EQ(field("model.moe_deepep_num_sms", Core::k0_18).fallback, Value(20));
  EXPECT_TRUE(field("model.moe_deepep_num_sms", Core::k0_19).fallback.is_null());
  EXPECT_EQ(field("optimizer.muon_tp_mode", Core::kBridgePin).fallback, Value("blockwise"));
  EXPECT_EQ(field("optimizer.muon_tp_mode").fallback, Value("duplicated"));
  EXPECT_EQ(field("model.cuda_graph_scope", Core::k0_17).fallback, Value("full"));
  EXPECT_TRUE(field("model.cuda_graph_scope", Core::k0_18).fallback.is_null());
  EXPECT_FALSE(find_field("model.cuda_graph_modules", Core::k0_17));
  EXPECT_FALSE(find_field("model.no_such_field", Core::kMain));
}

TEST(Fields, OfSeveralClassesComeFromTheGeneralOne) {
  EXPECT_EQ(field("model.normalization").fallback, Value("LayerNorm"));
  EXPECT_EQ(field("model.kv_lora_rank").owner, "MLATransformerConfig");
  EXPECT_EQ(field("optimizer.optimizer").fallback, Value("adam"));
}

TEST(Keys, EveryOneIsFoundOnce) {
  const auto paths = key_paths();
  EXPECT_GT(paths.size(), 1000u);
  EXPECT_TRUE(std::is_sorted(paths.begin(), paths.end()));
  EXPECT_EQ(std::adjacent_find(paths.begin(), paths.end()), paths.end());
  for (const auto path : paths) {
    ASSERT_TRUE(find_key(path)) << path;
    EXPECT_FALSE(path.starts_with("model.transformer.")) << path;
  }
}

TEST(Keys, BuilderStyleIsTheSameKey) {
  EXPECT_EQ(find_key("model.transformer.cpu_offloading")->path, "model.cpu_offloading");
  EXPECT_FALSE(find_key("model.transformer.vocab_size")) << "belongs to the model, not to its transformer";
  EXPECT_TRUE(find_key("model.vocab_size"));
  EXPECT_FALSE(find_key("model.transformer.transformer.bf16"));
}

TEST(Keys, KnowWhatTheyAre) {
  EXPECT_TRUE(find_key("optimizer")->section);
  EXPECT_TRUE(find_key("optimizer")->required);
  EXPECT_FALSE(find_key("optimizer.optimizer_cpu_offload")->section);
  EXPECT_EQ(find_key("optimizer.optimizer_offload_fraction")->fallback, Value(0.0));
  EXPECT_FALSE(find_key("peft.dim")->overridable);
  EXPECT_TRUE(find_key("straggler.log_straggler")->rare);
  EXPECT_TRUE(find_key("env_vars")->section);
  EXPECT_FALSE(find_key("optimizer.optimizer_cpu_ofload"));
  EXPECT_FALSE(find_key(""));
}

TEST(RecipeOptions, SayWhatTheyWrite) {
  EXPECT_THAT(find_recipe_option("-tp")->writes, testing::ElementsAre("model.tensor_model_parallel_size"));
  EXPECT_THAT(find_recipe_option("--seq_length")->writes, testing::ElementsAre("dataset.seq_length", "model.seq_length"));
  EXPECT_EQ(find_recipe_option("-tp")->type, Flag::Type::kInt);
  EXPECT_TRUE(find_recipe_option("--recipe")->writes.empty());
  EXPECT_THAT(find_recipe_option("--mode")->choices, testing::Contains("lora"));
  EXPECT_FALSE(find_recipe_option("--dry_run")->takes_value);
  EXPECT_FALSE(find_recipe_option("--optimizer-cpu-offload"));
  for (const auto name : recipe_option_names()) EXPECT_TRUE(find_recipe_option(name)) << name;
}

TEST(RecipeOptions, WriteKeysThatExist) {
  for (const auto name : recipe_option_names()) {
    const auto option = find_recipe_option(name);
    for (const auto key : option->writes) EXPECT_TRUE(find_key(key)) << name;
  }
}

}  // namespace
}  // namespace spillway::config::tables
