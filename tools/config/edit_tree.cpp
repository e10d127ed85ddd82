#include "tools/config/edit_tree.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "tools/config/scalars.hpp"
#include "tools/config/text_lines.hpp"

namespace spillway::config {
namespace {

/// Byte offsets; `end` is past the last.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// A text with the eyes of someone who changes an entry of it.
class Sheet : public TextLines {
 public:
  explicit Sheet(std::string_view text) : TextLines(text), text_(text) {}

  std::size_t indent(std::size_t at) const {
    const std::size_t begin = line_begin(at);
    const auto first = text_.find_first_not_of(' ', begin);
    return (first == std::string_view::npos ? text_.size() : first) - begin;
  }
  bool is_first_on_line(std::size_t at) const { return line_begin(at) + indent(at) == at; }
  /// Nothing but blanks and a comment stands from here to the end of the line.
  bool is_rest_empty(std::size_t at) const {
    while (at < text_.size() && is_blank(text_[at])) ++at;
    return at >= text_.size() || text_[at] == '\n' || text_[at] == '#';
  }

  /// Past the quoted text that begins here.
  std::size_t past_quoted(std::size_t at) const {
    const char quote = text_[at++];
    for (; at < text_.size(); ++at) {
      if (quote == '"' && text_[at] == '\\')
        ++at;
      else if (text_[at] == quote && !(quote == '\'' && at + 1 < text_.size() && text_[at + 1] == quote))
        return at + 1;
      else if (text_[at] == quote)
        ++at;
    }
    return text_.size();
  }

  /// Whether brackets are open at this place, so that commas separate entries.
  bool in_flow(std::size_t place) const {
    int depth = 0;
    for (std::size_t at = 0; at < place; ++at) at = step(at, depth) - 1;
    return depth > 0;
  }

  /// Past the key that begins here and its colon; npos when there is none.
  std::size_t past_colon(std::size_t at) const {
    if (at < text_.size() && (text_[at] == '"' || text_[at] == '\'')) {
      at = past_quoted(at);
      while (at < text_.size() && is_blank(text_[at])) ++at;
      return at < text_.size() && text_[at] == ':' ? at + 1 : std::string_view::npos;
    }
    for (; at < text_.size() && text_[at] != '\n'; ++at)
      if (text_[at] == ':' && (at + 1 >= text_.size() || is_blank(text_[at + 1]) || text_[at + 1] == '\n')) return at + 1;
    return std::string_view::npos;
  }

  /// The value behind a colon, without the blanks around it; in block style it may stand on the lines below.
  Span value(std::size_t key, std::size_t colon, bool flow) const {
    std::size_t at = colon;
    while (at < text_.size() && (is_blank(text_[at]) || (flow && text_[at] == '\n'))) ++at;
    if (flow) return {at, trimmed(at, flow_end(at))};
    if (is_rest_empty(at)) return {colon, block_end(key)};
    const std::size_t begin = at;
    while (at < text_.size() && (text_[at] == '!' || text_[at] == '&')) at = past_word(at);
    if (at < text_.size() && (text_[at] == '[' || text_[at] == '{')) return {begin, past_brackets(at)};
    if (at < text_.size() && (text_[at] == '"' || text_[at] == '\'')) return {begin, past_quoted(at)};
    if (is_rest_empty(at) || text_[at] == '|' || text_[at] == '>') return {begin, block_end(key)};
    return {begin, plain_end(key, at)};
  }

  /// The whole entry: in block style its lines, in flow style with one of the commas around it.
  Span entry(std::size_t key, bool flow) const {
    const Span inner = value(key, past_colon(key), flow);
    if (!flow) return {line_begin(key), std::max(past_line(key), past_line(inner.end == 0 ? key : inner.end - 1))};
    std::size_t after = inner.end, before = key;
    while (after < text_.size() && (is_blank(text_[after]) || text_[after] == '\n')) ++after;
    if (after < text_.size() && text_[after] == ',') {
      ++after;
      while (after < text_.size() && (is_blank(text_[after]) || text_[after] == '\n')) ++after;
      return {key, after};
    }
    while (before > 0 && (is_blank(text_[before - 1]) || text_[before - 1] == '\n')) --before;
    return before > 0 && text_[before - 1] == ',' ? Span{before - 1, inner.end} : Span{key, inner.end};
  }

  std::string with(Span span, std::string_view replacement) const { return TextLines::with(span.begin, span.end, replacement); }
  std::string_view cut(Span span) const { return TextLines::cut(span.begin, span.end); }

