#!/bin/bash
# front_end: ms-swift
# finds:
# sets: model.recompute_granularity=None model.cpu_offloading=True optimizer.use_distributed_optimizer=True
NPROC_PER_NODE=8 megatron sft --num_layers 8 --hidden_size 1024 --num_attention_heads 8 --cpu_offloading_num_layers=4 --recompute_granularity none
