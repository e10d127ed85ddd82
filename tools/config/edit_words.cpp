#include "tools/config/edit_words.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "tools/config/arguments.hpp"
#include "tools/config/overrides.hpp"
#include "tools/config/shell/words.hpp"
#include "tools/config/tables/tables.hpp"
#include "tools/config/text_lines.hpp"

namespace spillway::config {
namespace {

/// How words are told apart where an option stands.
enum class Quoting {
  kShell,   ///< Quotes belong to words.
  kInside,  ///< The words stand in one quoted text, which ends at its quote.
};

/// A text with the eyes of someone who changes a word of it.
class Strip : public TextLines {
 public:
  Strip(std::string_view text, Quoting quoting, bool lines_join)
      : TextLines(text), text_(text), quoting_(quoting), lines_join_(lines_join) {}

  /// Past the word that begins here.
  std::size_t past_word(std::size_t at) const {
    while (at < text_.size()) {
      const char c = text_[at];
      if (is_blank(c) || c == '\n') break;
      if (quoting_ == Quoting::kInside && (c == '"' || c == '\'')) break;
      if (quoting_ == Quoting::kShell && (c == ')' || c == ';' || c == '|' || c == '&' || c == '<' || c == '>')) break;
      at = past_part(at);
    }
    return std::min(at, text_.size());
  }

  /// The next word of the same command; npos when it ends here.
  std::size_t next_word(std::size_t at) const {
    for (;;) {
      while (at < text_.size() && is_blank(text_[at])) ++at;
      if (text_.substr(at).starts_with("\\\n"))
        at += 2;
      else if (text_.substr(at).starts_with("\\\r\n"))
        at += 3;
      else if (lines_join_ && at < text_.size() && text_[at] == '\n')
        ++at;
      else if (lines_join_ && at < text_.size() && text_[at] == '#')
        at = line_end(at);
      else
        break;
    }
    return at < text_.size() && past_word(at) > at ? at : std::string_view::npos;
  }

 private:
  std::size_t past_part(std::size_t at) const {
    const char c = text_[at];
    if (c == '\\') return at + 2;
    if (c == '\'' || c == '"') return past_quoted(at);
    if (c == '$' && at + 1 < text_.size() && (text_[at + 1] == '(' || text_[at + 1] == '{')) return past_expansion(at + 1);
    return at + 1;
  }
  std::size_t past_quoted(std::size_t at) const {
    const char quote = text_[at++];
    for (; at < text_.size() && text_[at] != quote; ++at)
      if (quote == '"' && text_[at] == '\\') ++at;
    return std::min(at + 1, text_.size());
  }
  std::size_t past_expansion(std::size_t at) const {
    const char open = text_[at], close = open == '(' ? ')' : '}';
    int depth = 0;
    for (; at < text_.size(); ++at) {
      if (text_[at] == open) ++depth;
      if (text_[at] == close && --depth == 0) return at + 1;
    }
    return text_.size();
  }

