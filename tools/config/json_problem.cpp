#include "tools/config/json_problem.hpp"

#include "base/visible.hpp"

namespace spillway::config {
namespace {

constexpr std::size_t kMaxShown = 200;  // Bytes; the library quotes the whole token, and that may be the whole text.

/// The text behind a mark, or all of it.
std::string_view behind(std::string_view text, std::string_view mark) {
  const auto at = text.find(mark);
  return at == std::string_view::npos ? text : text.substr(at + mark.size());
}

}  // namespace

std::string json_problem(std::string_view what) {
  if (what.starts_with("[json.exception.")) what = behind(what, "] ");
  constexpr std::string_view kOverflow = "number overflow parsing ";
  if (const auto at = what.find(kOverflow); at != std::string_view::npos)
    return "the number " + clipped(what.substr(at + kOverflow.size()), kMaxShown) + " is too large";
  if (what.starts_with("parse error")) what = behind(what, ": ");
  if (what.starts_with("syntax error")) what = behind(what, " - ");
  return clipped(what, kMaxShown);
}

}  // namespace spillway::config
