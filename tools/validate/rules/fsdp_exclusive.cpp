#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule fsdp_exclusive() {
  return {
      .code = "FSDP-EXCLUSIVE",
      .summary = "Megatron-FSDP and torch's FSDP2 are both on",
      .launchers = {Launcher::kBridge},
      .raises = {{Place::kBridge, 1482, "ValueError", "use_megatron_fsdp and use_torch_fsdp2 are mutually exclusive."}},
      .what = "dist.use_torch_fsdp2 is on together with use_megatron_fsdp, in the dist section or in the ddp section.",
      .why = "Both would shard the same parameters; Megatron-Bridge refuses the pair.",
      .remedy = "Keep one of them.",
      .evidence = {"src/megatron/bridge/training/config.py", "if use_megatron_fsdp and self.dist.use_torch_fsdp2: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("dist.use_torch_fsdp2") || !uses_megatron_fsdp(facts)) return;
            auto finding = report.add("use_megatron_fsdp and use_torch_fsdp2 are both on; only one of them can shard the model");
            finding.keys({"dist.use_torch_fsdp2", "dist.use_megatron_fsdp", "ddp.use_megatron_fsdp"})
                .fix(Fix::Safety::kDisplayOnly, "keep Megatron-FSDP", {set("dist.use_torch_fsdp2", false)});
            std::vector<Edit> without;
            for (const std::string_view key : {"dist.use_megatron_fsdp", "ddp.use_megatron_fsdp"})
              if (facts.on(key)) without.push_back(set(key, false));
            finding.fix(Fix::Safety::kDisplayOnly, "keep torch's FSDP2", std::move(without));
          },
  };
}

}  // namespace spillway::validate::rules