 private:
  /// Past one character, a quoted text or a comment; counts brackets.
  std::size_t step(std::size_t at, int& depth) const {
    const char c = text_[at];
    const bool fresh = at == 0 || is_blank(text_[at - 1]) || text_[at - 1] == '\n';
    const bool opens = fresh || text_[at - 1] == '[' || text_[at - 1] == '{' || text_[at - 1] == ',' || text_[at - 1] == ':';
    if ((c == '"' || c == '\'') && opens) return past_quoted(at);
    if (c == '#' && fresh) return past_line(at);
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    return at + 1;
  }
  std::size_t past_brackets(std::size_t at) const {
    int depth = 0;
    do at = step(at, depth);
    while (at < text_.size() && depth > 0);
    return at;
  }
  /// At the comma or bracket that ends an entry in flow style.
  std::size_t flow_end(std::size_t at) const {
    int depth = 0;
    while (at < text_.size()) {
      const char c = text_[at];
      if (depth == 0 && (c == ',' || c == ']' || c == '}')) break;
      at = step(at, depth);
    }
    return at;
  }
  std::size_t trimmed(std::size_t begin, std::size_t end) const {
    while (end > begin && (is_blank(text_[end - 1]) || text_[end - 1] == '\n')) --end;
    return end;
  }
  std::size_t past_word(std::size_t at) const {
    while (at < text_.size() && !is_blank(text_[at]) && text_[at] != '\n') ++at;
    while (at < text_.size() && is_blank(text_[at])) ++at;
    return at;
  }
  /// The end of the last line that belongs to the key: deeper ones, and items of a list in the same column.
  std::size_t block_end(std::size_t key) const {
    const std::size_t own = key - line_begin(key);
    std::size_t end = past_line(key);
    for (std::size_t at = end; at < text_.size(); at = past_line(at)) {
      const std::size_t depth = indent(at);
      const std::string_view line = trim(text_.substr(at, past_line(at) - at));
      if (line.empty() || (line.starts_with('#') && depth <= own)) continue;
      if (depth < own || (depth == own && !(line == "-" || line.starts_with("- ")))) break;
      end = past_line(at);
    }
    return trimmed(key, end);
  }
  std::size_t plain_end(std::size_t key, std::size_t at) const {
    const std::size_t own = key - line_begin(key), begin = at;
    for (;;) {
      while (at < text_.size() && text_[at] != '\n' && !(text_[at] == '#' && is_blank(text_[at - 1]))) ++at;
      const std::size_t next = at < text_.size() && text_[at] == '\n' ? at + 1 : text_.size();
      if (next >= text_.size() || indent(next) <= own || is_rest_empty(next)) return trimmed(begin, at);
      at = next;
    }
  }

