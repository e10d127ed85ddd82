#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace spillway {

/// Hash that lets a map keyed by std::string be asked with a string_view.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

/// A map keyed by text; look-ups take a string_view without a copy.
template <class T>
using TextMap = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

std::string_view trim(std::string_view text);
std::string lower(std::string_view text);
bool iequals(std::string_view a, std::string_view b);
std::vector<std::string_view> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// The number of single-character insertions, deletions, substitutions and neighbour swaps that turn `a` into `b`.
/// Cost: |a|·|b|; gives up early and returns limit + 1 when the distance exceeds `limit`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

/// The candidates that `word` was probably meant to be, best first, at most `count`; empty when none is near.
/// Case and `-`/`_` do not count as differences.
std::vector<std::string> nearest(std::string_view word, const std::vector<std::string_view>& candidates, std::size_t count = 3);

/// Length of the valid UTF-8 sequence that starts at byte `at`; 0 when none does.
std::size_t utf8_length(std::string_view text, std::size_t at);

/// The text with each byte that is not part of valid UTF-8 replaced by U+FFFD, so that it can stand in JSON.
std::string valid_utf8(std::string_view text);

}  // namespace spillway
