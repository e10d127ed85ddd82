#include "tools/validate/optimizer_offload.hpp"

#include <algorithm>

namespace spillway::validate {

std::optional<double> offloaded_share(const Facts& facts) {
  const auto fraction = facts.number("optimizer.optimizer_offload_fraction");
  if (!fraction) return std::nullopt;
  return *fraction > 0 ? std::min(*fraction, 1.0) : 0.0;  // NaN compares false, as upstream
}

bool offloads_some(const Facts& facts) { return facts.on("optimizer.optimizer_cpu_offload") && offloaded_share(facts).value_or(0) > 0; }

bool offloads_part(const Facts& facts) { return offloads_some(facts) && offloaded_share(facts).value_or(1) < 1; }

bool is_emerging(std::string_view optimizer) {
  constexpr std::string_view kEmerging[] = {"muon", "dist_muon", "adaptive_muon", "soap", "lion"};
  return std::find(std::begin(kEmerging), std::end(kEmerging), optimizer) != std::end(kEmerging);
}

bool uses_fsdp(const Facts& facts) { return uses_megatron_fsdp(facts) || facts.on("dist.use_torch_fsdp2"); }

bool uses_megatron_fsdp(const Facts& facts) { return facts.on("ddp.use_megatron_fsdp") || facts.on("dist.use_megatron_fsdp"); }

bool uses_megatron_fsdp_v2(const Facts& facts) { return uses_megatron_fsdp(facts) && facts.integer("ddp.megatron_fsdp_version", 1) == 2; }

std::string fraction_text(const Facts& facts) { return facts.value("optimizer.optimizer_offload_fraction").str(); }

}  // namespace spillway::validate