  std::string_view text_;
};

/// A block list that only loses items loses just their lines.
std::optional<std::string> shorter_list(const Sheet& sheet, Span value, const Edit& edit) {
  const List* kept = edit.value.list();
  if (kept == nullptr || kept->empty()) return std::nullopt;
  std::string out;
  std::size_t next = 0, at = sheet.past_line(value.begin);
  out = sheet.cut({value.begin, at});
  for (; at < value.end; at = sheet.past_line(at)) {
    const std::size_t end = std::min(sheet.past_line(at), value.end);
    const std::string_view line = sheet.cut({at, end}), item = trim(line);
    if (item.starts_with("- ")) {
      std::string_view word = trim(item.substr(2));
      word = trim(word.substr(0, word.find(" #")));
      if (word.size() > 1 && (word.front() == '"' || word.front() == '\'')) word = word.substr(1, word.size() - 2);
      if (next >= kept->size() || (*kept)[next].str() != word) continue;
      ++next;
    } else if (!item.empty() && !item.starts_with('#')) {
      return std::nullopt;
    }
    out += line;
  }
  if (next != kept->size()) return std::nullopt;
  while (!out.empty() && (out.back() == '\n')) out.pop_back();
  return out;
}

std::vector<std::string> change_entry(const Sheet& sheet, std::size_t key, const Edit& edit, const EntryText& entry) {
  const bool flow = sheet.in_flow(key);
  const std::size_t colon = sheet.past_colon(key);
  if (colon == std::string_view::npos) return {};
  if (edit.kind == Edit::Kind::kRemove) {
    std::vector<std::string> out{sheet.with(sheet.entry(key, flow), "")};
    if (flow) return out;
    // The section may have lost its only entry: it goes too, or stays empty.
    const std::size_t line = sheet.line_begin(key), above = line == 0 ? 0 : sheet.line_begin(line - 1);
    if (line > 0 && sheet.indent(above) < sheet.indent(key) && trim(sheet.before(line - 1)).ends_with(':'))
      out.push_back(sheet.with({above, sheet.entry(key, flow).end}, ""));
    out.push_back(sheet.with({key, sheet.entry(key, flow).end}, "{}\n"));
    return out;
  }
  std::vector<std::string> out;
  const Span value = sheet.value(key, colon, flow);
  const bool below = !flow && sheet.is_rest_empty(colon);
  const Span whole{entry.renames ? key : value.begin, value.end};
  if (below) {
    if (auto list = shorter_list(sheet, value, edit)) out.push_back(sheet.with(value, *list));
    // What stands behind the colon is a comment: it stays.
    const std::string_view first = sheet.cut({colon, std::min(sheet.past_line(colon), value.end)});
    const std::string comment(trim(first));
    out.push_back(sheet.with({colon, value.end}, " " + entry.value + (comment.empty() ? "" : "  " + comment)));
    return out;
  }
  out.push_back(sheet.with(whole, entry.renames ? entry.key + ": " + entry.value : entry.value));
  return out;
}

std::string add_after(const Sheet& sheet, std::size_t sibling, const EntryText& entry) {
  if (sheet.in_flow(sibling)) {
    const std::size_t end = sheet.value(sibling, sheet.past_colon(sibling), true).end;
    const bool own_line = sheet.is_first_on_line(sibling);
    const std::string between = own_line ? ",\n" + std::string(sheet.indent(sibling), ' ') : ", ";
    return sheet.with({end, end}, between + entry.key + ": " + entry.value);
  }
  const std::size_t end = sheet.entry(sibling, false).end;
  const bool open = end > 0 && sheet.view()[end - 1] != '\n';
  std::string line = (open ? "\n" : "") + std::string(sheet.indent(sibling), ' ') + entry.key + ": " + entry.value;
  return sheet.with({end, end}, line + (open ? "" : "\n"));
}

/// Whether two spellings stand under the same section: `model.a` and `model.b`, not `model.nested.a`.
bool is_in(std::string_view spelling, std::string_view section) {
  const auto dot = spelling.rfind('.');
  return section.empty() || (dot != std::string_view::npos && spelling.substr(0, dot) == section);
}

/// Enough to find one that is written in the section itself, not through an alias.
constexpr std::size_t kMaxSiblings = 8;

std::vector<std::string> add_entry(const Sheet& sheet, const Reading& reading, const EntryText& entry, std::string_view section) {
  std::vector<std::string> out;
  for (const bool exact : {true, false})
    for (auto sibling = reading.settings.rbegin(); sibling != reading.settings.rend() && out.size() < kMaxSiblings; ++sibling) {
      if (is_in(sibling->origin.spelling, section) != exact) continue;
      const bool close = exact || sibling->key.starts_with(std::string(section.substr(0, section.find('.'))) + ".");
      const auto at = sheet.offset(sibling->origin);
      if (close && at && sheet.past_colon(*at) != std::string_view::npos) out.push_back(add_after(sheet, *at, entry));
    }
  const bool open = !sheet.view().empty() && sheet.view().back() != '\n';
  if (!section.empty() && section.find('.') == std::string_view::npos)
    out.push_back(std::string(sheet.view()) + (open ? "\n" : "") + std::string(section) + ":\n  " + entry.key + ": " + entry.value + "\n");
  return out;
}

}  // namespace

std::vector<std::string> edit_tree(std::string_view text, const Reading& reading, const Edit& edit, const EntryText& entry,
                                   std::string_view section) {
  const Sheet sheet(text);
  for (auto setting = reading.settings.rbegin(); setting != reading.settings.rend(); ++setting) {
    if (setting->key != edit.key) continue;
    const auto at = sheet.offset(setting->origin);
    return at ? change_entry(sheet, *at, edit, entry) : std::vector<std::string>{};
  }
  return add_entry(sheet, reading, entry, section);
}

std::vector<std::string> edit_yaml(std::string_view text, const Reading& reading, const Edit& edit, const ReadContext&) {
  const auto dot = edit.key.rfind('.');
  const std::string section = dot == std::string::npos ? "" : edit.key.substr(0, dot);
  const std::string name = dot == std::string::npos ? edit.key : edit.key.substr(dot + 1);
  EntryText entry{yaml_string(name), yaml_text(edit.value).value_or(""), false};
  return edit_tree(text, reading, edit, entry, section == "env" ? "env_vars" : section);
}

}  // namespace spillway::config
