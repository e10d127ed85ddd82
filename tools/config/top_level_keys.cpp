#include "tools/config/top_level_keys.hpp"

#include <algorithm>
#include <iterator>

#include "base/text.hpp"
#include "tools/config/key_paths.hpp"

namespace spillway::config {
namespace {

constexpr std::size_t kBeginning = 256u << 10;

constexpr std::string_view kSections[] = {"checkpoint",
                                          "comm_overlap",
                                          "dataset",
                                          "ddp",
                                          "dist",
                                          "env_vars",
                                          "logger",
                                          "mixed_precision",
                                          "model",
                                          "optimizer",
                                          "peft",
                                          "profiling",
                                          "rerun_state_machine",
                                          "rng",
                                          "scheduler",
                                          "tokenizer",
                                          "train",
                                          "validation"};

/// `key:` or `"key":` with nothing or a blank behind it; empty when the line is none.
std::string_view key_of(std::string_view line) {
  const bool quoted = line.starts_with("\"") || line.starts_with("'");
  const auto end = quoted ? line.find(line.front(), 1) : line.find(':');
  if (end == std::string_view::npos) return {};
  const auto rest = line.substr(quoted ? end + 1 : end);
  if (!rest.starts_with(":") || (rest.size() > 1 && rest[1] != ' ' && rest[1] != '\t' && rest[1] != '\r')) return {};
  const auto key = line.substr(quoted ? 1 : 0, quoted ? end - 1 : end);
  return key.find_first_of(" \t({=$") == std::string_view::npos ? key : std::string_view();
}

/// Lines that may stand at the left of a block mapping without being a key: blank, comment, nested, marker, list item, closing bracket.
bool is_other(std::string_view line) {
  return trim(line).empty() || std::string_view("# \t-]}%.").find(line.front()) != std::string_view::npos;
}

}  // namespace

std::string_view beginning(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text.substr(0, kBeginning);
}

std::vector<std::string_view> top_level_keys(std::string_view text) {
  std::vector<std::string_view> keys;
  for (text = beginning(text); !text.empty();) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (is_other(line)) continue;
    const auto key = key_of(line);
    if (key.empty()) return {};
    keys.push_back(key);
  }
  return keys;
}

bool has_key(const std::vector<std::string_view>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

int count_sections(const std::vector<std::string_view>& keys) {
  return static_cast<int>(
      std::count_if(std::begin(kSections), std::end(kSections), [&](std::string_view section) { return has_key(keys, section); }) +
      std::count_if(keys.begin(), keys.end(), [](std::string_view key) { return is_foreign_path(std::string(key) + "."); }));
}

bool has_targets(std::string_view text) {
  text = beginning(text);
  for (auto at = text.find("_target_:"); at != std::string_view::npos; at = text.find("_target_:", at + 1)) {
    const auto line = text.substr(0, at).rfind('\n');
    const auto before = text.substr(line == std::string_view::npos ? 0 : line + 1, at - (line == std::string_view::npos ? 0 : line + 1));
    if (before.find_first_not_of(" -{") == std::string_view::npos) return true;
  }
  return false;
}

}  // namespace spillway::config
