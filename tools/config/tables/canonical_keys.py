"""Which canonical key an option of Megatron-LM writes.

The order of the answer: an explicit decision below, else the section of Megatron-Core that has a field of the option's
dest (model, optimizer, ddp), else the only key of Megatron-Bridge whose last word is the dest, else `args.DEST`.
"""

# dest -> key: the name differs and the meaning is the same.
# Sources: core_transformer_config_from_args, get_megatron_ddp_config and the argument metadata of megatron/training/config.
RENAMED = {
    "accumulate_allreduce_grads_in_fp32": "ddp.grad_reduce_in_fp32",
    "apply_layernorm_1p": "model.layernorm_zero_centered_gamma",
    "check_for_nan_in_loss_and_grad": "rerun_state_machine.check_for_nan_in_loss",
    "ckpt_fully_parallel_load": "checkpoint.fully_parallel_load",
    "ckpt_fully_parallel_save": "checkpoint.fully_parallel_save",
    "cuda_graph_scope_deprecated": "model.cuda_graph_scope",
    "ddp_average_in_collective": "ddp.average_in_collective",
    "ddp_bucket_size": "ddp.bucket_size",
    "ddp_num_buckets": "ddp.num_buckets",
    "ddp_pad_buckets_for_high_nccl_busbw": "ddp.pad_buckets_for_high_nccl_busbw",
    "ddp_param_name_patterns_for_fp32_local_accumulation": "ddp.param_name_patterns_for_fp32_local_accumulation",
    "ddp_reduce_scatter_with_fp32_accumulation": "ddp.reduce_scatter_with_fp32_accumulation",
    "decoder_first_pipeline_num_layers": "model.num_layers_in_first_pipeline_stage",
    "decoder_last_pipeline_num_layers": "model.num_layers_in_last_pipeline_stage",
    "enable_experimental": "dist.enable_megatron_core_experimental",
    "enable_gloo_process_groups": "dist.use_gloo_process_groups",
    "fp8_format": "model.fp8",
    "norm_epsilon": "model.layernorm_epsilon",
    "num_experts": "model.num_moe_experts",
    "profile": "profiling.use_nsys_profiler",
    "rotary_seq_len_interpolation_factor": "model.seq_len_interpolation_factor",
    "tokenizer_metadata": "tokenizer.metadata_path",
    "tokenizer_special_tokens": "tokenizer.special_tokens",
    "use_rope_scaling": "model.rope_scaling",
}

# dest -> key: the switch says no where the key says yes, so the table turns store_true into store_false.
INVERTED = {
    "disable_mamba_mem_eff_path": "model.use_mamba_mem_eff_path",
    "no_load_optim": "checkpoint.load_optim",
    "no_load_rng": "checkpoint.load_rng",
    "no_persist_layer_norm": "model.persist_layer_norm",
    "no_save_optim": "checkpoint.save_optim",
    "no_save_rng": "checkpoint.save_rng",
}

# dest -> (key, reason): several keys of Megatron-Bridge end in this word.
CHOSEN = {
    "eval_interval": ("validation.eval_interval", "train.eval_interval is the deprecated spelling"),
    "eval_iters": ("validation.eval_iters", "train.eval_iters is the deprecated spelling"),
    "full_validation": ("validation.full_validation", "the dataset is told by validation"),
    "global_batch_size": ("train.global_batch_size", "dataset.global_batch_size belongs to one kind of data set"),
    "make_vocab_size_divisible_by": ("model.make_vocab_size_divisible_by", "what is padded is the embedding; the defaults agree"),
    "micro_batch_size": ("train.micro_batch_size", "dataset.micro_batch_size belongs to one kind of data set"),
    "multiple_validation_sets": ("validation.multiple_validation_sets", "the dataset is told by validation"),
    "seed": ("rng.seed", "dataset.seed only shuffles fine-tuning data"),
    "seq_length": ("model.seq_length", "Bridge keeps dataset.seq_length equal to it"),
    "skip_train": ("validation.skip_train", "train.skip_train is the deprecated spelling"),
    "split": ("dataset.split", "the others are splits of one Hugging Face data set"),
    "tp_comm_overlap_cfg": ("model.tp_comm_overlap_cfg", "a path as in Megatron-LM; comm_overlap's is an object"),
    "trust_remote_code": ("tokenizer.trust_remote_code", "Megatron-LM has it among the tokenizer's options"),
    "vocab_size": ("model.vocab_size", "what costs memory is the embedding"),
}

# dest -> reason: a key of Megatron-Bridge or a field has a similar name and another meaning, or the key's value follows
# from more than this option.
KEPT = {
    "bias_gelu_fusion": "one of two options that decide model.bias_activation_fusion",
    "bias_swiglu_fusion": "one of two options that decide model.bias_activation_fusion",
    "inprocess_restart": "a switch here, a section of settings in Megatron-Bridge",
    "max_position_embeddings": "a limit of the learned embedding; model.seq_length is the length trained",
    "num_layers_per_virtual_pipeline_stage": "model.virtual_pipeline_model_parallel_size follows from it and the layers",
    "num_virtual_stages_per_pipeline_rank": "model.virtual_pipeline_model_parallel_size follows from it when above 1",
    "packing_buffer_size": "an option of the MIMO example, not the data set's",
    "recompute_activations": "means recompute_granularity selective",
    "squared_relu": "decides model.activation_func",
    "swiglu": "decides model.gated_linear_unit and model.activation_func",
    "untie_embeddings_and_output_weights": "the inverse of model.share_embeddings_and_output_weights",
}

SECTIONS = ("train", "validation", "checkpoint", "rng", "scheduler", "dist", "rerun_state_machine", "logger", "profiling",
            "tokenizer", "dataset", "model")


class Canon:
    """Answers with the canonical key of a dest."""

    def __init__(self, field_keys, bridge_keys):
        self.fields = set(field_keys)
        self.by_word = {}
        for key in bridge_keys:
            section, _, word = key.rpartition(".")
            if section in SECTIONS:
                self.by_word.setdefault(word, []).append(key)

    def key(self, dest):
        if dest in RENAMED:
            return RENAMED[dest]
        if dest in INVERTED:
            return INVERTED[dest]
        if dest in KEPT:
            return "args." + dest
        for section in ("model", "optimizer", "ddp"):
            if f"{section}.{dest}" in self.fields:
                return f"{section}.{dest}"
        if dest in CHOSEN:
            return CHOSEN[dest][0]
        found = self.by_word.get(dest, [])
        if len(found) > 1:
            raise SystemExit(f"undecided: {dest} may be any of {found}; add it to CHOSEN or KEPT in canonical_keys.py")
        return found[0] if found else "args." + dest
