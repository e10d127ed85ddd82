#include "tools/config/launch.hpp"

#include "tests/unit/config_tokens/support.hpp"

namespace spillway::config {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

Reading script(std::string_view text) { return read_with("shell-script", text); }

TEST(LaunchScript, GivesEnvironmentSizeAndArguments) {
  const Reading reading = script(
      "#!/bin/bash\n"
      "#SBATCH --nodes=4\n"
      "#SBATCH --gpus-per-node=h100:8\n"
      "export NVTE_CPU_OFFLOAD_V1=1\n"
      "LOCAL=1\n"
      "TP=2\n"
      "TRAIN_ARGS=(\n"
      "    --tensor-model-parallel-size $TP   # split\n"
      "    --optimizer-cpu-offload\n"
      "    --optimizer-offload-fraction 0.75\n"
      ")\n"
      "PYTHONUNBUFFERED=1 torchrun --nproc_per_node=$SLURM_GPUS_ON_NODE --nnodes ${SLURM_NNODES} \\\n"
      "  pretrain_gpt.py ${TRAIN_ARGS[@]} --bf16\n");
  EXPECT_THAT(listed(reading.settings),
              ElementsAre("env.NVTE_CPU_OFFLOAD_V1='1'", "env.PYTHONUNBUFFERED='1'", "launch.script='gpt'", "launch.nnodes=4",
                          "launch.nproc_per_node=8", "model.tensor_model_parallel_size=2", "optimizer.optimizer_cpu_offload=True",
                          "optimizer.optimizer_offload_fraction=0.75", "model.bf16=True"));
  EXPECT_THAT(listed(reading.remarks), IsEmpty());
  EXPECT_EQ(reading.launcher, Launcher::kMegatronLm);
  EXPECT_EQ(place(winner(reading, "model.tensor_model_parallel_size").origin), "8:5");
  EXPECT_EQ(place(winner(reading, "model.bf16").origin), "13:36");
  EXPECT_EQ(place(winner(reading, "launch.nproc_per_node").origin), "12:29");
}

struct Case {
  const char* text;
  std::vector<std::string> settings;
};

class LaunchCommands : public testing::TestWithParam<Case> {};

TEST_P(LaunchCommands, AreFound) { EXPECT_EQ(listed(script(GetParam().text).settings), GetParam().settings) << GetParam().text; }

INSTANTIATE_TEST_SUITE_P(
    Wrappers, LaunchCommands,
    testing::Values(Case{"python pretrain_gpt.py --bf16", {"launch.script='gpt'", "model.bf16=True"}},
                    Case{"python3 -m torch.distributed.run --nproc-per-node=4 /m/pretrain_bert.py --bf16",
                         {"launch.script='bert'", "launch.nproc_per_node=4", "model.bf16=True"}},
                    Case{"srun -N 2 --ntasks-per-node=8 --export=ALL,A=1 python -u pretrain_mamba.py --bf16",
                         {"env.A='1'", "launch.script='hybrid'", "launch.nnodes=2", "launch.nproc_per_node=8", "model.bf16=True"}},
                    Case{"mpirun -np 16 -x A=1 python train_rl.py --bf16",
                         {"env.A='1'", "launch.script='rl'", "launch.world_size=16", "model.bf16=True"}},
                    Case{"srun bash -c \"torchrun --nproc-per-node 8 pretrain_t5.py --bf16\"",
                         {"launch.script='t5'", "launch.nproc_per_node=8", "model.bf16=True"}},
                    Case{"C=\"torchrun pretrain_gpt.py --bf16\"\necho $C\neval $C", {"launch.script='gpt'", "model.bf16=True"}},
                    Case{"cat > job.sh <<EOF\n#!/bin/bash\nsrun python pretrain_gpt.py --bf16\nEOF\nsbatch job.sh",
                         {"launch.script='gpt'", "model.bf16=True"}},
                    Case{"torchrun my_train.py --micro-batch-size 2 --bf16", {"train.micro_batch_size=2", "model.bf16=True"}},
                    Case{"python tools/preprocess_data.py --tokenizer-type X\ntorchrun pretrain_gpt.py --bf16",
                         {"launch.script='gpt'", "model.bf16=True"}},
                    Case{"env A=1 torchrun --nnodes=1:4 --nproc-per-node=gpu pretrain_gpt.py --bf16",
                         {"env.A='1'", "launch.script='gpt'", "launch.nnodes=?1:4", "launch.nproc_per_node=?gpu", "model.bf16=True"}},
                    Case{"#SBATCH --nodes 2\n#SBATCH --ntasks-per-node 4\nexport W=$SLURM_NTASKS\nsrun python pretrain_gpt.py --bf16",
                         {"env.W='8'", "launch.script='gpt'", "launch.nnodes=2", "launch.nproc_per_node=4", "model.bf16=True"}}));

INSTANTIATE_TEST_SUITE_P(
    Bridge, LaunchCommands,
    testing::Values(
        Case{"torchrun --nproc_per_node=8 scripts/training/run_recipe.py --recipe x_config -tp 2 --seq_length 4096 "
             "model.cpu_offloading=true 'model.offload_modules=[core_attn]'",
             {"launch.nproc_per_node=8", "model.tensor_model_parallel_size=2", "dataset.seq_length=4096", "model.seq_length=4096",
              "model.cpu_offloading=True", "model.offload_modules=['core_attn']"}},
        Case{"./scripts/training/train.sh --nodes 2 --gpus-per-node 8 --env A=1 --recipe x_config optimizer.lr=0.1",
             {"launch.nnodes=2", "launch.nproc_per_node=8", "env.A='1'", "optimizer.lr=0.1"}},
        Case{"python scripts/performance/run_script.py --model_recipe_name llama3_8b --task pretrain --activation_offload_layers 4 -x y "
             "optimizer.lr=0.1",
             {"model.cpu_offloading=True", "model.cpu_offloading_weights=False", "model.cpu_offloading_num_layers=4", "optimizer.lr=0.1"}},
        Case{"python -m verl.trainer.main_ppo --config-name=x "
             "+actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_cpu_offload=True data.x=1",
             {"optimizer.optimizer_cpu_offload=True", "data.x=1"}},
        Case{"uv run examples/run_grpo.py policy.megatron_cfg.optimizer.optimizer_cpu_offload=true",
             {"optimizer.optimizer_cpu_offload=True"}},
        Case{"CMD=(python run_recipe.py --recipe r)\nFLAG=true\nCMD+=(optimizer.optimizer_cpu_offload=\"${FLAG}\")\n\"${CMD[@]}\"",
             {"optimizer.optimizer_cpu_offload=True"}},
        Case{"megatron sft --model q --optimizer_cpu_offload true --use_precision_aware_optimizer false --optimizer_offload_fraction 0.8",
             {"launch.front_end='ms-swift'", "optimizer.optimizer_cpu_offload=True", "optimizer.use_precision_aware_optimizer=False",
              "optimizer.optimizer_offload_fraction=0.8"}}));

TEST(LaunchRecipe, IsTheOneNamedOrSelected) {
  const auto recipe = [](const char* text) {
    const Reading reading = script(text);
    return reading.recipe ? reading.recipe->value.str() : "none";
  };
  EXPECT_EQ(recipe("python run_recipe.py --recipe llama3_8b_pretrain_config"), "llama3_8b_pretrain_config");
  EXPECT_EQ(recipe("R=a_config\npython run_recipe.py --recipe=$R"), "a_config");
  EXPECT_EQ(recipe("python run_recipe.py --model llama3_8b --mode sft"), "llama3_8b_sft_config");
  EXPECT_EQ(recipe("python run_recipe.py --model llama3_8b --mode lora"), "llama3_8b_peft_config");
  EXPECT_EQ(recipe("python run_recipe.py model.x=1"), "none");
  EXPECT_EQ(script("python run_recipe.py --recipe r").launcher, Launcher::kBridge);
}

TEST(LaunchRemarks, TellWhatWasNotRead) {
  EXPECT_THAT(listed(script("torchrun pretrain_gpt.py --bf16\ntorchrun pretrain_t5.py --fp16").remarks),
              ElementsAre("ignored pretrain_t5.py|another training run of the same script; the first one is read"));
  EXPECT_THAT(listed(script("source ./more.sh\ntorchrun pretrain_gpt.py \"$@\"").remarks),
              ElementsAre("taken-as $@|$@|the script is started without words of its own",
                          "taken-as source ./more.sh|source ./more.sh|it changes none of the values set before it",
                          "ignored source ./more.sh|another script; what it sets is not known here"));
  EXPECT_THAT(listed(script("if [ $OFFLOAD = 1 ]; then\n A=\"--optimizer-cpu-offload\"\nfi\ntorchrun pretrain_gpt.py $A").remarks),
              ElementsAre("unresolved optimizer.optimizer_cpu_offload|True|only under the condition in line 1"));
  EXPECT_THAT(listed(script("python run_recipe.py --recipe r --banana 3 ~model.x stray").remarks),
              ElementsAre("unknown-flag --banana|3", "deleted-key model.x", "syntax stray|not of the form KEY=VALUE"));
  EXPECT_THAT(listed(script("torchrun pretrain_gpt.py --optimizer-cpu-offload true").remarks),
              ElementsAre("flag-value --optimizer-cpu-offload|true"));
}

TEST(LaunchRemarks, NameTheAssumptionsThatTheArgumentsRestOn) {
  EXPECT_THAT(
      listed(script("M=${M:-host}\nR=${RANK:-0}\nG=${GPUS:-8}\n[ -n \"$DEBUG\" ] && ARGS=--x\n[ -n \"$LOG\" ] && echo $LOG\n"
                    "export CUDA_VISIBLE_DEVICES=${V:-0}\nP=${PP:-4}\nARGS=\"$ARGS --bf16\"\n"
                    "torchrun --nproc-per-node $G --master $M pretrain_gpt.py --pipeline-model-parallel-size $P ${ARGS}")
                 .remarks),
      ElementsAre("open-words $ARGS|$ARGS|the shell variable ARGS is not set in this script",
                  "taken-as GPUS|GPUS|not set by the script; taken as 8", "taken-as DEBUG|DEBUG|not set by the script; taken as unset",
                  "taken-as PP|PP|not set by the script; taken as 4"));
  EXPECT_THAT(listed(script("if [ -n \"$NSYS\" ]; then nsys torchrun pretrain_gpt.py; else torchrun pretrain_gpt.py --bf16; fi").remarks),
              ElementsAre("taken-as NSYS|NSYS|not set by the script; taken as unset"));
  EXPECT_THAT(listed(script("X=${X:-}\ntorchrun pretrain_gpt.py $X --bf16").remarks),
              ElementsAre("taken-as X|X|not set by the script; taken as empty"));
}

TEST(LaunchRemarks, CountTheRuns) {
  EXPECT_THAT(listed(script("for P in 1 2 4; do torchrun pretrain_gpt.py --pipeline-model-parallel-size $P; done").remarks),
              ElementsAre("ignored pretrain_gpt.py|it is started 3 times; the first one is read"));
  EXPECT_THAT(listed(script("for P in $PS; do torchrun pretrain_gpt.py --bf16; done").remarks),
              ElementsAre("taken-as pretrain_gpt.py|pretrain_gpt.py|started (only in the rounds of the loop in line 1)"));
  EXPECT_THAT(listed(script("if [ $N = 1 ]; then torchrun pretrain_gpt.py --bf16\nelse torchrun pretrain_gpt.py --fp16; fi").remarks),
              ElementsAre("taken-as pretrain_gpt.py|pretrain_gpt.py|started (only under the condition in line 1)",
                          "ignored pretrain_gpt.py|another training run of the same script; the first one is read"));
}

TEST(LaunchBounds, AreNamedWhereTheyAreHit) {
  std::string doublings = "A=--x\n", loop = "for a in 1 2 3 4 5 6 7 8 9 10; do ";
  for (int i = 0; i < 18; ++i) doublings += "A=\"$A $A\"\n";
  const Reading reading = script(doublings + "torchrun pretrain_gpt.py $A");
  ASSERT_FALSE(reading.remarks.empty());
  EXPECT_EQ(listed(reading.remarks)[0], "open-words $A|$A|the value grows larger than is followed");
  EXPECT_GT(reading.remarks[0].origin.line, 10);
  for (int i = 0; i < 3; ++i) loop += loop;
  std::string ends;
  for (int i = 0; i < 8; ++i) ends += " done;";
  const auto error = reader_named("shell-script").read(loop + "x;" + ends + "\ntorchrun pretrain_gpt.py", {});
  ASSERT_FALSE(error.ok());
  EXPECT_EQ(error.error().code, "too-complex");
}

TEST(LaunchScript, WithoutATrainingRunIsAnError) {
  for (const char* text :
       {"export A=1\n", "#!/bin/bash\nls -l\n", "python tools/preprocess_data.py --vocab-file x\n", "echo torchrun pretrain_gpt.py\n"}) {
    const auto reading = reader_named("shell-script").read(text, {});
    ASSERT_FALSE(reading.ok()) << text;
    EXPECT_EQ(reading.error().code, "no-command");
    EXPECT_FALSE(reading.error().hint.empty());
  }
  ReadContext named;
  named.name = "run.sh";
  const auto broken = reader_named("shell-script").read("ls\ntorchrun 'x", named);
  EXPECT_EQ(broken.error().code, "bad-syntax");
  EXPECT_EQ(broken.error().message, "run.sh:2:10: a single quote that is not closed");
  EXPECT_EQ(reader_named("shell-script").read(std::string(3u << 20, ' '), {}).error().code, "file-too-large");
}

TEST(LaunchWriter, GivesTheSameSettingsBack) {
  for (const char* text :
       {"export B=2 A='x y'\ntorchrun --nnodes 2 --nproc-per-node 8 pretrain_gpt.py --num-layers 4 --offload-modules core_attn attn_proj",
        "torchrun my.py --micro-batch-size 1", "torchrun train_rl.py --bf16"})
    expect_round_trip("shell-script", text);
  ReadContext bridge;
  bridge.launcher = Launcher::kBridge;
  expect_round_trip("shell-script", "A=1 torchrun run_recipe.py model.cpu_offloading=true 'model.offload_modules=[a,b]'", bridge);
  EXPECT_FALSE(reader_named("shell-script").write({{"env.A", Unknown{"$A", "open"}, {}}}, {}).ok());
  EXPECT_FALSE(reader_named("shell-script").write({{"launch.world_size", 4, {}}}, {}).ok());
}

TEST(LaunchRecognition, LooksAtTheLines) {
  const auto sure = [](std::string_view text) { return reader_named("shell-script").recognise(text); };
  for (const char* own : {"#!/bin/bash\n", "#!/usr/bin/env bash\nx", "# c\n#SBATCH -N 2\n", "export A=1\n", "torchrun x.py",
                          "A=1 B=2 python -m x.y", "ARGS=(\n --bf16\n)\n", "srun -N 2 python t.py", "./train.sh --recipe x"})
    EXPECT_GE(sure(own), 60) << own;
  for (const char* other : {"", "#!/usr/bin/env python\nimport os\n", "import os\nos.system('torchrun x.py')",
                            "model:\n  run: torchrun x.py\n", "{\"a\": \"torchrun x.py\"}", "--num-layers 4", "model.x=1", "A=1 model.x=1",
                            "cfg = make()\ncfg.model.x = 1\n", "def f():\n  x=(1)\n", "- torchrun x.py"})
    EXPECT_LT(sure(other), 20) << other;
}

TEST(Examples, AreReadWithoutRemarksAndRecognised) {
  for (const char* name : {"megatron-arguments", "bridge-overrides", "shell-script"}) {
    const auto& reader = reader_named(name);
    const auto reading = read_source(reader.example, {});
    ASSERT_TRUE(reading.ok()) << name;
    EXPECT_EQ(reading->form, name);
    EXPECT_THAT(listed(reading->remarks), IsEmpty()) << name;
    EXPECT_FALSE(reading->settings.empty());
    expect_round_trip(name, reader.example);
  }
}

TEST(BadInput, IsAnErrorOrAReadingButNeverMore) {
  std::string deep, bomb = "A=x\n";
  for (int i = 0; i < 10'000; ++i) deep += "$(";
  for (int i = 0; i < 40; ++i) bomb += "A=$A$A\n";
  const std::string texts[] = {"--a 'b",
                               "--a \"b",
                               "x=[",
                               std::string("--a\0b", 5),
                               "--a " + std::string(1u << 20, 'b'),
                               "model.a=" + std::string(1u << 20, '['),
                               "--a " + deep,
                               "#!/bin/bash\nx " + deep,
                               "#!/bin/bash\n" + std::string(10'000, '('),
                               "#!/bin/bash\n" + bomb + "torchrun pretrain_gpt.py --save $A",
                               "--\xff\xfe",
                               "\\",
                               "#",
                               "$",
                               "'",
                               "--a \\",
                               "<<",
                               "a <<E",
                               "((",
                               "$((",
                               "${",
                               "`",
                               "A=(",
                               "case",
                               "[[ a",
                               "a.b=${",
                               "a.b='\\",
                               "~",
                               "+",
                               "++",
                               "=",
                               "x() x",
                               "!"};
  for (const auto& text : texts)
    for (const char* name : {"megatron-arguments", "bridge-overrides", "shell-script"}) {
      const auto& reader = reader_named(name);
      EXPECT_LE(reader.recognise(text), 100);
      const auto reading = reader.read(text, {});
      EXPECT_TRUE(reading.ok() || !reading.error().message.empty());
    }
}

}  // namespace
}  // namespace spillway::config
