#!/bin/bash
# front_end: verl
# finds: RC-METHOD-MISSING RC-NUM-MISSING OPT-DISTOPT
# sets: optimizer.optimizer_cpu_offload=True model.pipeline_model_parallel_size=2
# notes: override_transformer_config.cpu_ofloading (did you mean cpu_offloading?)
python -m verl.trainer.main_ppo --config-name=ppo_megatron_trainer \
  data.train_files=train.parquet \
  +actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_cpu_offload=True \
  +actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_offload_fraction=1 \
  +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_granularity=full \
  +actor_rollout_ref.actor.megatron.override_transformer_config.cpu_ofloading=True \
  +actor_rollout_ref.actor.megatron.override_transformer_config.num_layers=8 \
  +actor_rollout_ref.actor.megatron.override_transformer_config.hidden_size=1024 \
  actor_rollout_ref.actor.megatron.use_distributed_optimizer=False \
  actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=2
