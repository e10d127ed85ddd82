#!/bin/bash
# front_end: ms-swift
# finds: ACT-RECOMPUTE OPT-PA-REQUIRED
# sets: optimizer.optimizer_offload_fraction=0.8 model.recompute_granularity=selective
# notes: --model, --lora_rank: options of ms-swift itself
swift megatron sft \
  --model Qwen/Qwen3-8B \
  --optimizer_cpu_offload true \
  --optimizer_offload_fraction 0.8 \
  --use_precision_aware_optimizer false \
  --num_layers 8 \
  --hidden_size 1024 \
  --cpu_offloading_num_layers 4 \
  --lora_rank 8
