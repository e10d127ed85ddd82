from megatron.bridge.recipes.llama import llama3_8b_pretrain_config

cfg = llama3_8b_pretrain_config()
cfg.model.cpu_ofloading = True
