#include "tools/config/arguments.hpp"

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

class ArgumentList : public testing::TestWithParam<Case> {};

TEST_P(ArgumentList, ReadsAsArgparseDoes) {
  const Reading reading = read_with("megatron-arguments", GetParam().text);
  EXPECT_EQ(listed(reading.settings), GetParam().settings) << GetParam().text;
  EXPECT_EQ(listed(reading.remarks), GetParam().remarks) << GetParam().text;
}

const std::string kFraction = "optimizer.optimizer_offload_fraction";

INSTANTIATE_TEST_SUITE_P(
    Values, ArgumentList,
    testing::Values(
        Case{"--num-layers 24 --bf16", {"model.num_layers=24", "model.bf16=True"}, {}},
        Case{"--num-layers=1_000", {"model.num_layers=1000"}, {}}, Case{"--num-layers ' 5 '", {"model.num_layers=5"}, {}},
        Case{"--optimizer-offload-fraction 1", {kFraction + "=1.0"}, {}},
        Case{"--optimizer-offload-fraction nan", {kFraction + "=nan"}, {}},
        Case{"--optimizer-offload-fraction 1e-1", {kFraction + "=0.1"}, {}},
        Case{"--optimizer-offload-fraction -0.5", {kFraction + "=-0.5"}, {}},
        Case{"--offload-modules core_attn attn_proj --bf16", {"model.offload_modules=['core_attn', 'attn_proj']", "model.bf16=True"}, {}},
        Case{"--offload-modules=core_attn", {"model.offload_modules=['core_attn']"}, {}},
        Case{"--recompute-granularity selective", {"model.recompute_granularity='selective'"}, {}},
        Case{"--no-pin-cpu-grads", {"optimizer.pin_cpu_grads=False"}, {}},
        Case{"--moe-layer-freq ([0]*1+[1]*3)", {"model.moe_layer_freq=[0, 1, 1, 1]"}, {}},
        Case{"--cuda-graph-modules attn,mlp", {"model.cuda_graph_modules=['attn,mlp']"}, {}},
        Case{"--num-layers 2 \\\n  # comment --bf16\n  --fp16", {"model.num_layers=2", "model.fp16=True"}, {}},
        Case{"--num-layers 2 --num-layers 4", {"model.num_layers=2", "model.num_layers=4"}, {"duplicate model.num_layers"}}));

INSTANTIATE_TEST_SUITE_P(
    Complaints, ArgumentList,
    testing::Values(
        Case{"--cpu-offloading", {}, {"unknown-flag --cpu-offloading"}},
        Case{"--cpu-offload-num-layers 2 3", {}, {"unknown-flag --cpu-offload-num-layers|2 3"}},
        Case{"--what=3", {}, {"unknown-flag --what|=3"}}, Case{"-optimizer-cpu-offload", {}, {"unknown-flag -optimizer-cpu-offload"}},
        Case{"--optimizer-cpu-offload true", {"optimizer.optimizer_cpu_offload=True"}, {"flag-value --optimizer-cpu-offload|true"}},
        Case{"--optimizer-cpu-offload=true", {"optimizer.optimizer_cpu_offload=True"}, {"flag-value --optimizer-cpu-offload|true|="}},
        Case{"--num-layers 2 extra", {"model.num_layers=2"}, {"unknown-flag extra"}},
        Case{"extra --bf16", {"model.bf16=True"}, {"unknown-flag extra"}},
        Case{"--optimizer-offload-fraction", {}, {"missing-value --optimizer-offload-fraction|one argument"}},
        Case{"--optimizer-offload-fraction -1e-3", {}, {"missing-value --optimizer-offload-fraction|one argument", "unknown-flag -1e-3"}},
        Case{"--offload-modules --bf16", {"model.bf16=True"}, {"missing-value --offload-modules|at least one argument"}},
        Case{
            "--cpu-offloading-num-layers 2.5", {"model.cpu_offloading_num_layers=?2.5"}, {"bad-value --cpu-offloading-num-layers|2.5|int"}},
        Case{"--cpu-offloading-num-layers ''", {"model.cpu_offloading_num_layers=?"}, {"bad-value --cpu-offloading-num-layers||int"}},
        Case{"--optimizer-offload-fraction half", {kFraction + "=?half"}, {"bad-value --optimizer-offload-fraction|half|float"}},
        Case{"--recompute-granularity none",
             {"model.recompute_granularity=?none"},
             {"bad-choice --recompute-granularity|none|full, selective"}},
        Case{"--num-layers $LAYERS --bf16 $MORE",
             {"model.num_layers=?$LAYERS", "model.bf16=True"},
             {"unresolved model.num_layers|$LAYERS|$LAYERS is not set in this text",
              "open-words $MORE|$MORE|$MORE is not set in this text"}},
        Case{"--offload-modules core_attn $MORE",
             {"model.offload_modules=?core_attn $MORE"},
             {"unresolved model.offload_modules|core_attn $MORE|$MORE is not set in this text"}},
        Case{"-- --bf16", {}, {"unknown-flag --", "unknown-flag --bf16"}}));

