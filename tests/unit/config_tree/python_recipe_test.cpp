#include <map>

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
      "for n in sizes:\n"
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

/// The winners as `key=value`, `?` before what is not known, in the order of their keys.
std::vector<std::string> winners(const Reading& reading) {
  std::map<std::string, std::string> last;
  for (const auto& setting : reading.settings)
    last[setting.key] = setting.key + "=" + (setting.value.is_unknown() ? "?" : "") + setting.value.repr();
  std::vector<std::string> out;
  for (const auto& [key, text] : last) out.push_back(text);
  return out;
}

/// `open SUBJECT`, `taken SUBJECT`, `ignored SUBJECT`.
std::vector<std::string> notes(const Reading& reading) {
  std::vector<std::string> out;
  for (const auto& remark : reading.remarks) {
    if (remark.kind == Remark::Kind::kOpenWords) out.push_back("open " + remark.subject);
    if (remark.kind == Remark::Kind::kTakenAs) out.push_back("taken " + remark.subject);
    if (remark.kind == Remark::Kind::kIgnored) out.push_back("ignored " + remark.subject);
  }
  return out;
}

struct Facts {
  const char* text;
  std::vector<std::string> winners;
  std::vector<std::string> notes = {};
};

class PythonFacts : public testing::TestWithParam<Facts> {};

TEST_P(PythonFacts, AreThoseOfTheRun) {
  const Reading reading = python(GetParam().text);
  EXPECT_EQ(winners(reading), GetParam().winners) << GetParam().text;
  EXPECT_EQ(notes(reading), GetParam().notes) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Functions, PythonFacts,
    testing::Values(
        Facts{
            "def tweak(c):\n  c.model.num_layers = 8\ndef never(cfg):\n  cfg.model.num_layers = 64\ncfg.model.num_layers = 2\ntweak(cfg)\n",
            {"model.num_layers=8"},
            {"ignored def never"}},
        Facts{"def a(cfg):\n  cfg.model.num_layers = 1\n  return cfg\ndef b(cfg):\n  cfg.model.num_layers = 2\n  return cfg\ncfg = "
              "a(b(cfg))\n",
              {"model.num_layers=1"}},
        Facts{"def f(c, n=2, *rest, **more):\n  c.model.num_layers = n\nf(cfg, n=5)\n", {"model.num_layers=5"}},
        Facts{"def f(c, n=2):\n  c.model.num_layers = n\nf(cfg)\n", {"model.num_layers=2"}},
        Facts{"def build(tp=4):\n  cfg.model.tensor_model_parallel_size = tp\n", {"model.tensor_model_parallel_size=4"}, {"taken tp"}},
        Facts{"def one(cfg):\n  cfg.model.num_layers = 1\ndef two(cfg):\n  cfg.model.num_layers = 2\n",
              {"model.num_layers=1"},
              {"ignored def two"}},
        Facts{"def f(cfg, x):\n  if x:\n    return cfg\n  cfg.model.num_layers = 1\n", {"model.num_layers=?1"}},
        Facts{"def f(cfg, x):\n  if x:\n    raise ValueError(x)\n  cfg.model.num_layers = 1\n", {"model.num_layers=1"}},
        Facts{"N = 4\ndef f():\n  N = 9\ndef g():\n  global N\n  N = 7\nf()\ncfg.model.num_layers = N\ng()\ncfg.model.hidden_size = N\n",
              {"model.hidden_size=7", "model.num_layers=4"}},
        Facts{"def f():\n  f()\nf()\ncfg.model.num_layers = 1\n", {"model.num_layers=1"}},
        Facts{"f = lambda c: setattr(c.model, 'num_layers', 7)\ncfg.model.num_layers = 1\n", {"model.num_layers=1"}},
        Facts{"class T:\n  def apply(self, cfg):\n    cfg.model.num_layers = 1\ncfg.model.hidden_size = 2\n", {"model.hidden_size=2"}}));

