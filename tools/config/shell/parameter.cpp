#include "tools/config/shell/parameter.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "tools/config/shell/glob.hpp"

namespace spillway::config::shell {
namespace {

constexpr std::string_view kSpecial = "@*#?$!-";

/// `${NAME[index]op operand}` taken apart.
struct Parameter {
  std::string_view name;
  std::string_view index;
  bool length = false;    ///< `${#NAME}`
  bool indirect = false;  ///< `${!NAME}`
  std::string_view op;
  std::string_view operand;
};

/// Longest first.
constexpr std::string_view kOperators[] = {":-", ":=", ":+", ":?", "%%", "##", "//", "^^", ",,", "-",
                                           "=",  "+",  "?",  "%",  "#",  "/",  ":",  "^",  ",",  "@"};

std::size_t name_length(std::string_view text) {
  if (text.empty()) return 0;
  if (kSpecial.find(text[0]) != std::string_view::npos) return 1;
  std::size_t length = 0;
  while (length < text.size() && is_name_char(text[length])) ++length;
  return length;
}

Parameter taken_apart(std::string_view text) {
  Parameter out;
  text.remove_prefix(1);
  if (!text.starts_with("{")) {
    out.name = text;
    return out;
  }
  text = text.substr(1, text.size() - 2);
  out.length = text.size() > 1 && text[0] == '#' && (is_name_char(text[1]) || text[1] == '@');
  out.indirect = text.size() > 1 && text[0] == '!';
  if (out.length || out.indirect) text.remove_prefix(1);
  out.name = text.substr(0, name_length(text));
  text.remove_prefix(out.name.size());
  if (text.starts_with("[")) {
    const std::size_t close = std::min(text.find(']'), text.size());
    out.index = text.substr(1, close - 1);
    text.remove_prefix(std::min(close + 1, text.size()));
  }
  for (const auto op : kOperators)
    if (text.starts_with(op)) {
      out.op = op;
      break;
    }
  out.operand = text.substr(out.op.size());
  return out;
}

std::string lookup_reason(std::string_view name) {
  if (name == "@" || name == "*") return "the arguments given when the script is started";
  if (name == "#" || (name[0] >= '0' && name[0] <= '9')) return "a positional parameter, known when the script is started";
  if (kSpecial.find(name[0]) != std::string_view::npos) return "known when the script runs";
  return "the shell variable " + std::string(name) + " is not set in this script";
}

class Expander {
 public:
  Expander(const Piece& piece, Environment& environment, bool unset_is_empty, int depth)
      : piece_(piece), parameter_(taken_apart(piece.text)), environment_(environment), unset_is_empty_(unset_is_empty), depth_(depth) {}

  Expansion expand() {
    if (parameter_.name.empty() || parameter_.indirect || depth_ > kMaxNesting) return open("an expansion that is not followed");
    auto found = lookup();
    if (!spent_) return open("the expansions of this script grow too large");
    if (parameter_.length) return length(found);
    if (!parameter_.op.empty()) return operate(std::move(found));
    if (found) return std::move(*found);
    if (surely_unset()) return {{Field{}}, false};
    if (!unset_is_empty_ || !may_be_taken_as_unset()) return open(lookup_reason(parameter_.name));
    take_as("unset");
    return {{Field{}}, false};
  }

 private:
  bool name_is_variable() const {
    return !(parameter_.name[0] >= '0' && parameter_.name[0] <= '9') && kSpecial.find(parameter_.name[0]) == std::string_view::npos;
  }
  /// An argument that the caller of a function left out, or a variable after `unset`.
  bool surely_unset() const {
    return name_is_variable() ? parameter_.index.empty() && environment_.variables.is_unset(parameter_.name)
                              : environment_.arguments_known && std::isdigit(static_cast<unsigned char>(parameter_.name[0])) != 0 &&
                                    parameter_.name != "0";
  }
  /// What the script does not set may come from its surroundings; then what it does without is a good guess, said aloud.
  bool may_be_taken_as_unset() const {
    if (name_is_variable()) return !is_set_by_system(parameter_.name) && environment_.variables.find(parameter_.name) == nullptr;
    return !environment_.arguments_known && !environment_.arguments_differ && parameter_.name != "0" &&
           kSpecial.substr(2).find(parameter_.name[0]) == std::string_view::npos;
  }
  void take_as(const std::string& what) {
    if (!name_is_variable())
      environment_.assume_no_arguments(piece_.offset);
    else
      environment_.assume(std::string(parameter_.name), "not set by the script; taken as " + what, piece_.offset);
  }
  Expansion open(std::string reason) const { return {{open_field(piece_, std::move(reason))}, false}; }
  Expansion literal(std::string text) const { return {{{{std::move(text), piece_.offset, {}, false}}}, false}; }

