#include "base/version.hpp"

#include <cctype>
#include <charconv>

namespace spillway {
namespace {

/// `.dev0`, `a0`, `b1`, `rc2` after the numbers mark a pre-release; `+cu12` and `.post1` do not.
bool is_prerelease(std::string_view rest) {
  if (rest.starts_with('.') || rest.starts_with('-') || rest.starts_with('_')) rest.remove_prefix(1);
  for (const std::string_view mark : {"dev", "rc", "alpha", "beta"})
    if (rest.starts_with(mark)) return true;
  const bool letter = rest.starts_with('a') || rest.starts_with('b') || rest.starts_with('c');
  return letter && rest.size() > 1 && std::isdigit(static_cast<unsigned char>(rest[1])) != 0;
}

}  // namespace

std::optional<Version> Version::parse(std::string_view text) {
  if (!text.empty() && (text.front() == 'v' || text.front() == 'V')) text.remove_prefix(1);
  Version version;
  int* const parts[] = {&version.major, &version.minor, &version.patch};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int i = 0; i < 3; ++i) {
    const auto [next, error] = std::from_chars(at, end, *parts[i]);
    if (error != std::errc() || *parts[i] < 0) {
      if (i == 0) return std::nullopt;
      *parts[i] = 0;
      break;
    }
    at = next;
    if (next == end || *next != '.') break;
    at = next + 1;
  }
  if (is_prerelease(std::string_view(at, static_cast<std::size_t>(end - at)))) version.released = 0;
  return version;
}

std::string Version::str() const {
  std::string out = std::to_string(major);
  out.append(".").append(std::to_string(minor));
  if (patch != 0) out.append(".").append(std::to_string(patch));
  if (released == 0) out.append(".dev0");
  return out;
}

}  // namespace spillway
