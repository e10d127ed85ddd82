#include "support.hpp"

namespace spillway::config {
namespace {

const std::vector<std::string> kTreeForms = {"bridge-dump", "bridge-yaml", "functional-test", "json", "python-recipe", "megatron-yaml"};

TEST(TreeForms, ExamplesAreRecognisedReadWithoutRemarksAndWriteBack) {
  for (const auto& form : kTreeForms) {
    SCOPED_TRACE(form);
    const Reader member = reader(form);
    for (const auto& other : readers::all())
      if (other.name != member.name) {
        EXPECT_LT(other.recognise(member.example), member.recognise(member.example)) << other.name << " claims it too";
      }
    const auto reading = read_source(member.example, context());
    ASSERT_TRUE(reading.ok()) << reading.error().message;
    EXPECT_EQ(reading->form, form);
    EXPECT_TRUE(reading->launcher);
    for (const auto& found : reading->remarks) ADD_FAILURE() << "remark on " << found.subject << " " << found.detail;
    for (const auto& setting : reading->settings) {
      EXPECT_GT(setting.origin.line, 0) << setting.key;
      EXPECT_GT(setting.origin.column, 0) << setting.key;
      EXPECT_FALSE(setting.origin.spelling.empty()) << setting.key;
    }
    const auto written = member.write(reading->settings, context());
    ASSERT_TRUE(written.ok()) << written.error().message;
    EXPECT_EQ(facts(read(form, *written)), facts(*reading)) << *written;
  }
}

TEST(TreeForms, AnUnknownValueIsNotExpressible) {
  for (const auto& form : kTreeForms) {
    const auto written = reader(form).write({{"model.num_layers", Unknown{"${N}", "why"}, {}}}, context());
    ASSERT_FALSE(written.ok()) << form;
    EXPECT_EQ(written.error().code, "not-expressible") << form;
  }
}

TEST(TreeForms, TheLastSettingOfAKeyIsWritten) {
  for (const auto& form : kTreeForms) {
    const auto written =
        reader(form).write({{"model.num_layers", 2, {}}, {"model.hidden_size", 8, {}}, {"model.num_layers", 4, {}}}, context());
    ASSERT_TRUE(written.ok()) << form << written.error().message;
    EXPECT_EQ(facts(read(form, *written)), (std::vector<std::string>{"model.hidden_size = 8", "model.num_layers = 4"})) << form;
  }
}

TEST(TreeForms, TextsOfOtherKindsAreNotClaimed) {
  for (const std::string_view text :
       {"#!/bin/bash\nexport A=1\ncase $1 in\n  x) echo;;\nesac\n", "--bf16 --num-layers 2\n", "model.num_layers=2 +model.x=1\n",
        "Traceback (most recent call last):\n  File \"x.py\", line 1\nRuntimeError: CUDA out of memory\n", "hello world\n",
        "[section]\nkey = value\n"})
    for (const auto& form : kTreeForms) EXPECT_EQ(reader(form).recognise(text), 0) << form << " claims " << text;
}

TEST(TreeForms, RecognitionLooksAtNoMoreThanTheBeginning) {
  const std::string text = "model:\n" + std::string(15u << 20, ' ') + "\nMODEL_ARGS:\n";
  EXPECT_EQ(reader("functional-test").recognise(text), 0);
}

TEST(TreeForms, ASectionOfTheWrongShapeIsSaid) {
  for (const auto* text : {"model: 3\n", "model: text\n", "model: [1, 2]\n", "model: true\n", "{\"model\": 3}", "peft: lora\n"}) {
    const Reading reading = read(text[0] == '{' ? "json" : "bridge-yaml", text);
    const Remark* found = remark(reading, Remark::Kind::kIgnored);
    ASSERT_NE(found, nullptr) << text;
    EXPECT_EQ(found->origin.line, 1) << text;
    EXPECT_THAT(found->detail, testing::HasSubstr("with its keys below it")) << text;
  }
  const Reading named = read("bridge-yaml", "mixed_precision: bf16_mixed\ncomm_overlap: null\n");
  EXPECT_EQ(remark(named, Remark::Kind::kIgnored), nullptr) << "these may be named or left empty";
  EXPECT_NE(remark(read("megatron-yaml", "model_parallel: 3\nlanguage_model:\n  num_layers: 2\n"), Remark::Kind::kIgnored), nullptr);
}

TEST(TreeForms, AReferenceToAWholeSectionLeavesTheRestOpen) {
  const Reading reading = read("bridge-yaml", "model: ${oc.env:X}\n");
  const Remark* found = remark(reading, Remark::Kind::kOpenWords);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->subject, "${oc.env:X}");
}

TEST(TreeForms, AreRecognisedBehindAnyNumberOfComments) {
  std::string comments;
  while (comments.size() < (2u << 20)) comments += "# nothing to see here\n\n";
  for (const auto* text : {"model:\n  num_layers: 2\n", "--num-layers 2\n", "MODEL_ARGS:\n  --num-layers: 2\n"})
    EXPECT_TRUE(read_source(comments + text, context()).ok()) << text;
  EXPECT_EQ(read_source(comments, context()).error().code, "empty-source");
}

TEST(TreeForms, ManyUnknownKeysCostNoMoreThanTheirNumber) {
  std::string text = "model:\n";
  for (int i = 0; i < 50'000; ++i) text += "  unknown_key_" + std::to_string(i) + ": 1\n";
  const Reading reading = read("bridge-yaml", text);
  EXPECT_EQ(reading.remarks.size(), 50'000u);
  TrainConfig config;
  config.stack({"run.yaml", text, {}}, reading);
  EXPECT_LT(config.remarks.size(), 300u) << "the first ones, and how many there are";
  EXPECT_THAT(config.remarks.back().subject, testing::HasSubstr("49800 more"));
}

TEST(Json, ModelAndOptimizerAloneAreCoreFields) {
  const Reading core =
      read("json",
           "{\n  \"model\": {\"num_layers\": 4, \"params_dtype\": \"torch.bfloat16\"},\n  \"optimizer\": {\"lr\": 1e-4, \"bogus\": 1}\n}");
  EXPECT_EQ(core.launcher, Launcher::kMegatronCore);
  EXPECT_EQ(value(core, "optimizer.lr"), Value(1e-4));
  EXPECT_EQ(origin(core, "model.params_dtype"), "2:30 model.params_dtype");
  ASSERT_NE(remark(core, Remark::Kind::kUnknownKey), nullptr);
  EXPECT_EQ(remark(core, Remark::Kind::kUnknownKey)->subject, "optimizer.bogus");
  EXPECT_EQ(remark(core, Remark::Kind::kUnknownKey)->origin.column, 29);
  for (const std::string_view text : {"{\"model\": {\"num_layers\": 4}}", "{\"model\": {}, \"optimizer\": {}, \"train\": {}}",
                                      "{\"_target_\": \"a.ConfigContainer\", \"model\": {\"num_layers\": 1}, \"optimizer\": {}}"})
    EXPECT_EQ(read("json", text).launcher, Launcher::kBridge) << text;
  ReadContext stated = context();
  stated.launcher = Launcher::kBridge;
  EXPECT_EQ(read("json", "{\"model\": {\"num_layers\": 4}, \"optimizer\": {\"lr\": 1}}", stated).launcher, Launcher::kBridge);
}

TEST(Json, RepeatedKeysEscapesAndDumps) {
  const Reading reading = read("json",
                               "{\"model\": {\"num_layers\": 2,\n\"num_layers\": 3, \"recompute_granularity\": null},\n \"checkpoint\": "
                               "{\"save\": \"a\\n\\u00fc\"}}");
  EXPECT_EQ(value(reading, "model.num_layers"), Value(3));
  ASSERT_NE(remark(reading, Remark::Kind::kDuplicate), nullptr);
  EXPECT_EQ(remark(reading, Remark::Kind::kDuplicate)->origin.line, 2);
  EXPECT_EQ(remark(reading, Remark::Kind::kDuplicate)->origin.column, 1);
  EXPECT_EQ(value(reading, "checkpoint.save"), Value("a\n\xC3\xBC"));
  const Reading dump =
      read("json", "{\"model\": {\"_target_\": \"a.B\", \"params_dtype\": {\"_target_\": \"torch.float32\", \"_call_\": false}}}");
  EXPECT_EQ(value(dump, "model.params_dtype"), Value("torch.float32"));
  EXPECT_EQ(value(dump, "model._target_"), Value("a.B"));
}

TEST(FunctionalTest, ValuesExpandAsTheRunnerDoes) {
  const Reading reading = read("functional-test",
                               "ENV_VARS:\n  NCCL_ALGO: Ring\n  SKIP: 1\n"
                               "MODEL_ARGS:\n"
                               "  --optimizer-cpu-offload: true\n"
                               "  --optimizer-offload-fraction: 0.50\n"
                               "  --offload-modules: \"[core_attn moe_act]\"\n"
                               "  --recompute-modules: layernorm mlp\n"
                               "  --moe-layer-freq: ([0]*1+[1]*3)\n"
                               "  --save: ${OUT}/x\n"
                               "  --train-iters: ${ITERS}\n"
                               "  --load: \"\"\n"
                               "  --bf16: false\n"
                               "MODEL_ARGS_2:\n  --bf16: true\n");
  EXPECT_EQ(value(reading, "env.NCCL_ALGO"), Value("Ring"));
  EXPECT_EQ(value(reading, "env.SKIP"), Value("1"));
  EXPECT_EQ(value(reading, "optimizer.optimizer_cpu_offload"), Value(true));
  EXPECT_EQ(value(reading, "optimizer.optimizer_offload_fraction"), Value(0.5));
  EXPECT_EQ(value(reading, "model.offload_modules"), Value(List{"core_attn", "moe_act"}));
  EXPECT_EQ(origin(reading, "model.offload_modules"), "7:3 --offload-modules");
  EXPECT_EQ(value(reading, "checkpoint.save"), Value("${OUT}/x"));
  EXPECT_TRUE(value(reading, "train.train_iters").is_unknown());
  EXPECT_EQ(find(reading, "checkpoint.load"), nullptr);
  ASSERT_NE(remark(reading, Remark::Kind::kFalseFlag), nullptr);
  EXPECT_EQ(remark(reading, Remark::Kind::kFalseFlag)->subject, "--bf16");
  EXPECT_EQ(remark(reading, Remark::Kind::kFalseFlag)->origin.line, 13);
  ASSERT_NE(remark(reading, Remark::Kind::kFlagValue), nullptr) << "the word false is still there for the parser";
  EXPECT_EQ(remark(reading, Remark::Kind::kIgnored)->subject, "MODEL_ARGS_2");
  const auto bad = find(reading, "model.recompute_modules");
  EXPECT_TRUE(bad == nullptr || bad->value == Value(List{"layernorm mlp"}) || bad->value.is_unknown()) << "one word, not two";
}

TEST(FunctionalTest, DottedKeysAreNemos) {
  const Reading reading =
      read("functional-test", "MODEL_ARGS:\n  model.cpu_offloading: True\n  trainer.max_steps: 10\n  model.sequence_parallel: true\n");
  EXPECT_EQ(value(reading, "model.cpu_offloading"), Value(true));
  EXPECT_EQ(reading.launcher, Launcher::kMegatronCore);
  EXPECT_EQ(remark(reading, Remark::Kind::kSyntax)->subject, "model.sequence_parallel");
}

TEST(MegatronYaml, SectionsAndFlatNames) {
  const Reading reading = read("megatron-yaml",
                               "model_parallel:\n  cpu_offloading: True\n  pipeline_dtype: None\n  cpu_ofloading_weights: False\n"
                               "language_model:\n  num_layers: 4\n"
                               "micro_batch_size: 2\npin_cpu_grads: False\nno_load_optim: True\nsave: ${OUT}\nmicro_batch_sise: 1\n");
  EXPECT_EQ(reading.launcher, Launcher::kMegatronLmYaml);
  EXPECT_EQ(value(reading, "model.cpu_offloading"), Value(true));
  EXPECT_EQ(origin(reading, "model.cpu_offloading"), "2:3 model_parallel.cpu_offloading");
  EXPECT_EQ(value(reading, "model.num_layers"), Value(4));
  EXPECT_EQ(value(reading, "train.micro_batch_size"), Value(2));
  EXPECT_EQ(value(reading, "optimizer.pin_cpu_grads"), Value(false));
  EXPECT_EQ(value(reading, "checkpoint.load_optim"), Value(false)) << "the name says no where the key says yes";
  EXPECT_TRUE(value(reading, "checkpoint.save").is_unknown());
  EXPECT_EQ(remark(reading, Remark::Kind::kNoneString)->subject, "model.pipeline_dtype");
  std::vector<std::string> unknown;
  for (const auto& found : reading.remarks)
    if (found.kind == Remark::Kind::kUnknownKey)
      unknown.push_back(found.subject + " -> " + (found.suggestions.empty() ? "" : found.suggestions.front()));
  EXPECT_EQ(unknown, (std::vector<std::string>{"model.cpu_ofloading_weights -> model.cpu_offloading_weights",
                                               "args.micro_batch_sise -> micro_batch_size"}));
}

}  // namespace
}  // namespace spillway::config
