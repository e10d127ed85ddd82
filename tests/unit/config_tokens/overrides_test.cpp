#include "tools/config/overrides.hpp"

#include "tests/unit/config_tokens/support.hpp"

namespace spillway::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Case {
  const char* text;
  std::vector<std::string> settings;
  std::vector<std::string> remarks;
};

class Overrides : public testing::TestWithParam<Case> {};

TEST_P(Overrides, ReadAsHydraDoes) {
  const Reading reading = read_with("bridge-overrides", GetParam().text);
  EXPECT_EQ(listed(reading.settings), GetParam().settings) << GetParam().text;
  EXPECT_EQ(listed(reading.remarks), GetParam().remarks) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Values, Overrides,
    testing::Values(
        Case{"model.cpu_offloading=True", {"model.cpu_offloading=True"}, {}},
        Case{"model.cpu_offloading=fAlse", {"model.cpu_offloading=False"}, {}},
        Case{"model.recompute_granularity=null", {"model.recompute_granularity=None"}, {}},
        Case{"model.recompute_granularity=None", {"model.recompute_granularity='None'"}, {"none-string model.recompute_granularity"}},
        Case{"model.cuda_graph_impl=none", {"model.cuda_graph_impl='none'"}, {}},
        Case{"model.cpu_offloading_num_layers=1_2", {"model.cpu_offloading_num_layers=12"}, {}},
        Case{"optimizer.lr=1e-4", {"optimizer.lr=0.0001"}, {}}, Case{"optimizer.lr=-inf", {"optimizer.lr=-inf"}, {}},
        Case{"optimizer.lr=NaN", {"optimizer.lr=nan"}, {}}, Case{"optimizer.lr=007", {"optimizer.lr='007'"}, {}},
        Case{"optimizer.optimizer=", {"optimizer.optimizer=''"}, {}},
        Case{"'optimizer.optimizer_offload_fraction=\"0.5\"'", {"optimizer.optimizer_offload_fraction='0.5'"}, {}},
        Case{"'optimizer.optimizer_cpu_offload=\"false\"'",
             {"optimizer.optimizer_cpu_offload='false'"},
             {"bool-string optimizer.optimizer_cpu_offload|false"}},
        Case{R"("checkpoint.save='it\'s here'")", {"checkpoint.save=\"it's here\""}, {}},
        Case{"'checkpoint.save=/a b/c:d'", {"checkpoint.save='/a b/c:d'"}, {}},
        Case{"model.offload_modules=[core_attn,attn_proj]", {"model.offload_modules=['core_attn', 'attn_proj']"}, {}},
        Case{"'model.pipeline_model_parallel_layout=[[a, 1], [null, true], []]'",
             {"model.pipeline_model_parallel_layout=[['a', 1], [None, True], []]"},
             {}},
        Case{"'+env_vars={A:1,B:two}'", {"env_vars.A=1", "env_vars.B='two'"}, {"add-existing env_vars|={A:1,B:two}"}},
        Case{"model.params_dtype=torch.bfloat16", {"model.params_dtype='torch.bfloat16'"}, {}},
        Case{"'model.seq_length=${dataset.seq_length}'",
             {"model.seq_length=?${dataset.seq_length}"},
             {"unresolved model.seq_length|${dataset.seq_length}|an interpolation is resolved when the run starts"}},
        Case{"model.transformer.cpu_offloading=true", {"model.cpu_offloading=True"}, {}}));

INSTANTIATE_TEST_SUITE_P(
    Keys, Overrides,
    testing::Values(Case{"model.cpu_ofloading=true", {"model.cpu_ofloading=True"}, {"unknown-key model.cpu_ofloading|=true"}},
                    Case{"++model.transformer.new_thing=1", {"model.new_thing=1"}, {"added-key model.new_thing|=1"}},
                    Case{"+model.cpu_offloading=true", {"model.cpu_offloading=True"}, {"add-existing model.cpu_offloading|=true"}},
                    Case{"++model.cpu_offloading=true", {"model.cpu_offloading=True"}, {}},
                    Case{"env_vars.NVTE_CPU_OFFLOAD_V1=1", {"env_vars.NVTE_CPU_OFFLOAD_V1=1"}, {}},
                    Case{"'~model.offload_modules'", {}, {"deleted-key model.offload_modules"}},
                    Case{"~model.offload_modules=", {}, {"deleted-key model.offload_modules||="}},
                    Case{"~model.cpu_offloading=true", {}, {"deleted-key model.cpu_offloading|true|="}},
                    Case{"=true", {"=True"}, {"unknown-key |=true"}},
                    Case{"optimizer.lr=1 optimizer.lr=2", {"optimizer.lr=1", "optimizer.lr=2"}, {"duplicate optimizer.lr"}},
                    Case{"model.transformer.cpu_offloading=true model.cpu_offloading=false",
                         {"model.cpu_offloading=True", "model.cpu_offloading=False"},
                         {"duplicate model.cpu_offloading"}},
                    Case{"+actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_cpu_offload=True data.batch=4",
                         {"optimizer.optimizer_cpu_offload=True", "data.batch=4"},
                         {}},
                    Case{"policy.megatron_cfg.optimizer.optimizer_cpu_offload=true policy.megatron_cfg.pipeline_model_parallel_size=2",
                         {"optimizer.optimizer_cpu_offload=True", "model.pipeline_model_parallel_size=2"},
                         {}},
                    Case{"PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True model.cpu_offloading=true",
                         {"env.PYTORCH_CUDA_ALLOC_CONF='expandable_segments:True'", "model.cpu_offloading=True"},
                         {}}));