  std::optional<Expansion> lookup() {
    if (!name_is_variable()) return argument();
    environment_.touch(parameter_.name);
    const Variable* variable = environment_.variables.find(parameter_.name);
    if (variable == nullptr) return std::nullopt;
    spent_ = environment_.spend(variable->weight());
    if (!spent_) return std::nullopt;
    const bool all = parameter_.index == "@" || parameter_.index == "*";
    if (all && variable->keyed && variable->elements.size() > 1 && !parameter_.length)
      return open("bash keeps named elements in an order of its own");
    if (all) return Expansion{variable->elements, parameter_.index == "@"};
    if (parameter_.index.empty()) return Expansion{{variable->scalar()}, false};
    if (variable->keyed) return named_element(*variable);
    const auto index = arithmetic_of(parameter_.index, environment_);
    if (!index) return open("an index that is not known");
    const auto size = static_cast<std::int64_t>(variable->elements.size());
    const auto at = *index < 0 ? *index + size : *index;
    if (at < 0 || at >= size) return std::nullopt;
    return Expansion{{variable->elements[static_cast<std::size_t>(at)]}, false};
  }

  std::optional<Expansion> named_element(const Variable& variable) {
    Text text;
    text.append(parameter_.index, piece_.offset);
    const Field key = expand_operand(text, environment_, depth_ + 1);
    if (uncertain(key) != nullptr) return open(uncertain(key)->reason);
    const std::size_t at = variable.position(text_of(key));
    return at < variable.elements.size() ? Expansion{{variable.elements[at]}, false} : Expansion{{Field{}}, false};
  }

  /// The arguments of the function that runs; those of the script itself are not known.
  std::optional<Expansion> argument() {
    environment_.touch("@");
    if (!environment_.arguments_known) return std::nullopt;
    const auto& arguments = environment_.arguments;
    if (parameter_.name == "@" || parameter_.name == "*") return Expansion{arguments, parameter_.name == "@"};
    if (parameter_.name == "#") return literal(std::to_string(arguments.size()));
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(parameter_.name.data(), parameter_.name.data() + parameter_.name.size(), number);
    if (error != std::errc{} || end != parameter_.name.data() + parameter_.name.size() || number == 0 || number > arguments.size())
      return std::nullopt;
    return Expansion{{arguments[number - 1]}, false};
  }

  Expansion length(const std::optional<Expansion>& found) const {
    if (!found && !surely_unset()) return open(lookup_reason(parameter_.name));
    if (!found) return literal("0");
    std::size_t bytes = 0;
    for (const auto& value : found->values) {
      if (uncertain(value) != nullptr) return open(uncertain(value)->reason);
      bytes += text_of(value).size();
    }
    const bool counts = parameter_.index == "@" || parameter_.index == "*" || parameter_.name == "@" || parameter_.name == "*";
    return literal(std::to_string(counts ? found->values.size() : bytes));
  }

  Expansion operand() {
    Text text;
    text.append(parameter_.operand, piece_.offset + static_cast<std::size_t>(parameter_.operand.data() - piece_.text.data()));
    return {{expand_operand(text, environment_, depth_ + 1)}, false};
  }

  Expansion operate(std::optional<Expansion> found) {
    const char action = parameter_.op.back();
    const bool colon = parameter_.op.starts_with(":") && parameter_.op.size() == 2;
    const bool simple = colon || (parameter_.op.size() == 1 && std::string_view("-=+?").find(action) != std::string_view::npos);
    if (!simple) return edit(std::move(found));
    bool empty = !found;
    if (found && colon)
      empty = std::all_of(found->values.begin(), found->values.end(),
                          [](const Field& value) { return text_of(value).empty() && uncertain(value) == nullptr; });
    if (found && uncertain_emptiness(*found)) return open(uncertain(found->values[0])->reason);
    const bool guess = !found && !surely_unset();
    if (guess && (action == '?' || !may_be_taken_as_unset())) return open(lookup_reason(parameter_.name));
    if (action == '+') {
      if (guess) take_as("unset");
      return empty ? Expansion{{Field{}}, false} : operand();
    }
    if (!empty) return std::move(*found);
    if (action == '?') return open("the script stops here, since it is empty");
    Expansion out = operand();
    if (guess && uncertain(out.values[0]) == nullptr) take_as(out.values[0].empty() ? "empty" : text_of(out.values[0]).substr(0, 200));
    if (action == '=' && name_is_variable()) {
      environment_.variables.set(std::string(parameter_.name), {out.values, false, false});
      environment_.grounds_of[std::string(environment_.variables.resolve(parameter_.name))] = environment_.touched;
    }
    return out;
  }

