#include "tools/validate/parse_order.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "tools/config/arguments.hpp"

namespace spillway::validate {

using Kind = config::Remark::Kind;

namespace {

/// A word that argparse leaves over, with what stands behind it.
std::string words_of(const config::Remark& remark) {
  if (remark.kind == Kind::kFlagValue) return remark.detail;
  if (remark.detail.empty() || remark.detail.starts_with('=')) return remark.subject + remark.detail;
  return remark.subject + " " + remark.detail;
}

}  // namespace

bool is_unrecognized(const config::Remark& remark) {
  return (remark.kind == Kind::kUnknownFlag || remark.kind == Kind::kFlagValue) && !config::stops_parsing(remark);
}

std::string unrecognized_words(const Facts& facts) {
  std::string words;
  for (const auto& remark : facts.remarks())
    if (is_unrecognized(remark)) words += (words.empty() ? "" : " ") + words_of(remark);
  return words;
}

int parse_sequence(const Facts& facts, const config::Remark& remark) {
  return static_cast<int>(std::min<std::ptrdiff_t>(&remark - facts.remarks().data(), kUnrecognized - 1));
}

int apply_sequence(const config::Origin& origin) {
  return kUnrecognized + std::clamp(origin.source, 0, 20) * 100'000'000 + std::clamp(origin.line, 0, 99'999) * 1000 +
         std::clamp(origin.column, 0, 999);
}

bool in_override_word(const Facts& facts, const config::Origin& origin) {
  const auto form = facts.form(origin);
  if (origin.spelling.starts_with('-') || origin.spelling.find('.') == std::string::npos) return false;
  return form == "bridge-overrides" || form == "shell-script";
}

std::string with_suggestions(const std::string& subject, const config::Remark& remark) {
  if (remark.suggestions.empty()) return subject;
  const std::vector<std::string> few(remark.suggestions.begin(),
                                     remark.suggestions.begin() + std::min<std::ptrdiff_t>(2, std::ssize(remark.suggestions)));
  return subject + " (did you mean " + join(few, " or ") + "?)";
}

std::string_view spelled_key(const config::Origin& origin) {
  std::string_view spelling = origin.spelling;
  spelling.remove_prefix(std::min(spelling.find_first_not_of("+~"), spelling.size()));
  return spelling;
}

}  // namespace spillway::validate