const std::string kSweep = "an unbracketed comma asks for one run for each value";

INSTANTIATE_TEST_SUITE_P(
    Syntax, Overrides,
    testing::Values(
        Case{"model.offload_modules=core_attn,moe_act",
             {"model.offload_modules=?core_attn,moe_act"},
             {"list-string model.offload_modules|core_attn,moe_act", "syntax model.offload_modules=core_attn,moe_act|" + kSweep}},
        Case{"model.offload_modules=[core_attn",
             {"model.offload_modules=?[core_attn"},
             {"syntax model.offload_modules=[core_attn|a list that is not closed"}},
        Case{"optimizer.lr==0.5", {"optimizer.lr=?=0.5"}, {"syntax optimizer.lr==0.5|unexpected `=`"}},
        Case{"optimizer.optimizer_cpu_offload:true", {}, {"syntax optimizer.optimizer_cpu_offload:true|not of the form KEY=VALUE"}},
        Case{"'optimizer optimizer_cpu_offload=true'", {}, {"syntax optimizer optimizer_cpu_offload=true|not of the form KEY=VALUE"}},
        Case{"--optimizer-cpu-offload", {}, {"syntax --optimizer-cpu-offload|not of the form KEY=VALUE"}},
        Case{"'model.offload_modules=\"core_attn,moe_act\"'",
             {"model.offload_modules='core_attn,moe_act'"},
             {"list-string model.offload_modules|core_attn,moe_act"}},
        Case{"model.cpu_offloading=$FLAG",
             {"model.cpu_offloading=?$FLAG"},
             {"unresolved model.cpu_offloading|$FLAG|$FLAG is not set in this text"}},
        Case{"'model.num_layers=choice(1,2)'",
             {"model.num_layers=?choice(1,2)"},
             {"unresolved model.num_layers|choice(1,2)|Hydra computes this value"}}));

TEST(OverrideOrigins, KeepTheSpellingAndThePlace) {
  const Reading reading = read_with("bridge-overrides", "model.num_layers=4 \\\n  '++model.transformer.cpu_offloading=true'\n");
  const Setting setting = winner(reading, "model.cpu_offloading");
  EXPECT_EQ(setting.origin.spelling, "++model.transformer.cpu_offloading");
  EXPECT_EQ(place(setting.origin), "2:3");
  EXPECT_EQ(reading.launcher, Launcher::kBridge);
}

TEST(OverrideSuggestions, FindTheKeyThatWasMeant) {
  EXPECT_THAT(read_with("bridge-overrides", "model.cpu_ofloading=true").remarks.at(0).suggestions,
              testing::Contains("model.cpu_offloading"));
}

TEST(OverrideWriter, GivesTheSameSettingsBack) {
  for (const char* text :
       {"model.cpu_offloading=true optimizer.lr=1e-05 model.recompute_granularity=null",
        "'model.offload_modules=[core_attn, \"a b\", [1, 2.0], {x:null}]'", R"("checkpoint.save='it\'s \\\\ here'")",
        "'checkpoint.save=\"a\\\\\"'", "checkpoint.save=\"'true'\"", "checkpoint.save=\"'1'\"",
        "checkpoint.save=", "++env_vars.A=1 model.transformer.num_layers=4 model.num_layers=5", "A=1 B='two words' model.num_layers=inf",
        "++model.own_thing='[x]'", "+actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_cpu_offload=True"})
    expect_round_trip("bridge-overrides", text);
}

TEST(OverrideWriter, SpellsAsTheUserDid) {
  const Reading reading = read_with("bridge-overrides", "model.transformer.num_layers=4");
  EXPECT_EQ(*reader_named("bridge-overrides").write(reading.settings, {}), "model.transformer.num_layers=4\n");
  EXPECT_EQ(*reader_named("bridge-overrides").write({{"env_vars.X", 1, {}}, {"model.num_layers", 4, {}}}, {}),
            "++env_vars.X=1\nmodel.num_layers=4\n");
  EXPECT_FALSE(reader_named("bridge-overrides").write({{"model.num_layers", Unknown{"$L", "open"}, {}}}, {}).ok());
  EXPECT_FALSE(reader_named("bridge-overrides").write({{"args.save", "x", {}}}, {}).ok());
}

TEST(OverrideRecognition, LooksAtTheWords) {
  const auto sure = [](std::string_view text) { return reader_named("bridge-overrides").recognise(text); };
  for (const char* own :
       {"model.x=1", "# c\n~model.x\n", "'model.x=[a,b]' ++a.b=1", "A=1 model.x=2", "policy.a.b=c\n", "model.x=1 \\\n model.y=2"})
    EXPECT_GE(sure(own), 60) << own;
  for (const char* other : {"", "A=1\nB=2\n", "cfg.model.x = 1", "cfg.model.x=1", "model:\n  x: 1", "{\"a\": 1}", "--num-layers 4",
                            "[a]\nb.c=1", "export A=1", "python run_recipe.py model.x=1", "#!/bin/bash\nmodel.x=1 a b c d"})
    EXPECT_LT(sure(other), 20) << other;
}

TEST(OverrideDepth, HasALimit) {
  const std::string deep = "model.x=" + std::string(10'000, '[');
  EXPECT_THAT(listed(read_with("bridge-overrides", deep).remarks).back(), testing::HasSubstr("nested too deeply"));
  EXPECT_THAT(listed(read_with("bridge-overrides", "model.x=" + std::string(10'000, '{')).remarks), testing::Not(IsEmpty()));
}

}  // namespace
}  // namespace spillway::config
