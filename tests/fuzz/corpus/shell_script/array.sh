#!/bin/bash
#SBATCH --nodes=2
export A=1
L=8
ARGS=(
 --num-layers $L # n
 --bf16
)
ARGS+=(--micro-batch-size 1)
torchrun --nproc-per-node 8 pretrain_gpt.py "${ARGS[@]}" $@
