#include "tools/sizes.hpp"

#include <charconv>
#include <cmath>

#include "base/text.hpp"

namespace spillway {
namespace {

struct Unit {
  std::string_view name;
  double bytes;
  std::string_view also;  ///< Other spellings, in lower case, separated by blanks.
};

constexpr double kKi = 1024.0;
constexpr Unit kUnits[] = {
    {"GB", 1e9, "g gb"},      {"GiB", kKi* kKi* kKi, "gi gib"}, {"TB", 1e12, "t tb"}, {"TiB", kKi* kKi* kKi* kKi, "ti tib"},
    {"MB", 1e6, "m mb"},      {"MiB", kKi* kKi, "mi mib"},      {"KB", 1e3, "k kb"},  {"KiB", kKi, "ki kib"},
    {"B", 1, "b bytes byte"},
};

struct Size {
  std::string_view number;
  double amount = 0;
  const Unit* unit = nullptr;
};

const Unit* find_unit(std::string_view word) {
  const std::string wanted = lower(word);
  for (const auto& unit : kUnits)
    for (const auto spelling : split(unit.also, ' '))
      if (spelling == wanted) return &unit;
  return nullptr;
}

std::optional<Size> read(std::string_view text) {
  text = trim(text);
  Size size;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size.amount);
  if (error != std::errc() || !std::isfinite(size.amount) || size.amount < 0) return std::nullopt;
  size.number = text.substr(0, static_cast<std::size_t>(end - text.data()));
  const std::string_view word = trim(text.substr(size.number.size()));
  size.unit = word.empty() ? &kUnits[size.amount < 100'000 ? 0 : 8] : find_unit(word);
  if (size.unit == nullptr || size.amount * size.unit->bytes > 9e18) return std::nullopt;
  return size;
}

}  // namespace

std::optional<std::int64_t> parse_size(std::string_view text) {
  const auto size = read(text);
  if (!size) return std::nullopt;
  return static_cast<std::int64_t>(size->amount * size->unit->bytes);
}

std::optional<std::string> size_spelling(std::string_view text) {
  const auto size = read(text);
  if (!size) return std::nullopt;
  return std::string(size->number) + " " + std::string(size->unit->name);
}

}  // namespace spillway
