#include "tools/config/edit.hpp"

#include <gtest/gtest.h>

namespace spillway::config {
namespace {

Edit set(std::string key, Value value) { return {Edit::Kind::kSet, std::move(key), std::move(value)}; }
Edit remove(std::string key) { return {Edit::Kind::kRemove, std::move(key), {}}; }

struct Case {
  const char* name;
  std::string before;
  std::vector<Edit> edits;
  std::string after;  ///< Empty: refused.
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class EditSource : public testing::TestWithParam<Case> {};

TEST_P(EditSource, ChangesTheTextAndNothingElse) {
  ReadContext context;
  context.name = "text";
  const auto after = edit_source(GetParam().before, GetParam().edits, context);
  if (GetParam().after.empty()) {
    ASSERT_FALSE(after.ok()) << *after;
    EXPECT_EQ(after.error().code, "not-editable");
    return;
  }
  ASSERT_TRUE(after.ok()) << after.error().message;
  EXPECT_EQ(*after, GetParam().after);
}

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name; }

constexpr const char* kYaml =
    "# a job\n"
    "model:\n"
    "  cpu_offloading: true  # the new line\n"
    "  pipeline_model_parallel_size: 2\n"
    "\n"
    "  # keep this\n"
    "  recompute_granularity: \"selective\"\n"
    "  offload_modules:  # what goes to the host\n"
    "    - core_attn\n"
    "    # projections\n"
    "    - attn_proj\n"
    "    - moe_act\n"
    "optimizer: {optimizer: adam, lr: 0.1, optimizer_cpu_offload: true}\n";

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

INSTANTIATE_TEST_SUITE_P(
    Yaml, EditSource,
    testing::Values(
        Case{"Scalar", kYaml, {set("model.pipeline_model_parallel_size", 1)}, replaced(kYaml, "size: 2", "size: 1")},
        Case{"KeepsTheComment", kYaml, {set("model.cpu_offloading", false)}, replaced(kYaml, "offloading: true", "offloading: false")},
        Case{"Quoted", kYaml, {set("model.recompute_granularity", Null{})}, replaced(kYaml, "\"selective\"", "null")},
        Case{"Removed", kYaml, {remove("model.pipeline_model_parallel_size")}, replaced(kYaml, "  pipeline_model_parallel_size: 2\n", "")},
        Case{"ItemsGone", kYaml, {set("model.offload_modules", List{"core_attn", "moe_act"})}, replaced(kYaml, "    - attn_proj\n", "")},
        Case{"ListReplaced",
             kYaml,
             {set("model.offload_modules", List{"mlp_norm"})},
             replaced(kYaml, "  # what goes to the host\n    - core_attn\n    # projections\n    - attn_proj\n    - moe_act",
                      " [mlp_norm]  # what goes to the host")},
        Case{"ListRemoved",
             kYaml,
             {remove("model.offload_modules")},
             replaced(kYaml,
                      "  offload_modules:  # what goes to the host\n    - core_attn\n    # projections\n    - attn_proj\n    - moe_act\n",
                      "")},
        Case{"Flow", kYaml, {set("optimizer.lr", 0.5)}, replaced(kYaml, "lr: 0.1", "lr: 0.5")},
        Case{"FlowRemoved", kYaml, {remove("optimizer.lr")}, replaced(kYaml, "lr: 0.1, ", "")},
        Case{"FlowLastRemoved", kYaml, {remove("optimizer.optimizer_cpu_offload")}, replaced(kYaml, ", optimizer_cpu_offload: true", "")},
        Case{"FlowAdded",
             kYaml,
             {set("optimizer.use_precision_aware_optimizer", true)},
             replaced(kYaml, "offload: true}", "offload: true, use_precision_aware_optimizer: true}")},
        Case{"Added",
             kYaml,
             {set("model.cpu_offloading_num_layers", 12)},
             replaced(kYaml, "    - moe_act\n", "    - moe_act\n  cpu_offloading_num_layers: 12\n")},
        Case{"NewSection",
             "model:\n  cpu_offloading: true",
             {set("ddp.overlap_grad_reduce", true)},
             "model:\n  cpu_offloading: true\nddp:\n  overlap_grad_reduce: true\n"},
        Case{"OnlyEntry",
             "model:\n  cpu_offloading: true\ntrain:\n  train_iters: 5\n",
             {remove("train.train_iters")},
             "model:\n  cpu_offloading: true\n"},
        Case{"Repeated",
             "model:\n  cpu_offloading: true\n  cpu_offloading: false\n  bf16: true\n",
             {remove("model.cpu_offloading")},
             "model:\n  bf16: true\n"},
        Case{"AnchorOfAnother", "model:\n  num_layers: &n 8\n  cpu_offloading_num_layers: *n\n", {set("model.num_layers", 4)}, ""},
        Case{"Alias",
             "model:\n  num_layers: &n 8\n  cpu_offloading_num_layers: *n\n",
             {set("model.cpu_offloading_num_layers", 4)},
             "model:\n  num_layers: &n 8\n  cpu_offloading_num_layers: 4\n"},
        Case{"WindowsLines",
             "model:\r\n  cpu_offloading: true\r\n  bf16: true\r\n",
             {set("model.cpu_offloading", false)},
             "model:\r\n  cpu_offloading: false\r\n  bf16: true\r\n"},
        Case{"Nothing", kYaml, {remove("model.num_layers")}, kYaml}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Json, EditSource,
    testing::Values(
        Case{"Value",
             "{\"model\": {\"cpu_offloading\": true}, \"optimizer\": {\"lr\": 1}}",
             {set("model.cpu_offloading", false)},
             "{\"model\": {\"cpu_offloading\": false}, \"optimizer\": {\"lr\": 1}}"},
        Case{"Added",
             "{\n  \"model\": {\n    \"cpu_offloading\": true\n  },\n  \"optimizer\": {}\n}\n",
             {set("model.recompute_modules", List{"mlp"})},
             "{\n  \"model\": {\n    \"cpu_offloading\": true,\n    \"recompute_modules\": [\"mlp\"]\n  },\n  \"optimizer\": {}\n}\n"},
        Case{"Removed",
             "{\"model\": {\"cpu_offloading\": true, \"num_layers\": 4}, \"optimizer\": {\"lr\": 1}}",
             {remove("model.num_layers"), remove("optimizer.lr")},
             "{\"model\": {\"cpu_offloading\": true}, \"optimizer\": {}}"}),
    name_of);

constexpr const char* kScript =
    "#!/bin/bash\n"
    "#SBATCH --nodes=1\n"
    "export OMP_NUM_THREADS=1\n"
    "PP=2\n"
    "ARGS=(\n"
    "  --num-layers 8 --hidden-size 64 --num-attention-heads 8\n"
    "  --pipeline-model-parallel-size $PP  # two stages\n"
    "  --offload-modules core_attn attn_proj\n"
    "  --bf16\n"
    ")\n"
    "MORE=\"--lr 0.1 --optimizer-cpu-offload\"\n"
    "torchrun --nproc-per-node 8 pretrain_gpt.py \"${ARGS[@]}\" $MORE \\\n"
    "  --micro-batch-size 1 \\\n"
    "  --use-distributed-optimizer\n"
    "echo done\n";

INSTANTIATE_TEST_SUITE_P(
    Script, EditSource,
    testing::Values(
        Case{"VariableBecomesLiteral", kScript, {set("model.pipeline_model_parallel_size", 1)}, replaced(kScript, "size $PP", "size 1")},
        Case{"Removed", kScript, {remove("model.bf16")}, replaced(kScript, "  --bf16\n", "")},
        Case{"RemovedWithComment",
             kScript,
             {remove("model.pipeline_model_parallel_size")},
             replaced(kScript, "--pipeline-model-parallel-size $PP  # two", "# two")},
        Case{"Several", kScript, {set("model.offload_modules", List{"moe_act"})}, replaced(kScript, "core_attn attn_proj", "moe_act")},
        Case{"InText", kScript, {remove("optimizer.optimizer_cpu_offload")}, replaced(kScript, " --optimizer-cpu-offload", "")},
        Case{"InTextValue", kScript, {set("optimizer.lr", 0.5)}, replaced(kScript, "--lr 0.1", "--lr 0.5")},
        Case{"Continued", kScript, {remove("train.micro_batch_size")}, replaced(kScript, "  --micro-batch-size 1 \\\n", "")},
        Case{"LastContinued",
             kScript,
             {remove("optimizer.use_distributed_optimizer")},
             replaced(kScript, " \\\n  --use-distributed-optimizer", "")},
        Case{"Added",
             kScript,
             {set("optimizer.use_precision_aware_optimizer", true)},
             replaced(kScript, "--use-distributed-optimizer\n", "--use-distributed-optimizer \\\n  --use-precision-aware-optimizer\n")},
        Case{"Variable", kScript, {set("env.OMP_NUM_THREADS", "8")}, replaced(kScript, "THREADS=1", "THREADS=8")},
        Case{"VariableAdded",
             kScript,
             {set("env.CUDA_DEVICE_MAX_CONNECTIONS", "1")},
             replaced(kScript, "THREADS=1\n", "THREADS=1\nexport CUDA_DEVICE_MAX_CONNECTIONS=1\n")},
        Case{"VariableRemoved", kScript, {remove("env.OMP_NUM_THREADS")}, replaced(kScript, "export OMP_NUM_THREADS=1\n", "")}),
    name_of);

constexpr const char* kArguments = "# one node\n--num-layers 8 --hidden-size 64\n--optimizer-cpu-offload\n--lr=0.1\n";

INSTANTIATE_TEST_SUITE_P(
    Arguments, EditSource,
    testing::Values(
        Case{"Attached", kArguments, {set("optimizer.lr", 0.5)}, replaced(kArguments, "--lr=0.1", "--lr 0.5")},
        Case{"Added",
             kArguments,
             {set("model.recompute_granularity", "selective")},
             replaced(kArguments, "--lr=0.1\n", "--lr=0.1\n--recompute-granularity selective\n")},
        Case{"NoOption", kArguments, {set("model.no_such_field", 1)}, ""},
        Case{"Removed", kArguments, {remove("optimizer.optimizer_cpu_offload")}, replaced(kArguments, "--optimizer-cpu-offload\n", "")}),
    name_of);

INSTANTIATE_TEST_SUITE_P(Overrides, EditSource,
                         testing::Values(Case{"Value",
                                              "model.cpu_offloading=true model.pipeline_model_parallel_size=2",
                                              {set("model.pipeline_model_parallel_size", 1)},
                                              "model.cpu_offloading=true model.pipeline_model_parallel_size=1"},
                                         Case{"Added",
                                              "model.cpu_offloading=true\n",
                                              {set("model.recompute_granularity", Null{})},
                                              "model.cpu_offloading=true\nmodel.recompute_granularity=null\n"},
                                         Case{
                                             "InScript",
                                             "#!/bin/bash\ntorchrun run_recipe.py --recipe qwen3_30b_a3b_pretrain_config \\\n  "
                                             "model.cpu_offloading=true \\\n  optimizer.lr=0.1\n",
                                             {set("model.cpu_offloading", false), set("model.recompute_granularity", Null{})},
                                             "#!/bin/bash\ntorchrun run_recipe.py --recipe qwen3_30b_a3b_pretrain_config \\\n  "
                                             "model.cpu_offloading=false \\\n  optimizer.lr=0.1 \\\n  model.recompute_granularity=null\n"}),
                         name_of);

constexpr const char* kPython =
    "cfg = qwen3_30b_a3b_pretrain_config()\n"
    "cfg.model.cpu_offloading = True  # on\n"
    "cfg.model.offload_modules = [\n"
    "    \"core_attn\",\n"
    "]\n"
    "cfg.optimizer = OptimizerConfig(\n"
    "    optimizer=\"adam\",\n"
    "    lr=0.1,\n"
    ")\n";

INSTANTIATE_TEST_SUITE_P(
    Python, EditSource,
    testing::Values(
        Case{"Statement", kPython, {set("model.cpu_offloading", false)}, replaced(kPython, "True", "False")},
        Case{"List",
             kPython,
             {set("model.offload_modules", List{"mlp_norm"})},
             replaced(kPython, "[\n    \"core_attn\",\n]", "['mlp_norm']")},
        Case{"Removed", kPython, {remove("model.cpu_offloading")}, replaced(kPython, "cfg.model.cpu_offloading = True  # on\n", "")},
        Case{"Keyword", kPython, {set("optimizer.lr", 0.5)}, replaced(kPython, "lr=0.1", "lr=0.5")},
        Case{"KeywordRemoved", kPython, {remove("optimizer.lr")}, replaced(kPython, "    lr=0.1,\n", "")},
        Case{"Added",
             kPython,
             {set("model.pipeline_model_parallel_size", 1)},
             replaced(kPython, "]\n", "]\ncfg.model.pipeline_model_parallel_size = 1\n")},
        Case{"KeywordAdded",
             kPython,
             {set("optimizer.optimizer_cpu_offload", true)},
             replaced(kPython, "    lr=0.1,\n", "    lr=0.1,\n    optimizer_cpu_offload=True,\n")}),
    name_of);

constexpr const char* kTest =
    "ENV_VARS:\n"
    "  CUDA_DEVICE_MAX_CONNECTIONS: 1\n"
    "MODEL_ARGS:\n"
    "  --num-layers: 8\n"
    "  --bf16: true\n"
    "  --offload-modules: \"[core_attn moe_act]\"  # both\n";

INSTANTIATE_TEST_SUITE_P(FunctionalTest, EditSource,
                         testing::Values(Case{"Value", kTest, {set("model.num_layers", 4)}, replaced(kTest, "layers: 8", "layers: 4")},
                                         Case{"Removed", kTest, {remove("model.bf16")}, replaced(kTest, "  --bf16: true\n", "")},
                                         Case{"Added",
                                              kTest,
                                              {set("optimizer.optimizer_cpu_offload", true)},
                                              std::string(kTest) + "  --optimizer-cpu-offload: true\n"},
                                         Case{"Variable",
                                              kTest,
                                              {set("env.OMP_NUM_THREADS", "8")},
                                              replaced(kTest, "CONNECTIONS: 1\n", "CONNECTIONS: 1\n  OMP_NUM_THREADS: 8\n")}),
                         name_of);

}  // namespace
}  // namespace spillway::config
