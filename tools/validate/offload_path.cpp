#include "tools/validate/offload_path.hpp"

namespace spillway::validate {

namespace {

constexpr Version kV2Since{2, 10, 0};

}  // namespace

bool offload_path_is_v1(const Facts& facts) { return facts.te() < kV2Since || facts.env("NVTE_CPU_OFFLOAD_V1") == "1"; }

OffloadPath offload_path(const Facts& facts) {
  if (facts.te() >= kV2Since && !facts.env_stated()) return OffloadPath::kV2Unstated;
  return offload_path_is_v1(facts) ? OffloadPath::kV1 : OffloadPath::kV2;
}

std::string_view unless_v1(OffloadPath path) {
  return path == OffloadPath::kV2Unstated ? " (unless the launch sets NVTE_CPU_OFFLOAD_V1=1)" : "";
}

}  // namespace spillway::validate
