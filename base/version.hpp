#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace spillway {

/// A release number such as 2.16 or 0.17.0; missing parts are zero, suffixes (`.dev0`, `+cu12`) are ignored.
struct Version {
  int major = 0;
  int minor = 0;
  int patch = 0;
  auto operator<=>(const Version&) const = default;

  /// Errors: nothing when the text does not start with a number.
  static std::optional<Version> parse(std::string_view text);
  std::string str() const;
};

}  // namespace spillway
