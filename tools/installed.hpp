#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "tools/config/version.hpp"

namespace spillway {

/// One package of an environment.
struct InstalledPackage {
  std::string version;  ///< As its metadata has it: `2.9.0+cu12`.
  std::string where;    ///< The file or folder that says so.
};

/// What an installed environment or a source checkout holds, read from its files; no Python runs.
struct Installed {
  std::optional<InstalledPackage> core;    ///< Megatron-Core
  std::optional<InstalledPackage> bridge;  ///< Megatron-Bridge
  std::optional<InstalledPackage> te;      ///< Transformer Engine
  std::optional<InstalledPackage> torch;
  bool empty() const { return !core && !bridge && !te && !torch; }
};

/// Looks into a virtual environment or conda prefix (`lib/python3.*/site-packages`), a folder of packages, or a checkout of Megatron-LM or
/// Megatron-Bridge. What an editable installation points to is read there.
/// Errors: `not-a-folder`; `nothing-installed`, with what was looked for.
Result<Installed> find_installed(const std::string& folder);

/// The known version of Megatron-Core that an installed one is judged as.
struct CoreMatch {
  config::Core core;
  std::string note;  ///< Why, where it is not exactly that release; else empty.
};
/// Nothing where neither Megatron-Core nor Megatron-Bridge is there, or its version is none.
std::optional<CoreMatch> match_core(const Installed& installed);

/// A package's name as PEP 503 compares it: lower case, runs of `-`, `_` and `.` are one `-`.
std::string normalised_package(std::string_view name);

}  // namespace spillway
