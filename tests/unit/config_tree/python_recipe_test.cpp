#include "support.hpp"

namespace spillway::config {
namespace {

Reading python(std::string_view text) { return read("python-recipe", text, context("recipe.py")); }

TEST(PythonRecipe, LiteralsOfEveryKind) {
  const Reading reading = python(
      "cfg.model.cpu_offloading = True\n"
      "cfg.model.recompute_granularity = None\n"
      "cfg.model.cpu_offloading_num_layers = 0x10\n"
      "cfg.optimizer.lr = 3e-4\n"
      "cfg.optimizer.optimizer_offload_fraction = .5\n"
      "cfg.model.offload_modules = ['core_attn', \"moe_act\",]\n"
      "cfg.model.min_offloaded_tensor_size = 4 * 1024 ** 2\n"
      "cfg.model.params_dtype = torch.bfloat16\n"
      "cfg.model.attention_backend = AttnBackend.flash\n"
      "cfg.checkpoint.save = 'out/' \"run\"\n"
      "cfg.model.window_size = (128, -1)\n"
      "cfg.optimizer.grad_norm_skip_threshold = float('inf')\n"
      "cfg.model.activation_offload_fraction = 1 / 4\n");
  EXPECT_EQ(value(reading, "model.cpu_offloading"), Value(true));
  EXPECT_EQ(value(reading, "model.recompute_granularity"), Value(Null{}));
  EXPECT_EQ(value(reading, "model.cpu_offloading_num_layers"), Value(16));
  EXPECT_EQ(value(reading, "optimizer.lr"), Value(3e-4));
  EXPECT_EQ(value(reading, "optimizer.optimizer_offload_fraction"), Value(0.5));
  EXPECT_EQ(value(reading, "model.offload_modules"), Value(List{"core_attn", "moe_act"}));
  EXPECT_EQ(value(reading, "model.min_offloaded_tensor_size"), Value(4 * 1024 * 1024));
  EXPECT_EQ(value(reading, "model.params_dtype"), Value("torch.bfloat16"));
  EXPECT_EQ(value(reading, "model.attention_backend"), Value("flash"));
  EXPECT_EQ(value(reading, "checkpoint.save"), Value("out/run"));
  EXPECT_EQ(value(reading, "model.window_size"), Value(List{128, -1}));
  EXPECT_EQ(value(reading, "optimizer.grad_norm_skip_threshold").repr(), "inf");
  EXPECT_EQ(value(reading, "model.activation_offload_fraction"), Value(0.25));
  EXPECT_TRUE(reading.remarks.empty()) << reading.remarks.front().subject;
}

TEST(PythonRecipe, CommentsStringsAndContinuedLines) {
  const Reading reading = python(
      "\"\"\"cfg.model.cpu_offloading = True\n"
      "in a docstring\"\"\"\n"
      "# cfg.model.cpu_offloading = True\n"
      "cfg.model.offload_modules = [\n"
      "    'core_attn',  # the big one\n"
      "]\n"
      "cfg.train.micro_batch_size = \\\n"
      "    2; cfg.train.global_batch_size = 16\n"
      "cfg.checkpoint.save = '#1 = \"x\"'\n");
  EXPECT_EQ(reading.settings.size(), 4u);
  EXPECT_EQ(origin(reading, "model.offload_modules"), "4:1 cfg.model.offload_modules");
  EXPECT_EQ(origin(reading, "train.global_batch_size"), "8:8 cfg.train.global_batch_size");
  EXPECT_EQ(value(reading, "checkpoint.save"), Value("#1 = \"x\""));
}

TEST(PythonRecipe, BaseRecipeSetattrAndEnvironment) {
  const Reading reading = python(
      "from megatron.bridge.recipes.qwen import qwen3_30b_a3b_pretrain_config\n"
      "COMMON = {'CUDA_DEVICE_MAX_CONNECTIONS': 1}\n"
      "def build():\n"
      "    config = qwen3_30b_a3b_pretrain_config()\n"
      "    setattr(config.model, 'cpu_offloading', True)\n"
      "    config.env_vars = {**COMMON, \"NVTE_CPU_OFFLOAD_V1\": 1}\n"
      "    config.env_vars['OMP_NUM_THREADS'] = '8'\n"
      "    config.mixed_precision = bf16_mixed()\n"
      "    return config\n");
  ASSERT_TRUE(reading.recipe);
  EXPECT_EQ(reading.recipe->value, Value("qwen3_30b_a3b_pretrain_config"));
  EXPECT_EQ(reading.recipe->origin.line, 4);
  EXPECT_EQ(value(reading, "model.cpu_offloading"), Value(true));
  EXPECT_EQ(value(reading, "env_vars.CUDA_DEVICE_MAX_CONNECTIONS"), Value(1));
  EXPECT_EQ(value(reading, "env_vars.NVTE_CPU_OFFLOAD_V1"), Value(1));
  EXPECT_EQ(value(reading, "env_vars.OMP_NUM_THREADS"), Value("8"));
  EXPECT_EQ(value(reading, "mixed_precision"), Value("bf16_mixed"));
  EXPECT_EQ(reading.launcher, Launcher::kBridge);
  EXPECT_TRUE(reading.remarks.empty()) << reading.remarks.front().subject;
}

TEST(PythonRecipe, ConstructorsAndTheirVariables) {
  const Reading reading = python(
      "opt = OptimizerConfig(\n"
      "    optimizer=\"adam\",\n"
      "    optimizer_cpu_offload=True,\n"
      ")\n"
      "model = GPTModelProvider(num_layers=4, cpu_offloading=True)\n"
      "cfg = ConfigContainer(model=model, optimizer=opt, mixed_precision=\"bf16_mixed\", train=TrainingConfig(train_iters=10))\n"
      "opt.optimizer_offload_fraction = 0.25\n"
      "m = cfg.model\n"
      "m.cpu_offloading_num_layers = 2\n"
      "cfg.model.recompute_num_layers = cfg.model.cpu_offloading_num_layers\n");
  EXPECT_EQ(value(reading, "optimizer.optimizer_cpu_offload"), Value(true));
  EXPECT_EQ(origin(reading, "optimizer.optimizer_cpu_offload"), "3:5 optimizer_cpu_offload");
  EXPECT_EQ(value(reading, "optimizer.optimizer_offload_fraction"), Value(0.25));
  EXPECT_EQ(value(reading, "model.cpu_offloading_num_layers"), Value(2));
  EXPECT_EQ(value(reading, "model.recompute_num_layers"), Value(2));
  EXPECT_EQ(value(reading, "train.train_iters"), Value(10));
  EXPECT_EQ(value(reading, "mixed_precision"), Value("bf16_mixed"));
  EXPECT_FALSE(reading.recipe);
}

TEST(PythonRecipe, ANewObjectForgetsWhatTheOldOneHad) {
  const Reading reading = python("cfg.optimizer.lr = 1.0\ncfg.optimizer = OptimizerConfig(min_lr=0.5)\n");
  EXPECT_EQ(value(reading, "optimizer.lr"), Value("(not set)"));
  EXPECT_EQ(value(reading, "optimizer.min_lr"), Value(0.5));
}

TEST(PythonRecipe, LaterAssignmentsWin) {
  const Reading reading = python("cfg.model.num_layers = 2\ncfg.model.num_layers = 4\n");
  EXPECT_EQ(value(reading, "model.num_layers"), Value(4));
  ASSERT_NE(remark(reading, Remark::Kind::kDuplicate), nullptr);
  EXPECT_EQ(remark(reading, Remark::Kind::kDuplicate)->origin.line, 2);
}

TEST(PythonRecipe, WhatCannotBeToldIsUnknownWithItsReason) {
  const Reading reading = python(
      "LAYERS = 8\n"
      "if args.offload:\n"
      "    cfg.model.cpu_offloading = True\n"
      "else:\n"
      "    cfg.model.fine_grained_activation_offloading = True\n"
      "cfg.checkpoint.save = f\"{root}/out\"\n"
      "cfg.model.cpu_offloading_num_layers = layers // 2\n"
      "cfg.model.num_layers = LAYERS\n"
      "cfg.model.hidden_size = 1024 if small else 2048\n"
      "cfg.train.global_batch_size = int(os.environ['GBS'])\n"
      "cfg.model.moe_layer_freq = [1 for _ in range(4)]\n"
      "cfg.optimizer.lr *= 2\n"
      "for n in (1, 2):\n"
      "    cfg.model.recompute_num_layers = n\n");
  for (const std::string_view key :
       {"model.cpu_offloading", "model.fine_grained_activation_offloading", "checkpoint.save", "model.cpu_offloading_num_layers",
        "model.hidden_size", "train.global_batch_size", "model.moe_layer_freq", "optimizer.lr", "model.recompute_num_layers"})
    EXPECT_TRUE(value(reading, key).is_unknown()) << key << " is " << value(reading, key).repr();
  EXPECT_EQ(value(reading, "model.num_layers"), Value(8));
  const Remark* first = remark(reading, Remark::Kind::kUnresolved);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->subject, "model.cpu_offloading");
  EXPECT_EQ(first->detail, "True");
  EXPECT_EQ(first->expected, "it depends on the condition in line 2");
}

TEST(PythonRecipe, AConditionThatChangesNothingIsNone) {
  const Reading reading = python(
      "cfg.model.cpu_offloading = True\nif fast:\n    cfg.model.cpu_offloading = True\nif __name__ == '__main__':\n    "
      "cfg.model.num_layers = 2\n");
  EXPECT_EQ(value(reading, "model.cpu_offloading"), Value(true));
  EXPECT_EQ(value(reading, "model.num_layers"), Value(2));
}

TEST(PythonRecipe, UnknownAttributesAreRemarkedWithTheirNeighbours) {
  const Reading reading = python("cfg.optimizer.optimizer_cpu_ofload = True\ncfg.model.cpu_offloading = 'true'\n");
  const Remark* found = remark(reading, Remark::Kind::kUnknownKey);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->subject, "optimizer.optimizer_cpu_ofload");
  EXPECT_THAT(found->suggestions, testing::Contains("optimizer.optimizer_cpu_offload"));
  ASSERT_NE(remark(reading, Remark::Kind::kBoolString), nullptr);
}

