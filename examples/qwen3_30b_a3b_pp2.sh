#!/bin/bash
#SBATCH --job-name=qwen3-30b-a3b
#SBATCH --nodes=2
#SBATCH --gpus-per-node=8
# The same job as a launch script for Megatron-LM.
export CUDA_DEVICE_MAX_CONNECTIONS=1
export OMP_NUM_THREADS=1

TP=2
PP=2
LAYERS=48

MODEL_ARGS=(
    --num-layers $LAYERS
    --hidden-size 2048
    --num-attention-heads 32
    --group-query-attention
    --num-query-groups 4
    --ffn-hidden-size 6144
    --num-experts 128
    --moe-ffn-hidden-size 768
    --moe-router-topk 8
    --moe-grouped-gemm
    --seq-length 8192
    --max-position-embeddings 8192
)
TRAIN_ARGS=(
    --tensor-model-parallel-size $TP
    --pipeline-model-parallel-size $PP
    --expert-model-parallel-size 4
    --sequence-parallel
    --micro-batch-size 1
    --global-batch-size 256
    --bf16
    --lr 3e-4
    --train-iters 1000
    --use-distributed-optimizer
)
# the new lines: keep half of the layers' activations, and Adam's states, in host memory
OFFLOAD_ARGS="--cpu-offloading-num-layers $((LAYERS / 2)) --optimizer-cpu-offload"
OFFLOAD_ARGS="$OFFLOAD_ARGS --recompute-granularity selective"

srun torchrun --nnodes 2 --nproc_per_node 8 pretrain_gpt.py \
    "${MODEL_ARGS[@]}" \
    "${TRAIN_ARGS[@]}" \
    $OFFLOAD_ARGS