INSTANTIATE_TEST_SUITE_P(
    Blocks, PythonFacts,
    testing::Values(
        Facts{"try:\n  import te\n  cfg.model.num_layers = 1\nexcept ImportError:\n  cfg.model.num_layers = 2\nelse:\n  "
              "cfg.model.hidden_size = "
              "3\n",
              {"model.hidden_size=3", "model.num_layers=1"},
              {"taken try in line 1"}},
        Facts{"for k, v in {'num_layers': 4, 'hidden_size': 8}.items():\n  setattr(cfg.model, k, v)\n",
              {"model.hidden_size=8", "model.num_layers=4"}},
        Facts{"O = {'num_layers': 4, 'hidden_size': 8}\nfor k, v in O.items():\n  setattr(cfg.model, k, v)\n",
              {"model.hidden_size=8", "model.num_layers=4"}},
        Facts{"if x: cfg.model.num_layers = 1; cfg.model.hidden_size = 2\ncfg.ddp.overlap_grad_reduce = True; cfg.train.train_iters = 5\n",
              {"ddp.overlap_grad_reduce=True", "model.hidden_size=?2", "model.num_layers=?1", "train.train_iters=5"}},
        Facts{"for n in (1, 2, 3):\n  if n == x:\n    break\n  cfg.model.num_layers = n\n", {"model.num_layers=?n"}},
        Facts{"for n in (1, 2):\n  cfg.model.num_layers = n\ncfg.model.hidden_size = n\n", {"model.hidden_size=2", "model.num_layers=2"}},
        Facts{"x = 1\nfor n in names:\n  cfg.model.num_layers = x\n  x = 2\ncfg.model.hidden_size = x\n",
              {"model.hidden_size=?x", "model.num_layers=?x"}},
        Facts{"if a:\n  m = cfg.model\nelse:\n  m = cfg.ddp\nm.num_layers = 1\n", {}, {"open m.num_layers = 1"}},
        Facts{"x = 1\nwith f() as x:\n  cfg.model.num_layers = x\n", {"model.num_layers=?x"}},
        Facts{"a, b = 1, 2\na, b = b, a\nn = 1\nn += 2\ncfg.model.num_layers = a\ncfg.model.hidden_size = n\n",
              {"model.hidden_size=3", "model.num_layers=2"}},
        Facts{"a = b = 1\na, b = pair()\ncfg.model.num_layers = a\n", {"model.num_layers=?a"}},
        Facts{"cfg.model.num_layers = 1\nold = cfg.model.num_layers\ncfg.model.num_layers = 2\ncfg.model.hidden_size = old\n",
              {"model.hidden_size=1", "model.num_layers=2"}},
        Facts{"m = ['a']\ncfg.model.offload_modules = m\nm.append('b')\ncfg.model.recompute_modules = m\n",
              {"model.offload_modules=?['a']", "model.recompute_modules=['a', 'b']"}}));

