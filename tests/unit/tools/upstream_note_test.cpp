#include "tools/upstream_note.hpp"

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "tools/catalog.hpp"

namespace spillway {
namespace {

namespace fs = std::filesystem;
using config::Value;
using ::testing::HasSubstr;

/// A made-up Megatron-LM that has one of the checks.
class Fork : public ::testing::Test {
 protected:
  Fork() : root(fs::path(::testing::TempDir()) / ("fork-" + std::to_string(::getpid()))) {
    fs::create_directories(root / "megatron/core/transformer");
    std::ofstream(root / "megatron/core/transformer/transformer_config.py")
        << "if self.cpu_offloading and self.pipeline_model_parallel_size > 1:\n"
           "    raise ValueError(\n"
           "        \"Currently there is no support for Pipeline parallelism \"\n"
           "        \"with CPU offloading\"\n"
           "    )\n";
  }
  ~Fork() override { fs::remove_all(root); }

  Reply ask(const std::string& args, ToolContext context = {}) const {
    const auto tools = catalog::all();
    const config::Map arguments = {
        {"args", Value("--num-layers 8 --hidden-size 64 --num-attention-heads 8 --cpu-offloading-num-layers 4 " + args)},
        {"launcher", Value("megatron-lm")},
        {"upstream", Value(config::List{Value(root.string())})}};
    return call(*catalog::find(tools, "validate_config"), arguments, Wire::kJson, std::move(context), {});
  }

  const fs::path root;
};

std::string last_assumption(const Reply& reply) { return Value(reply.structured).find("assumptions")->list()->back().str(); }

TEST_F(Fork, NamesRulesWhoseChecksItDoesNotHaveAndFindingsFirst) {
  const auto reply = ask("--pipeline-model-parallel-size 2 --recompute-granularity selective");
  ASSERT_TRUE(reply.ok()) << text_of(reply.errors, {});
  const std::string note = last_assumption(reply);
  EXPECT_THAT(note, HasSubstr("not found in " + root.string() + ": ACT-RECOMPUTE"));
  EXPECT_THAT(note, HasSubstr("they may not apply"));
  EXPECT_EQ(note.find("ACT-PP"), std::string::npos);
}

TEST_F(Fork, IsNotReadForThoseWhoMayNotNameFiles) {
  ToolContext context;
  context.may_read_files = false;
  const auto reply = ask("", context);
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.errors.front().code, "files-not-allowed");
}

TEST(Upstream, AFolderWithoutUpstreamIsAnError) {
  validate::Answer answer;
  const auto error = note_upstream({"/no/such/tree"}, {}, answer);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, "no-upstream-tree");
}

}  // namespace
}  // namespace spillway
