import torch.nn.functional as F
from a.b import TP, c_config as d
X = {'A': 1, **Y}
def build(cfg: ConfigContainer, n=2):
    cfg = llama3_8b_pretrain_config()
    cfg.model.cpu_offloading = True; cfg.model.x = [1, -2.5e-3, 'a' "b", (3,), {4}]
    cfg.model.activation_func = F.silu
    cfg.env_vars = {**X, "B": f"{n}"}
    cfg.env_vars["C"] = r'\x'
    setattr(cfg.optimizer, "lr", 2 ** 3 << 1)
    if n:
        cfg.train.train_iters //= 2
    else: cfg.train.train_iters = 1 if n else 2
    opt = OptimizerConfig(lr=float("inf"), **kw)
    cfg.optimizer = opt
    m = cfg.model
    m.offload_modules.append("core_attn")
    return ConfigContainer(model=MyProvider(num_layers=0x10), optimizer=opt)
class P(GPTModelProvider):
    cpu_offloading: bool = True
    """doc
    string"""
