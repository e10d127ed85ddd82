#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "tools/config/version.hpp"

namespace spillway::config::tables {

/// The lines of an embedded table, without those that start with `#`.
std::vector<std::string_view> data_lines(const char* begin, const char* end);

/// The next word up to a separator; what follows stays in `rest`.
std::string_view take(std::string_view& rest, char separator);

/// The words of a list; none for an empty text.
std::vector<std::string_view> words(std::string_view text, char separator);

/// The first N columns of a line.
template <std::size_t N>
std::array<std::string_view, N> columns(std::string_view line) {
  std::array<std::string_view, N> out;
  for (auto& column : out) column = take(line, '\t');
  return out;
}

/// Whether a column of versions ("first and last", see the tables' own first lines) covers one: dev has what main has.
inline bool covers(std::string_view versions, Core core) {
  const auto digit = [](Core of) { return static_cast<char>('0' + static_cast<int>(of)); };
  const char last = versions[1] == digit(Core::kMain) ? digit(Core::kDev) : versions[1];
  return versions[0] <= digit(core) && digit(core) <= last;
}

/// Texts to row numbers by hash. A text may lead to several rows; they are found in the reverse order of adding.
class Index {
 public:
  explicit Index(std::size_t expected) : heads_(std::bit_ceil(expected * 2), kNone) { entries_.reserve(expected); }

  void add(std::string_view text, std::size_t row) {
    std::uint32_t& head = heads_[slot(text)];
    entries_.push_back({text, static_cast<std::uint32_t>(row), head});
    head = static_cast<std::uint32_t>(entries_.size() - 1);
  }

  template <typename Visit>
  void each(std::string_view text, Visit visit) const {
    for (std::uint32_t at = heads_[slot(text)]; at != kNone; at = entries_[at].next)
      if (entries_[at].text == text) visit(entries_[at].row);
  }

 private:
  struct Entry {
    std::string_view text;
    std::uint32_t row;
    std::uint32_t next;
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::size_t slot(std::string_view text) const { return std::hash<std::string_view>{}(text) & (heads_.size() - 1); }

  std::vector<std::uint32_t> heads_;
  std::vector<Entry> entries_;
};

}  // namespace spillway::config::tables
