#!/bin/bash
torchrun pretrain_gpt.py --num-layers 16 --hidden-size 2048 --pipeline-model-parallel-size 1
torchrun pretrain_gpt.py --num-layers 16 --hidden-size 2048 --pipeline-model-parallel-size 2