  /// A value of which it is not known whether it is there at all: which way the operator goes is not known either.
  static bool uncertain_emptiness(const Expansion& found) {
    if (found.values.size() != 1 || uncertain(found.values[0]) == nullptr) return false;
    return std::none_of(found.values[0].begin(), found.values[0].end(),
                        [](const Fragment& fragment) { return fragment.reason.empty() && !fragment.text.empty(); });
  }

  /// `%`, `#`, `/` and their like, on a value that is certain.
  Expansion edit(std::optional<Expansion> found) {
    if (!found) return open(lookup_reason(parameter_.name));
    if (parameter_.op == ":") return sliced(*found);
    if (found->values.size() != 1) return open("an expansion that is not followed");
    const Field& value = found->values[0];
    if (uncertain(value) != nullptr) return open(uncertain(value)->reason);
    const std::string text = text_of(value);
    const Field pattern = operand().values[0];
    const auto edited = uncertain(pattern) != nullptr ? std::nullopt : edited_text(text, text_of(pattern));
    if (!edited) return open("an expansion that is not followed");
    return {{{{*edited, value.empty() ? piece_.offset : value.front().offset, {}, false}}}, false};
  }

  /// `${@:FIRST}`, `${A[@]:FIRST:COUNT}`, `${A:FIRST:COUNT}`.
  Expansion sliced(const Expansion& of) {
    const auto colon = parameter_.operand.find(':');
    const auto first = arithmetic_of(parameter_.operand.substr(0, colon), environment_);
    const auto count = colon == std::string_view::npos ? std::optional<std::int64_t>(kMaxValueBytes)
                                                       : arithmetic_of(parameter_.operand.substr(colon + 1), environment_);
    if (!first || !count || *first < 0 || *count < 0) return open("an expansion that is not followed");
    const bool all = parameter_.name == "@" || parameter_.index == "@";
    if (!all && (of.values.size() != 1 || parameter_.name == "*" || !parameter_.index.empty()))
      return open("an expansion that is not followed");
    const auto from = static_cast<std::size_t>(*first), length = static_cast<std::size_t>(*count);
    if (!all) {
      if (const Fragment* fragment = uncertain(of.values[0])) return open(fragment->reason);
      const std::string text = text_of(of.values[0]);
      return literal(from < text.size() ? text.substr(from, length) : std::string());
    }
    // The first argument has the number 1.
    const std::size_t skipped = parameter_.name == "@" ? std::max<std::size_t>(from, 1) - 1 : from;
    if (parameter_.name == "@" && from == 0) return open("the name of the script");
    Expansion out{{}, true};
    for (std::size_t at = skipped; at < of.values.size() && out.values.size() < length; ++at) {
      if (!environment_.spend(of.values[at].size() + 1)) return open("the expansions of this script grow too large");
      out.values.push_back(of.values[at]);
    }
    return out;
  }

  std::optional<std::string> edited_text(const std::string& text, const std::string& pattern) const {
    if (parameter_.op[0] == '%' || parameter_.op[0] == '#') {
      const auto rest = without_affix(text, pattern, parameter_.op);
      return rest ? std::optional<std::string>(*rest) : std::nullopt;
    }
    if (parameter_.op[0] == ',' && pattern.empty()) return parameter_.op.size() == 2 ? std::optional(lower(text)) : std::nullopt;
    if (parameter_.op == "^^" && pattern.empty()) return upper(text);
    if (parameter_.op[0] == '/') return replaced(text, pattern, parameter_.op.size() == 2);
    return std::nullopt;
  }

  static std::string upper(std::string text) {
    for (char& c : text)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return text;
  }

  static std::optional<std::string> replaced(const std::string& text, std::string_view pattern, bool all) {
    const auto slash = pattern.find('/');
    const std::string_view from = pattern.substr(0, slash),
                           to = slash == std::string_view::npos ? std::string_view{} : pattern.substr(slash + 1);
    if (from.empty() || from.find_first_of("*?[]#%\\") != std::string_view::npos) return std::nullopt;
    std::string out;
    std::size_t at = 0;
    for (auto next = text.find(from); next != std::string::npos && (all || at == 0) && out.size() < kMaxValueBytes;
         next = text.find(from, at)) {
      out.append(text, at, next - at).append(to);
      at = next + from.size();
    }
    return out + text.substr(at);
  }

  const Piece& piece_;
  Parameter parameter_;
  Environment& environment_;
  bool unset_is_empty_;
  int depth_;
  bool spent_ = true;
};

}  // namespace

Field open_field(const Piece& piece, std::string reason) { return {{piece.text, piece.offset, std::move(reason), true}}; }

Expansion expand_parameter(const Piece& piece, Environment& environment, bool unset_is_empty, int depth) {
  return Expander(piece, environment, unset_is_empty, depth).expand();
}

}  // namespace spillway::config::shell