TEST(ArgumentListOrder, WhatStopsComesBeforeWhatIsReportedAtTheEnd) {
  const Reading reading = read_with("megatron-arguments", "--oops --num-layers two --bf16 yes --recompute-granularity half --bf16");
  EXPECT_THAT(listed(reading.remarks),
              ElementsAre("bad-value --num-layers|two|int", "bad-choice --recompute-granularity|half|full, selective",
                          "unknown-flag --oops", "flag-value --bf16|yes", "duplicate model.bf16"));
  EXPECT_TRUE(stops_parsing(reading.remarks[0]));
  EXPECT_FALSE(stops_parsing(reading.remarks[2]));
}

TEST(ArgumentListSuggestions, FindTheOptionThatWasMeant) {
  const auto suggested = [](const char* text) { return read_with("megatron-arguments", text).remarks.at(0).suggestions; };
  EXPECT_EQ(suggested("--optimizer_cpu_offload").at(0), "--optimizer-cpu-offload");
  EXPECT_EQ(suggested("--Optimizer-cpu-offload").at(0), "--optimizer-cpu-offload");
  EXPECT_EQ(suggested("-optimizer-cpu-offload").at(0), "--optimizer-cpu-offload");
  EXPECT_THAT(suggested("--optimizer-offload-frac"), testing::Contains("--optimizer-offload-fraction"));
  EXPECT_THAT(suggested("--cpu-offloading"), testing::Contains("--cpu-offloading-num-layers"));
  EXPECT_THAT(suggested("--xyzzy"), IsEmpty());
}

TEST(ArgumentListPlaces, PointAtTheOption) {
  const Reading reading = read_with("megatron-arguments", "# model\n--num-layers 4 \\\n    --hidden-size 'x'\n  --nope\n");
  EXPECT_EQ(place(winner(reading, "model.num_layers").origin), "2:1");
  EXPECT_EQ(winner(reading, "model.hidden_size").origin.spelling, "--hidden-size");
  EXPECT_EQ(place(reading.remarks.at(0).origin), "3:19") << "a bad value is pointed at itself";
  EXPECT_EQ(place(reading.remarks.at(1).origin), "4:3");
}

TEST(ArgumentListWords, UnderAConditionMakeTheValueUnknown) {
  auto words = tokens({"--bf16", "--num-layers", "4"});
  for (auto& word : words) word.unknown = Unknown{word.text, "only under a condition"};
  const Reading reading = read_arguments(words, {});
  EXPECT_THAT(listed(reading.settings), ElementsAre("model.bf16=?True", "model.num_layers=?4"));
  EXPECT_THAT(listed(reading.remarks),
              ElementsAre("unresolved model.bf16|True|only under a condition", "unresolved model.num_layers|4|only under a condition"));
}

TEST(ArgumentListVersions, DecideWhichOptionsExist) {
  ReadContext old;
  old.core = Core::k0_15;
  const char* text = "--offload-modules core_attn";
  EXPECT_THAT(listed(read_with("megatron-arguments", text, old).remarks), ElementsAre("unknown-flag --offload-modules|core_attn"));
  EXPECT_THAT(read_with("megatron-arguments", text).remarks, IsEmpty());
}

TEST(ArgumentListWriter, GivesTheSameSettingsBack) {
  for (const char* text : {"--num-layers 24 --bf16 --lr 1e-4 --min-lr -1", "--offload-modules core_attn attn_proj --no-pin-cpu-grads",
                           "--data-path", "--data-path a b 'c d'", "--moe-layer-freq '[0]*2+[1]*2'", "--spec ''", "--save \"it's here\"",
                           "--num-layers 2 --num-layers 3", "--split 949,50,1 --cuda-graph-modules attn mlp"})
    expect_round_trip("megatron-arguments", text);
}

TEST(ArgumentListWriter, SaysWhatItCannotWrite) {
  const auto& reader = reader_named("megatron-arguments");
  for (const Setting& setting : {Setting{"model.cpu_offloading", true, {}}, Setting{"optimizer.optimizer_cpu_offload", false, {}},
                                 Setting{"model.num_layers", Null{}, {}}, Setting{"model.offload_modules", List{}, {}},
                                 Setting{"model.num_layers", "many", {}}, Setting{"env.A", "1", {}}}) {
    const auto written = reader.write({setting}, {});
    ASSERT_FALSE(written.ok()) << *written;
    EXPECT_EQ(written.error().code, "not-expressible");
    EXPECT_THAT(written.error().message, testing::HasSubstr(setting.key));
  }
}

TEST(ArgumentListRecognition, LooksAtTheFirstWord) {
  const auto sure = [](std::string_view text) { return reader_named("megatron-arguments").recognise(text); };
  EXPECT_GE(sure("# list\n  --num-layers 4"), 80);
  EXPECT_GE(sure("\"--num-layers\" 4"), 80);
  for (const char* other : {"---\nmodel:\n", "model.x=1", "{}", "", "#", "- a\n", "torchrun a.py --bf16", "--", "---"})
    EXPECT_LT(sure(other), 20) << other;
}

}  // namespace
}  // namespace spillway::config
