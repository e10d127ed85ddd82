#include "tools/config/version.hpp"

#include "base/text.hpp"
#include "base/version.hpp"

namespace spillway::config {
namespace {

/// Source: tags and branches of NVIDIA/Megatron-LM; bridge-pin is the commit that NVIDIA-NeMo/Megatron-Bridge 067f987df0 vendors.
constexpr Profile kProfiles[] = {
    {Core::k0_15, "0.15", "0d7e02bd26d3eb347ad8d1bef625002babfa6df7", ""},
    {Core::k0_16, "0.16", "3bec9aa97dda898d16ff5a89bac0ed2b6682b172", ""},
    {Core::k0_17, "0.17", "9539a12e1b04a68423f57b3eb41d6125161dca24", ""},
    {Core::k0_18, "0.18", "ba7b5ebce12af60627a80985792a1449ce45f46c", ""},
    {Core::k0_19, "0.19", "5be9626709af2722333bf54797c954c09edeada3", ""},
    {Core::kBridgePin, "bridge-pin", "2a75ac12c54ba6a42b34024756820bf819a2e25f", "2026-08-13"},
    {Core::kMain, "main", "d98e8a64ddf34856e74b24714e3bedb2f5a39553", "2026-08-22"},
    {Core::kDev, "dev", "d48bd6be0a", "2026-08-21"},
};

}  // namespace

const Profile& profile(Core core) { return kProfiles[static_cast<std::size_t>(core)]; }

std::optional<Core> parse_core(std::string_view text) {
  std::string wanted = lower(trim(text));
  for (const std::string_view prefix : {"megatron-core", "core_v", "core-v", "core-", "core_", "mcore-", "v", "==", "="})
    if (wanted.starts_with(prefix)) wanted.erase(0, prefix.size());
  if (wanted == "head" || wanted == "mlm-main") wanted = "main";
  if (wanted == "pin" || wanted == "bridge" || wanted == "bridge-head") wanted = "bridge-pin";
  for (const auto& entry : kProfiles)
    if (entry.name == wanted) return entry.core;
  const auto version = Version::parse(wanted);
  if (!version || wanted.find('.') == std::string::npos) return std::nullopt;
  for (const auto& entry : kProfiles)
    if (const auto known = Version::parse(entry.name); known && known->major == version->major && known->minor == version->minor)
      return entry.core;
  return std::nullopt;
}

std::string core_names() {
  std::string out;
  for (const auto& entry : kProfiles) out += (out.empty() ? "" : ", ") + std::string(entry.name);
  return out;
}

}  // namespace spillway::config
