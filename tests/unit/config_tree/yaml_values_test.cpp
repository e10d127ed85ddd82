#include "support.hpp"

#include "tools/config/scalars.hpp"

namespace spillway::config {
namespace {

TEST(PlainScalars, MeanWhatTheLoadersMakeOfThem) {
  const std::vector<std::pair<std::string, Value>> cases = {
      {"", Null{}},
      {"~", Null{}},
      {"null", Null{}},
      {"Null", Null{}},
      {"true", true},
      {"True", true},
      {"TRUE", true},
      {"false", false},
      {"tRue", "tRue"},
      {"yes", "yes"},
      {"12", 12},
      {"-7", -7},
      {"+7", 7},
      {"0", 0},
      {"0x1F", 31},
      {"0b101", 5},
      {"0o17", "0o17"},
      {"017", 15},
      {"08", "08"},
      {"1_000_000", 1'000'000},
      {"1.5", 1.5},
      {".5", 0.5},
      {"5.", 5.0},
      {"1e-4", 1e-4},
      {"1E5", 1e5},
      {"1.0e+3", 1000.0},
      {"-1.5", -1.5},
      {"1e", "1e"},
      {".", "."},
      {"-", "-"},
      {"1.2.3", "1.2.3"},
      {"0.17", 0.17},
      {"e5", "e5"},
      {"_1", "_1"},
      {"0x", "0x"},
      {"9223372036854775807", std::int64_t{9223372036854775807}},
      {"9223372036854775808", 9223372036854775808.0},
      {"-9223372036854775808", std::numeric_limits<std::int64_t>::min()},
      {"2024-01-01", "2024-01-01"},
      {"12:30", "12:30"},
      {":4096:8", ":4096:8"},
      {"949,50,1", "949,50,1"},
      {"None", "None"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(resolve_plain(text), expected) << text;
  EXPECT_EQ(resolve_plain(".inf").repr(), "inf");
  EXPECT_EQ(resolve_plain("-.Inf").repr(), "-inf");
  EXPECT_EQ(resolve_plain(".nan").repr(), "nan");
}

TEST(WrittenScalars, ReadBackAsTheyWere) {
  const std::vector<Value> values = {Null{},
                                     true,
                                     false,
                                     0,
                                     -5,
                                     1e-5,
                                     1e16,
                                     0.1,
                                     1e300,
                                     5e-324,
                                     std::numeric_limits<double>::infinity(),
                                     "",
                                     "plain",
                                     "two words",
                                     "true",
                                     "yes",
                                     "null",
                                     "~",
                                     "12",
                                     "1e5",
                                     "0x1F",
                                     "a: b",
                                     "a #b",
                                     "- a",
                                     "it's",
                                     "\"quoted\"",
                                     "tab\there",
                                     "line\nbreak",
                                     "\x01\x7F",
                                     "grün",
                                     "[a]",
                                     "{a}",
                                     "*a",
                                     "&a",
                                     "!a",
                                     "%a",
                                     "@a",
                                     "`a",
                                     "?",
                                     ":",
                                     "-",
                                     "...",
                                     "---",
                                     "<<",
                                     "=",
                                     " lead",
                                     "trail ",
                                     "\\n",
                                     List{},
                                     Map{},
                                     List{1, "a, b", List{"c"}},
                                     Map{{"a b", 1}, {"", List{Null{}}}}};
  for (const auto& given : values) {
    const auto text = yaml_text(given);
    ASSERT_TRUE(text.has_value());
    const Reading reading = read("bridge-yaml", "dataset:\n  dataset_kwargs:\n    x: " + *text + "\n");
    const Value whole = value(reading, "dataset.dataset_kwargs");
    ASSERT_NE(whole.find("x"), nullptr) << *text;
    EXPECT_EQ(whole.find("x")->repr(), given.repr()) << *text;
  }
}

TEST(BridgeYaml, NestedModelAndForeignPathsBecomeCanonicalKeys) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"model:\n  transformer:\n    cpu_offloading: true\n", "model.cpu_offloading"},
      {"model:\n  activations_checkpoint_granularity: full\n", "model.recompute_granularity"},
      {"policy:\n  megatron_cfg:\n    optimizer:\n      optimizer_cpu_offload: true\n", "optimizer.optimizer_cpu_offload"},
      {"policy:\n  megatron_cfg:\n    pipeline_model_parallel_size: 2\n", "model.pipeline_model_parallel_size"},
      {"actor_rollout_ref:\n  actor:\n    optim:\n      override_optimizer_config:\n        optimizer_cpu_offload: true\n",
       "optimizer.optimizer_cpu_offload"},
      {"actor_rollout_ref:\n  actor:\n    megatron:\n      override_transformer_config:\n        recompute_granularity: full\n",
       "model.recompute_granularity"},
      {"trainer:\n  policy:\n    megatron_config:\n      optimizer_config_kwargs:\n        optimizer_cpu_offload: true\n",
       "optimizer.optimizer_cpu_offload"},
      {"optim:\n  config:\n    optimizer_cpu_offload: true\n", "optimizer.optimizer_cpu_offload"},
  };
  for (const auto& [text, key] : cases) {
    const Reading reading = read("bridge-yaml", text);
    ASSERT_NE(find(reading, key), nullptr) << text;
    EXPECT_TRUE(reading.remarks.empty()) << text << reading.remarks.front().subject;
  }
  const Reading nested = read("bridge-yaml", cases[0].first);
  EXPECT_EQ(origin(nested, "model.cpu_offloading"), "3:5 model.transformer.cpu_offloading");
  EXPECT_EQ(nested.launcher, Launcher::kBridge);
  EXPECT_EQ(read("bridge-yaml", cases[1].first).launcher, Launcher::kMegatronCore);
  EXPECT_EQ(read("bridge-yaml", cases[2].first).launcher, Launcher::kBridge);
  EXPECT_EQ(read("bridge-yaml", cases[4].first).launcher, Launcher::kMegatronCore);
}

TEST(BridgeYaml, OdditiesBecomeRemarks) {
  const Reading reading = read("bridge-yaml",
                               "model:\n"
                               "  cpu_offloading: 'false'\n"
                               "  recompute_granularity: None\n"
                               "  sequence_parallel: yes\n"
                               "  offload_modules: core_attn,moe_act\n"
                               "  num_layers: !custom 4\n"
                               "  cpu_ofloading_num_layers: 3\n"
                               "  num_layers: 6\n"
                               "optimzer:\n"
                               "  lr: 1\n");
  using Kind = Remark::Kind;
  const auto seen = [&](Kind kind, std::string_view subject, std::string_view detail, int line, int column) {
    for (const auto& found : reading.remarks)
      if (found.kind == kind && found.subject == subject && found.detail == detail && found.origin.line == line &&
          found.origin.column == column)
        return true;
    return false;
  };
  EXPECT_TRUE(seen(Kind::kBoolString, "model.cpu_offloading", "false", 2, 3));
  EXPECT_TRUE(seen(Kind::kNoneString, "model.recompute_granularity", "", 3, 3));
  EXPECT_TRUE(seen(Kind::kYaml11Bool, "model.sequence_parallel", "yes", 4, 3));
  EXPECT_TRUE(seen(Kind::kListString, "model.offload_modules", "core_attn,moe_act", 5, 3));
  EXPECT_TRUE(seen(Kind::kUnknownKey, "model.cpu_ofloading_num_layers", "", 7, 3));
  EXPECT_TRUE(seen(Kind::kDuplicate, "model.num_layers", "", 8, 3));
  EXPECT_TRUE(seen(Kind::kUnknownKey, "optimzer", "", 9, 1));
  EXPECT_EQ(reading.remarks.size(), 7u) << "one word for a whole unknown section, none for the value that lost";
  EXPECT_EQ(value(reading, "model.num_layers"), Value(6));
  EXPECT_EQ(value(reading, "model.sequence_parallel"), Value(true)) << "OmegaConf's loader takes it for a boolean";
  const Remark* unknown = remark(reading, Kind::kUnknownKey);
  EXPECT_THAT(unknown->suggestions, testing::Contains("model.cpu_offloading_num_layers"));
  EXPECT_EQ(remark(read("bridge-yaml", "model: {num_layers: !custom 4}\n"), Kind::kUnknownTag)->detail, "!custom");
}

TEST(BridgeYaml, EnvironmentAndSectionsThatAreNone) {
  const Reading reading =
      read("bridge-yaml", "env_vars:\n  NVTE_CPU_OFFLOAD_V1: '1'\nmixed_precision: bf16_mixed\ncomm_overlap:\nenv:\n  A: 1\n");
  EXPECT_EQ(value(reading, "env_vars.NVTE_CPU_OFFLOAD_V1"), Value("1"));
  EXPECT_EQ(value(reading, "mixed_precision"), Value("bf16_mixed"));
  EXPECT_EQ(value(reading, "comm_overlap"), Value(Null{}));
  EXPECT_EQ(find(reading, "env.A"), nullptr) << "only env_vars reaches the process";
  EXPECT_EQ(remark(reading, Remark::Kind::kUnknownKey)->subject, "env");
}

TEST(BridgeYaml, ReferencesResolveWithinTheFile) {
  const Reading reading = read(
      "bridge-yaml",
      "base:\n  layers: 24\n  root: /data\n"
      "model:\n  num_layers: ${base.layers}\n  seq_length: ${.num_layers}\n  hidden_size: ${..base.layers}\n"
      "  cpu_offloading_num_layers: ${sum:${.num_layers},-1}\n  kv_channels: ${nowhere.at_all}\n  ffn_hidden_size: ${.ffn_hidden_size}\n"
      "checkpoint:\n  save: ${base.root}/out-${base.layers}\n  load: ${model}\n");
  EXPECT_EQ(value(reading, "model.num_layers"), Value(24));
  EXPECT_EQ(value(reading, "model.seq_length"), Value(24));
  EXPECT_EQ(value(reading, "model.hidden_size"), Value(24));
  EXPECT_EQ(value(reading, "checkpoint.save"), Value("/data/out-24"));
  for (const std::string_view key : {"model.cpu_offloading_num_layers", "model.kv_channels", "model.ffn_hidden_size", "checkpoint.load"})
    EXPECT_TRUE(value(reading, key).is_unknown()) << key;
  const auto count = std::count_if(reading.remarks.begin(), reading.remarks.end(),
                                   [](const Remark& found) { return found.kind == Remark::Kind::kUnresolved; });
  EXPECT_EQ(count, 4);
  EXPECT_EQ(value(reading, "model.kv_channels").unknown()->reason, "the key nowhere.at_all is not in this file");
}

TEST(BridgeYaml, AnchorsAndMergesKeepThePlaceOfTheValue) {
  const Reading reading = read("bridge-yaml",
                               "model: &base\n  num_layers: 4\n  hidden_size: 64\n"
                               "optimizer:\n  lr: &rate 0.1\n  min_lr: *rate\n"
                               "peft:\n  <<: *base\n  num_layers: 5\n");
  EXPECT_EQ(value(reading, "optimizer.min_lr"), Value(0.1));
  EXPECT_EQ(value(reading, "peft.num_layers"), Value(5));
  EXPECT_EQ(origin(reading, "peft.hidden_size"), "3:3 peft.hidden_size");
  EXPECT_EQ(remark(reading, Remark::Kind::kDuplicate), nullptr);
}

TEST(BridgeDump, PythonThingsBecomeValues) {
  const Reading reading =
      read("bridge-dump",
           "_target_: megatron.bridge.training.config.ConfigContainer\n"
           "model:\n"
           "  _target_: some.module.TinyProvider\n"
           "  params_dtype:\n    _call_: false\n    _target_: torch.bfloat16\n"
           "  attention_backend:\n    _args_:\n    - 2\n    _call_: true\n    _name_: flash\n    _target_: "
           "megatron.core.transformer.enums.AttnBackend\n"
           "  init_method:\n    _args_: []\n    _partial_: true\n    _target_: torch.nn.init.normal_\n    std: 0.02\n"
           "  cuda_graph_modules:\n  - _args_:\n    - 1\n    _call_: true\n    _name_: attn\n    _target_: a.b.CudaGraphModule\n"
           "  offload_modules: null\n"
           "peft:\n  _target_: a.LoRA\n  params_to_save: !!set {a: null}\n");
  EXPECT_EQ(value(reading, "_target_"), Value("megatron.bridge.training.config.ConfigContainer"));
  EXPECT_EQ(value(reading, "model._target_"), Value("some.module.TinyProvider"));
  EXPECT_EQ(value(reading, "model.params_dtype"), Value("torch.bfloat16"));
  EXPECT_EQ(origin(reading, "model.params_dtype"), "4:3 model.params_dtype");
  EXPECT_EQ(value(reading, "model.attention_backend"), Value("flash"));
  EXPECT_EQ(value(reading, "model.init_method"), Value("torch.nn.init.normal_"));
  EXPECT_EQ(value(reading, "model.cuda_graph_modules"), Value(List{"attn"}));
  EXPECT_EQ(value(reading, "model.offload_modules"), Value(Null{}));
  EXPECT_EQ(value(reading, "peft.params_to_save"), Value(List{"a"}));
  EXPECT_TRUE(reading.remarks.empty());
}

}  // namespace
}  // namespace spillway::config
