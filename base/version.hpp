#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace spillway {

/// A release number such as 2.16 or 0.17.0; missing parts are zero, a build suffix (`+cu12`) is ignored. A pre-release (`2.10.0.dev0`,
/// `2.9.0a0`) comes before its release, as Python's packaging orders them.
struct Version {
  int major = 0;
  int minor = 0;
  int patch = 0;
  int released = 1;  ///< 0 for a pre-release: `Version{2, 9, 0, 0}` is the earliest 2.9.
  auto operator<=>(const Version&) const = default;

  /// Errors: nothing when the text does not start with a number.
  static std::optional<Version> parse(std::string_view text);
  std::string str() const;
};

}  // namespace spillway