TEST(PythonRecipe, NemoPathsAndCoreClasses) {
  const Reading nemo = python(
      "from nemo.collections import llm\nrecipe.optim.config.optimizer_cpu_offload = "
      "True\nrecipe.trainer.strategy.pipeline_model_parallel_size = 2\n");
  EXPECT_EQ(value(nemo, "optimizer.optimizer_cpu_offload"), Value(true));
  EXPECT_EQ(value(nemo, "model.pipeline_model_parallel_size"), Value(2));
  EXPECT_EQ(nemo.launcher, Launcher::kMegatronCore);
  const Reading core = python(
      "from megatron.core.transformer import TransformerConfig\nconfig = TransformerConfig(num_layers=2)\nconfig.cpu_offloading = True\n");
  EXPECT_EQ(value(core, "model.cpu_offloading"), Value(true));
  EXPECT_EQ(core.launcher, Launcher::kMegatronCore);
}

TEST(PythonRecipe, OddTextsReadOrFailWithAPlace) {
  EXPECT_TRUE(python(")]} = (\n)").settings.empty());
  EXPECT_TRUE(python("cfg.model = lambda x: {x: 1}\nf(lambda a, b: a)(1)[2].c = 3\n").settings.size() <= 1);
  const auto open = reader("python-recipe").read("cfg.a = 1\ncfg.b = [1,\n", context("r.py"));
  ASSERT_FALSE(open.ok());
  EXPECT_EQ(open.error().message, "r.py:2:9: a bracket that is never closed");
  const auto quote = reader("python-recipe").read("x = 1\ny = 'abc\n", context("r.py"));
  ASSERT_FALSE(quote.ok());
  EXPECT_EQ(quote.error().message, "r.py:2:5: a string that is never closed");
  const auto deep = reader("python-recipe").read("x = " + std::string(10'000, '(') + std::string(10'000, ')'), context("r.py"));
  ASSERT_FALSE(deep.ok());
  EXPECT_THAT(deep.error().message, testing::HasSubstr("nested deeper than 200 levels"));
}

}  // namespace
}  // namespace spillway::config
