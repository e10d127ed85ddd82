# front_end: NeMo 2
# finds: ACT-PP
# sets: optimizer.optimizer_cpu_offload=True model.cpu_offloading=True
from nemo.collections import llm

recipe = llm.llama3_8b.pretrain_recipe()
recipe.optim.config.optimizer_cpu_offload = True
recipe.optim.config.optimizer_offload_fraction = 1.0
recipe.model.config.cpu_offloading = True
recipe.model.config.cpu_offloading_num_layers = 4
recipe.model.config.num_layers = 8
recipe.model.config.hidden_size = 1024
recipe.trainer.strategy.pipeline_model_parallel_size = 2