INSTANTIATE_TEST_SUITE_P(
    Unseen, PythonFacts,
    testing::Values(
        Facts{"cfg.model.num_layers = 2\napply(cfg)\ncfg.model.hidden_size = 4\n",
              {"model.hidden_size=4", "model.num_layers=?2"},
              {"open apply(cfg)"}},
        Facts{"cfg.model.num_layers = 2\ncfg.ddp.overlap_grad_reduce = True\ntools.tune(cfg.model)\n",
              {"ddp.overlap_grad_reduce=True", "model.num_layers=?2"},
              {"open tools.tune(cfg.model)"}},
        Facts{"cfg.model.num_layers = 2\nprint(cfg)\nlogging.info('%s', cfg)\ncfg.validate()\npretrain(cfg, "
              "forward_step)\nf(cfg.model.num_layers)\n",
              {"model.num_layers=2"}},
        Facts{"cfg.model.num_layers = 2\nx = y and apply([cfg])\n", {"model.num_layers=?2"}, {"open apply([cfg])"}},
        Facts{"cfg.model.num_layers = 2\ncfg = tuned(cfg)\n", {"model.num_layers=?2"}, {"open tuned(cfg)"}},
        Facts{"cfg.model.num_layers = 2\ncfg.model = other()\n", {"model=?other()", "model.num_layers=?2"}, {"open cfg.model = other()"}},
        Facts{"cfg.model.num_layers = 2\nsetattr(cfg.model, name, 4)\n", {"model.num_layers=?2"}, {"open setattr(cfg.model, name, 4)"}},
        Facts{"k = 'num_layers'\nsetattr(cfg.model, k, 4)\ngetattr(cfg, 'model').hidden_size = 2\n",
              {"model.hidden_size=2", "model.num_layers=4"}},
        Facts{"cfg.model.__dict__.update({'num_layers': 4})\nvars(cfg.model)['hidden_size'] = 2\n",
              {"model.hidden_size=2", "model.num_layers=4"}},
        Facts{"cfg.model.num_layers = 2\ncfg.model.__dict__.update(more)\n",
              {"model.num_layers=?2"},
              {"open cfg.model.__dict__.update(more)"}},
        Facts{"cfg.model.num_layers = 2\nvars(cfg.model)[k] = 2\n", {"model.num_layers=?2"}, {"open vars(cfg.model)[k] = 2"}},
        Facts{"cfg.model.num_layers = 2\nm = pick(cfg)\nm.num_layers = 3\n",
              {"model.num_layers=?2"},
              {"open pick(cfg)", "open m.num_layers = 3"}},
        Facts{"o = OptimizerConfig(lr=1.0, **more)\np = DistributedDataParallelConfig(**{'overlap_grad_reduce': True})\n",
              {"ddp.overlap_grad_reduce=True", "optimizer.lr=1.0"},
              {"open **more"}},
        Facts{"cfg.env_vars = {'A': 1, **COMMON, 'B': 2}\n",
              {"env_vars.A=?**COMMON", "env_vars.B=2"},
              {"open cfg.env_vars = {'A': 1, **COMMON, 'B': 2}"}},
        Facts{"import os\nos.environ['NVTE_CPU_OFFLOAD_V1'] = '1'\n", {"env.NVTE_CPU_OFFLOAD_V1='1'"}},
        Facts{"cfg.dataset = make_data(cfg.dataset)\ncfg.model.num_layers = 2\n",
              {"dataset=?make_data(cfg.dataset)", "model.num_layers=2"},
              {"ignored make_data(cfg.dataset)"}},
        Facts{"self.cfg.model.num_layers = 2\n", {}, {"ignored self.cfg.model.num_layers"}},
        Facts{"cfg = a_pretrain_config()\ncfg.model.num_layers = 2\ncfg = b_pretrain_config()\n",
              {"model.num_layers=?2"},
              {"open b_pretrain_config"}}));

TEST(PythonRecipe, ANewObjectHasNothingOfTheRecipesOne) {
  const Reading reading = python("cfg = qwen3_30b_a3b_pretrain_config()\ncfg.optimizer = OptimizerConfig(min_lr=0.5)\n");
  EXPECT_EQ(value(reading, "optimizer.use_distributed_optimizer"), Value(false)) << "the default of the class, not the value of the recipe";
  EXPECT_EQ(value(reading, "optimizer.min_lr"), Value(0.5));
}

TEST(PythonBounds, HoldAgainstHostileTexts) {
  std::string calls = "def f(c):\n  c.model.num_layers = 1\n  f(c)\n  f(c)\nf(cfg)\n", changes, loops;
  EXPECT_NE(remark(python(calls), Remark::Kind::kOpenWords), nullptr);
  for (int i = 0; i < 2'000; ++i) changes += "apply(cfg)\ncfg.model.num_layers = " + std::to_string(i) + "\n";
  EXPECT_TRUE(value(python(changes), "model.num_layers").is_unknown());
  for (int i = 0; i < 8; ++i) loops += std::string(static_cast<std::size_t>(i), ' ') + "for a in (1, 2, 3, 4, 5, 6, 7, 8, 9):\n";
  EXPECT_NE(remark(python(loops + "        cfg.model.num_layers = a\n"), Remark::Kind::kOpenWords), nullptr);
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
