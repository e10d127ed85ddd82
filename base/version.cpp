#include "base/version.hpp"

#include <charconv>

namespace spillway {

std::optional<Version> Version::parse(std::string_view text) {
  if (!text.empty() && (text.front() == 'v' || text.front() == 'V')) text.remove_prefix(1);
  Version version;
  int* const parts[] = {&version.major, &version.minor, &version.patch};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int i = 0; i < 3; ++i) {
    const auto [next, error] = std::from_chars(at, end, *parts[i]);
    if (error != std::errc() || *parts[i] < 0) return i == 0 ? std::nullopt : std::optional(version);
    if (next == end || *next != '.') return version;
    at = next + 1;
  }
  return version;
}

std::string Version::str() const {
  std::string out = std::to_string(major);
  out.append(".").append(std::to_string(minor));
  if (patch != 0) out.append(".").append(std::to_string(patch));
  return out;
}

}  // namespace spillway
