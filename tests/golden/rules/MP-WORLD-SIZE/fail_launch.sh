#!/bin/bash
torchrun --nnodes 1 --nproc-per-node 4 pretrain_gpt.py --num-layers 16 --hidden-size 2048 --num-attention-heads 16 --bf16 \
  --tensor-model-parallel-size 8
