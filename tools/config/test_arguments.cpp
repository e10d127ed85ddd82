#include "tools/config/test_arguments.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "tools/config/scalars.hpp"
#include "tools/config/tables/tables.hpp"

namespace spillway::config {
namespace {

constexpr std::string_view kReason = "the test runner fills it in from its environment";

/// A `$` before a name or a brace.
bool has_variable(std::string_view text) {
  for (auto at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    const char next = at + 1 < text.size() ? text[at + 1] : ' ';
    if (next == '{' || next == '_' || (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z')) return true;
  }
  return false;
}

/// A path with a placeholder is a path; a number with one is not known.
bool needs_value(std::string_view option, const ReadContext& context) {
  const auto flag = tables::find_flag(option, context.core, context.script);
  if (!flag) return false;
  return flag->type == tables::Flag::Type::kInt || flag->type == tables::Flag::Type::kFloat || !flag->choices.empty();
}

std::vector<std::string> blank_separated(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(" \t\r\n", at)) != std::string_view::npos;) {
    const auto end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

/// The shell takes the quotes off a single word.
std::string unquoted(std::string_view text) {
  const bool enclosed = text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return std::string(enclosed ? text.substr(1, text.size() - 2) : text);
}

std::vector<std::string> words_of_text(std::string_view text) {
  if (text == "true" || text.empty()) return {};
  if (text.starts_with("[") && text.ends_with("]")) return blank_separated(text.substr(1, text.size() - 2));
  if (text.find_first_of(" |()") != std::string_view::npos) return {std::string(text)};
  return {unquoted(text)};
}

/// A YAML list or mapping reaches the shell as lines of YAML.
Token structure(const Origin& origin) {
  return {"[…]", origin, Unknown{"[…]", "the test runner expects a text such as \"[a b]\", not a YAML list or mapping"}};
}

void append(const Entry& entry, const ReadContext& context, std::vector<Token>& tokens) {
  const Origin origin{-1, entry.place.line, entry.place.column, entry.key};
  const Node& node = *entry.node;
  const std::string text = node.kind == Node::Kind::kNull ? "null" : node.text;
  if (node.kind == Node::Kind::kScalar && text.empty()) return;
  tokens.push_back({entry.key, origin, std::nullopt});
  if (node.kind == Node::Kind::kSequence || node.kind == Node::Kind::kMapping) return tokens.push_back(structure(origin));
  for (auto& word : words_of_text(text)) {
    std::optional<Unknown> unknown;
    if (has_variable(word) && needs_value(entry.key, context)) unknown = Unknown{word, std::string(kReason)};
    tokens.push_back({std::move(word), origin, std::move(unknown)});
  }
}

}  // namespace

std::vector<Token> expand_test_arguments(const Node& arguments, const ReadContext& context) {
  std::vector<Token> tokens;
  for (const auto& entry : arguments.entries) append(entry, context, tokens);
  return tokens;
}

std::string test_argument_text(const std::vector<std::string>& words) {
  if (words.empty()) return "true";
  const bool alone = words.size() == 1 && words.front() != "true" && words.front().find_first_of("[]") == std::string::npos;
  return yaml_string(alone ? words.front() : "[" + join(words, " ") + "]");
}

}  // namespace spillway::config
