#include "tools/config/edit_python.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "tools/config/text_lines.hpp"

namespace spillway::config {
namespace {

/// A text with the eyes of someone who changes an assignment of it.
class Listing : public TextLines {
 public:
  explicit Listing(std::string_view text) : TextLines(text), text_(text) {}

  bool is_statement(std::size_t at, std::string_view spelling) const {
    return spelling.find('.') != std::string_view::npos && trim(before(at)).empty();
  }

  struct Expression {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  /// What stands behind the next `=` up to the comma, bracket or line end that closes it.
  std::optional<Expression> expression(std::size_t at) const {
    at = text_.find('=', at);
    if (at == std::string_view::npos) return std::nullopt;
    ++at;
    while (at < text_.size() && is_blank(text_[at])) ++at;
    const std::size_t begin = at;
    int depth = 0;
    while (at < text_.size()) {
      const char c = text_[at];
      if (depth == 0 && (c == ',' || c == ')' || c == ']' || c == '}' || c == '\n' || c == '#' || c == ';')) break;
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') --depth;
      at = c == '"' || c == '\'' ? past_string(at) : at + (c == '\\' ? 2 : 1);
    }
    at = std::min(at, text_.size());
    while (at > begin && (is_blank(text_[at - 1]) || text_[at - 1] == '\n')) --at;
    return Expression{begin, at};
  }

 private:
  std::size_t past_string(std::size_t at) const {
    const std::string_view quote = text_.substr(at).starts_with(std::string(3, text_[at])) ? text_.substr(at, 3) : text_.substr(at, 1);
    for (at += quote.size(); at < text_.size(); ++at) {
      if (text_[at] == '\\')
        ++at;
      else if (text_.substr(at).starts_with(quote))
        return at + quote.size();
    }
    return text_.size();
  }
  std::string_view text_;
};

std::vector<std::string> remove(const Listing& listing, std::size_t at, bool statement, Listing::Expression expression) {
  const std::string_view text = listing.view();
  if (statement) return {listing.with(listing.line_begin(at), listing.past_line(expression.end), "")};
  std::size_t after = expression.end, before = at;
  while (after < text.size() && is_blank(text[after])) ++after;
  if (after < text.size() && text[after] == ',') {
    ++after;
    const bool alone = trim(listing.before(at)).empty() && trim(text.substr(after, listing.past_line(after) - after)).empty();
    if (alone) return {listing.with(listing.line_begin(at), listing.past_line(after), "")};
    while (after < text.size() && is_blank(text[after])) ++after;
    return {listing.with(at, after, "")};
  }
  while (before > 0 && (is_blank(text[before - 1]) || text[before - 1] == '\n')) --before;
  if (before > 0 && text[before - 1] == ',') --before;
  return {listing.with(before, expression.end, "")};
}

std::string add_beside(const Listing& listing, const Setting& sibling, std::size_t at, Listing::Expression expression, const Edit& edit) {
  const std::string name = edit.key.substr(edit.key.rfind('.') + 1), &spelling = sibling.origin.spelling;
  if (listing.is_statement(at, spelling)) {
    const std::string owner = spelling.substr(0, spelling.rfind('.') + 1);
    const std::size_t end = listing.past_line(expression.end);
    const bool open = end > 0 && listing.view()[end - 1] != '\n';
    return listing.with(end, end, (open ? "\n" : "") + std::string(listing.before(at)) + owner + name + " = " + edit.value.repr() + "\n");
  }
  const bool own_line = trim(listing.before(at)).empty();
  const std::string between = own_line ? ",\n" + std::string(listing.before(at)) : ", ";
  return listing.with(expression.end, expression.end, between + name + "=" + edit.value.repr());
}

}  // namespace

std::vector<std::string> edit_python(std::string_view text, const Reading& reading, const Edit& edit, const ReadContext&) {
  const Listing listing(text);
  std::vector<std::string> out;
  const std::string section = edit.key.substr(0, edit.key.rfind('.') + 1);
  // A value that follows from a new object stands nowhere itself.
  const auto stands = [](const Setting& setting) { return !setting.origin.spelling.empty(); };
  const bool present = std::any_of(reading.settings.begin(), reading.settings.end(),
                                   [&](const Setting& setting) { return setting.key == edit.key && stands(setting); });
  for (auto setting = reading.settings.rbegin(); setting != reading.settings.rend(); ++setting) {
    if (!stands(*setting)) continue;
    if (present ? setting->key != edit.key : !setting->key.starts_with(section)) continue;
    const auto at = listing.offset(setting->origin);
    const auto expression = at ? listing.expression(*at) : std::nullopt;
    if (!expression) continue;
    const bool statement = listing.is_statement(*at, setting->origin.spelling);
    if (!present && edit.kind == Edit::Kind::kSet)
      out.push_back(add_beside(listing, *setting, *at, *expression, edit));
    else if (edit.kind == Edit::Kind::kRemove)
      out = remove(listing, *at, statement, *expression);
    else
      out.push_back(listing.with(expression->begin, expression->end, edit.value.repr()));
    if (present) break;
  }
  // A recipe called without any change of that section: beside the last change of another one.
  if (!present && edit.kind == Edit::Kind::kSet && out.empty())
    for (auto setting = reading.settings.rbegin(); setting != reading.settings.rend(); ++setting) {
      const std::string& spelling = setting->origin.spelling;
      const auto at = listing.offset(setting->origin);
      const auto dots = std::count(spelling.begin(), spelling.end(), '.');
      const auto expression = at && dots >= 2 && listing.is_statement(*at, spelling) ? listing.expression(*at) : std::nullopt;
      if (!expression) continue;
      const std::size_t end = listing.past_line(expression->end);
      const std::string root = spelling.substr(0, spelling.find('.') + 1);
      out.push_back(listing.with(end, end, std::string(listing.before(*at)) + root + edit.key + " = " + edit.value.repr() + "\n"));
      break;
    }
  return out;
}

}  // namespace spillway::config
