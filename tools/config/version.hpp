#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace spillway::config {

/// The Megatron-Core versions whose checks are known, oldest first. The order is the order of development, so that
/// `core >= Core::k0_19` asks "does this version have what 0.19 brought". kDev is the branch that is merged into main later: what main
/// has, and fields of its own.
enum class Core { k0_15, k0_16, k0_17, k0_18, k0_19, kBridgePin, kMain, kDev };

inline constexpr Core kOldestCore = Core::k0_15;
inline constexpr Core kNewestCore = Core::kDev;

/// Facts about a version.
struct Profile {
  Core core;
  std::string_view name;    ///< `0.17`, `bridge-pin`, `main`.
  std::string_view commit;  ///< Of NVIDIA/Megatron-LM.
  std::string_view date;    ///< Of the commit, where known.
};

const Profile& profile(Core core);
/// Understands `main`, `head`, `dev`, `bridge-pin`, `pin`, `0.17`, `0.17.0`, `v0.17.1`, `core_v0.17.0`, `core-0.17`.
std::optional<Core> parse_core(std::string_view text);
/// All names, for messages: `0.15, 0.16, …, bridge-pin, main`.
std::string core_names();

}  // namespace spillway::config
