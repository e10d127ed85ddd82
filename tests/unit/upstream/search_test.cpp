#include "tools/validate/upstream/search.hpp"

namespace spillway::validate::upstream {
namespace {

using State = TextDrift::State;

const std::string kConfig = "megatron/core/transformer/transformer_config.py";

Rule rule(std::string_view code, std::vector<Raise> raises, Evidence evidence = {kConfig, "if self.a:"}) {
  Rule out;
  out.code = code;
  out.raises = std::move(raises);
  out.evidence = evidence;
  return out;
}

Raise raise(std::string_view text, Place place = Place::kTransformerConfig, std::string_view type = "ValueError") {
  return {place, 1, type, text};
}

const std::set<std::string_view> kAll(std::begin(kPackages), std::end(kPackages));

/// What becomes of a rule's first text in files.
TextDrift drift(const Rule& rule, const std::vector<std::pair<std::string, std::string>>& files) {
  Search search({rule}, config::Core::kMain, kAll);
  for (const auto& [file, text] : files) search.read(file, text);
  const auto result = search.result();
  return result.empty() ? TextDrift{State::kGone, "not looked for"} : result.front().texts.front();
}

const Rule kPipeline = rule("ACT-PP", {raise("Currently there is no support for Pipeline parallelism with CPU offloading")});
const std::string kSplit =
    "def f():\n  raise ValueError(\n    'Currently there is no support for Pipeline '\n    \"parallelism with CPU offloading\"\n  )\n";

TEST(Search, FindsAMessageSplitOverLines) {
  const auto found = drift(kPipeline, {{kConfig, kSplit}});
  EXPECT_EQ(found.state, State::kFound);
  EXPECT_EQ(found.now->line, 3);
}

TEST(Search, SaysWhereItHasMoved) {
  const auto moved = drift(kPipeline, {{kConfig, "x = 1\n"}, {"megatron/core/offload.py", "\n\n" + kSplit}});
  EXPECT_EQ(moved.state, State::kMoved);
  EXPECT_EQ(moved.now->file, "megatron/core/offload.py");
  EXPECT_EQ(moved.now->line, 5);
  EXPECT_EQ(moved.file, kConfig);
}

TEST(Search, SaysWhatIsLikeATextThatIsGone) {
  const auto gone =
      drift(kPipeline, {{kConfig, "raise ValueError('There is no support for pipeline parallelism with activation offloading')"}});
  EXPECT_EQ(gone.state, State::kGone);
  ASSERT_TRUE(gone.near);
  EXPECT_EQ(gone.near->line, 1);
  EXPECT_FALSE(drift(kPipeline, {{kConfig, "raise ValueError('something else entirely, about nothing')"}}).near);
}

TEST(Search, AnyValueFillsAHole) {
  const Rule layers = rule("ACT-NUM-LAYERS", {raise("CPU offloading can be done only for layers less than {} of {}!")});
  EXPECT_EQ(drift(layers, {{kConfig, "f'CPU offloading can be done only for layers less than {self.n} of {m}!'"}}).state, State::kFound);
  EXPECT_EQ(drift(layers, {{kConfig, "'CPU offloading can be done only for layers less than %d of 7!' % n"}}).state, State::kFound);
  EXPECT_EQ(drift(layers, {{kConfig, "f'CPU offloading can be done only for layers more than {n} of {m}!'"}}).state, State::kGone);
}

TEST(Search, AHoleOfUpstreamsIsFilledByTheRule) {
  const Rule version = rule("DWG-CG-TE", {raise("CUDA graph with delay_wgrad_compute requires TE version >= 2.12.0.")});
  EXPECT_EQ(drift(version, {{kConfig, "f'CUDA graph with delay_wgrad_compute requires TE version >= {wanted}.'"}}).state, State::kFound);
  EXPECT_EQ(drift(version, {{kConfig, "f'{a}{b}'"}}).state, State::kGone) << "it could be anything";
}

TEST(Search, LooksForConditionsThatAreCode) {
  const Rule switched = rule("ACT-X", {}, {"megatron/training/arguments.py", "if args.n_layers > 0: args.cpu_offloading = True"});
  const auto found = drift(switched, {{"megatron/training/arguments.py", "\nif args.n_layers > 0:\n    args.cpu_offloading = True\n"}});
  EXPECT_EQ(found.state, State::kFound);
  EXPECT_EQ(found.now->line, 2);
  const auto warns = "if args.n_layers > 0:\n    if args.rank == 0:\n        print('on')\n    args.cpu_offloading = True\n";
  EXPECT_EQ(drift(switched, {{"megatron/training/arguments.py", warns}}).state, State::kFound);
  EXPECT_EQ(drift(rule("ACT-Y", {}, {kConfig, "no check looks at FSDP"}), {}).text, "not looked for");
  EXPECT_EQ(drift(rule("ACT-Z", {}, {kConfig, "if a_long_name: … elif another_name:"}), {}).text, "not looked for");
}

TEST(Search, LeavesOutWhatUpstreamDoesNotWord) {
  EXPECT_EQ(drift(rule("A-B", {raise("'nullcontext' object has no attribute 'x'", Place::kForward, "AttributeError")}), {}).text,
            "not looked for");
  EXPECT_EQ(drift(rule("A-B", {raise("unrecognized arguments: {}", Place::kParse)}), {}).text, "not looked for");
  EXPECT_EQ(drift(rule("A-B", {raise("{}: {}")}), {}).text, "not looked for");
}

TEST(Search, LeavesOutPackagesThatAreNotThere) {
  Search search({kPipeline, rule("BRG-X", {raise("a message of Megatron-Bridge's", Place::kBridge)})}, config::Core::kMain,
                {"megatron/bridge"});
  search.read("megatron/bridge/training/config.py", "'a message of Megatron-Bridge\\'s'");
  ASSERT_EQ(search.result().size(), 1u);
  EXPECT_EQ(search.result().front().texts.front().state, State::kFound);
  EXPECT_EQ(search.not_looked_for(), std::vector<std::string>{"ACT-PP"});
}

TEST(Search, LeavesOutTextsOfOtherVersions) {
  Raise old = raise("a message that only the older versions have");
  old.until = config::Core::k0_16;
  Search search({rule("A-B", {old, raise("a message that all the versions have")})}, config::Core::k0_18, kAll);
  ASSERT_EQ(search.result().size(), 1u);
  EXPECT_EQ(search.result().front().texts.size(), 1u);
  EXPECT_TRUE(search.result().front().gone());
}

}  // namespace
}  // namespace spillway::validate::upstream
