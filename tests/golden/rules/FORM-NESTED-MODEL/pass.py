from megatron.bridge.recipes.llama import llama3_8b_pretrain_16gpu_h100_bf16_16k_config

cfg = llama3_8b_pretrain_16gpu_h100_bf16_16k_config()
cfg.model.transformer.cpu_offloading = True
cfg.model.transformer.cpu_offloading_num_layers = 4