  std::string_view text_;
  Quoting quoting_;
  bool lines_join_;
};

bool is_option(std::string_view word) { return word.size() > 1 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9') && word[1] != '.'; }

/// Where the words of a setting stand.
struct Words {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// How many values an option may take; the most for `+` and `*`.
std::size_t most_values(std::string_view spelling, const ReadContext& context) {
  const auto flag = tables::find_flag(spelling, context.core, context.script);
  if (!flag || flag->nargs.empty() || flag->nargs == "?") return 1;
  if (flag->nargs == "+" || flag->nargs == "*") return 1000;
  return flag->nargs.size() == 1 ? static_cast<std::size_t>(flag->nargs[0] - '0') : 1;
}

Words words_at(const Strip& strip, std::size_t at, std::string_view spelling, const ReadContext& context) {
  Words out{at, strip.past_word(at)};
  const std::string_view first = strip.view().substr(at, out.end - at);
  if (!is_option(spelling) || first.size() > spelling.size()) return out;  // an override word, or `--x=1`
  for (std::size_t count = most_values(spelling, context); count > 0; --count) {
    const std::size_t next = strip.next_word(out.end);
    if (next == std::string_view::npos) break;
    const std::size_t end = strip.past_word(next);
    if (is_option(strip.view().substr(next, end - next))) break;
    out.end = end;
  }
  return out;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : " ") + shell::quoted_word(word);
  return out;
}

/// The words that write a setting; `spelling` is what stands there already, or empty.
std::string words_of(const Edit& edit, std::string_view spelling, bool as_option, const ReadContext& context) {
  if (edit.kind == Edit::Kind::kRemove) return "";
  Setting setting{edit.key, edit.value, {}};
  if (!as_option) {
    setting.origin.spelling = spelling;
    const auto words = write_overrides({setting}, context);
    return words ? joined(*words) : "";
  }
  const auto words = write_arguments({setting}, context);
  if (words) return joined(*words);
  // An option of a launcher's own, such as `-tp 4`.
  return spelling.empty() ? "" : std::string(spelling) + " " + shell::quoted_word(edit.value.str());
}

/// The line above ends in a backslash.
bool is_continued(const Strip& strip, std::size_t line) { return line > 0 && trim(strip.before(line - 1)).ends_with('\\'); }

/// Where the word before this one ends, blanks and continued lines between them left out.
std::size_t end_of_previous(std::string_view text, std::size_t at) {
  while (at > 0) {
    const bool joint = text[at - 1] == '\\' && at < text.size() && (text[at] == '\n' || text[at] == '\r');
    if (!joint && !is_blank(text[at - 1]) && text[at - 1] != '\n') break;
    --at;
  }
  return at;
}

void remove_words(const Strip& strip, Words words, std::vector<std::string>& out) {
  const std::size_t line = strip.line_begin(words.begin);
  const std::string_view rest = trim(strip.behind(words.end));
  if (trim(strip.before(words.begin)).empty() && (rest.empty() || rest == "\\")) {
    const std::string whole = strip.with(line, strip.past_line(words.end), "");
    const std::string joint = strip.with(end_of_previous(strip.view(), words.begin), words.end, "");
    // The last line of a command takes the backslash above with it.
    const bool last = is_continued(strip, line) && rest.empty();
    out.push_back(last ? joint : whole);
    out.push_back(last ? whole : joint);
  }
  std::size_t before = words.begin, after = words.end;
  while (before > line && is_blank(strip.view()[before - 1])) --before;
  while (after < strip.view().size() && is_blank(strip.view()[after])) ++after;
  if (before < words.begin && before > line)
    out.push_back(strip.with(before, words.end, ""));
  else
    out.push_back(strip.with(words.begin, after, ""));
}

/// On a line of its own where the sibling has one, else beside it.
void add_words(const Strip& strip, Words sibling, const std::string& words, std::vector<std::string>& out) {
  const std::string_view indent = strip.before(sibling.begin), rest = trim(strip.behind(sibling.end));
  if (trim(indent).empty()) {
    const std::string line = "\n" + std::string(indent) + words;
    const std::size_t end = strip.line_end(sibling.end);
    if (rest == "\\" || is_continued(strip, strip.line_begin(sibling.begin)))
      out.push_back(strip.with(sibling.end, sibling.end, " \\" + line));
    else if (rest.empty() || rest.starts_with('#'))
      out.push_back(strip.with(end, end, line));
  }
  out.push_back(strip.with(sibling.end, sibling.end, " " + words));
}

/// The value of a variable stands at its origin; the assignment before it.
void change_variable(const Strip& strip, std::size_t at, const Edit& edit, std::vector<std::string>& out) {
  const std::size_t end = strip.past_word(at);
  if (edit.kind == Edit::Kind::kSet) return out.push_back(strip.with(at, end, shell::quoted_word(edit.value.str())));
  const std::string_view line = strip.before(at);
  const auto name = line.rfind(edit.key.substr(4) + "=");
  if (name == std::string_view::npos) return;
  const std::string_view before = trim(line.substr(0, name));
  if ((before.empty() || before == "export") && trim(strip.behind(end)).empty())
    out.push_back(strip.with(strip.line_begin(at), strip.past_line(at), ""));
  std::size_t after = end;
  while (after < strip.view().size() && is_blank(strip.view()[after])) ++after;
  out.push_back(strip.with(strip.line_begin(at) + name, after, ""));
}

void add_variable(const Strip& strip, const Reading& reading, const Edit& edit, std::vector<std::string>& out) {
  const std::string line = "export " + edit.key.substr(4) + "=" + shell::quoted_word(edit.value.str()) + "\n";
  for (auto setting = reading.settings.rbegin(); setting != reading.settings.rend(); ++setting) {
    if (!setting->key.starts_with("env.")) continue;
    if (const auto at = strip.offset(setting->origin)) {
      const std::size_t end = strip.past_line(*at);
      out.push_back(strip.with(end, end, line));
    }
  }
  // Below the comments at the top.
  std::size_t at = 0;
  while (at < strip.view().size() && strip.view()[at] == '#') at = strip.past_line(at);
  out.push_back(strip.with(at, at, line));
}

bool is_word_of(const Setting& setting, bool as_option) {
  if (setting.key.starts_with("env.") || setting.key.starts_with("launch.")) return false;
  return is_option(setting.origin.spelling) == as_option;
}

/// Enough to find one whose neighbourhood is of the command itself.
constexpr std::size_t kMaxSiblings = 4;

void add_beside(const Strip& strip, const Reading& reading, const Edit& edit, const ReadContext& context, std::vector<std::string>& out) {
  const bool as_option = reading.launcher == Launcher::kMegatronLm;
  const std::string words = words_of(edit, {}, as_option, context);
  if (words.empty()) return;
  std::size_t seen = 0;
  for (auto setting = reading.settings.rbegin(); setting != reading.settings.rend() && seen < kMaxSiblings; ++setting) {
    if (!is_word_of(*setting, as_option)) continue;
    if (const auto at = strip.offset(setting->origin)) {
      add_words(strip, words_at(strip, *at, setting->origin.spelling, context), words, out);
      ++seen;
    }
  }
}

void edit_with(const Strip& strip, const Reading& reading, const Edit& edit, const ReadContext& context, std::vector<std::string>& out) {
  for (auto setting = reading.settings.rbegin(); setting != reading.settings.rend(); ++setting) {
    if (setting->key != edit.key) continue;
    const auto at = strip.offset(setting->origin);
    if (!at) return;
    if (edit.key.starts_with("env.") && !setting->origin.spelling.starts_with("env_vars")) return change_variable(strip, *at, edit, out);
    const Words words = words_at(strip, *at, setting->origin.spelling, context);
    if (edit.kind == Edit::Kind::kRemove) return remove_words(strip, words, out);
    const std::string fresh = words_of(edit, setting->origin.spelling, is_option(setting->origin.spelling), context);
    if (!fresh.empty()) out.push_back(strip.with(words.begin, words.end, fresh));
    return;
  }
  if (edit.kind == Edit::Kind::kRemove) return;
  if (edit.key.starts_with("env.")) return add_variable(strip, reading, edit, out);
  add_beside(strip, reading, edit, context, out);
}

}  // namespace

std::vector<std::string> edit_words(std::string_view text, const Reading& reading, const Edit& edit, const ReadContext& context) {
  std::vector<std::string> out;
  const bool lines_join = reading.form == "megatron-arguments" || reading.form == "bridge-overrides";
  edit_with(Strip(text, Quoting::kShell, lines_join), reading, edit, context, out);
  edit_with(Strip(text, Quoting::kInside, lines_join), reading, edit, context, out);
  return out;
}

}  // namespace spillway::config
