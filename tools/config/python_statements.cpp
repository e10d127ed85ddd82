#include "tools/config/python_statements.hpp"

#include <algorithm>

namespace spillway::config {
namespace {

constexpr std::string_view kHeaders[] = {"async",   "case", "class", "def",   "elif", "else",  "except",
                                         "finally", "for",  "if",    "match", "try",  "while", "with"};

/// Blocks nested deeper than anybody writes stay in the block around them.
constexpr std::size_t kMaxBlocks = 100;

/// The colon that ends the header of a compound statement.
std::optional<std::size_t> header(const std::vector<PythonToken>& tokens, std::size_t begin) {
  if (tokens[begin].kind != PythonToken::Kind::kName ||
      std::find(std::begin(kHeaders), std::end(kHeaders), tokens[begin].text) == std::end(kHeaders))
    return std::nullopt;
  int open = 0;
  bool lambda = false;
  for (std::size_t at = begin + 1; at < tokens.size(); ++at) {
    if (tokens[at].is("(") || tokens[at].is("[") || tokens[at].is("{")) ++open;
    if (tokens[at].is(")") || tokens[at].is("]") || tokens[at].is("}")) --open;
    if (open == 0 && tokens[at].is_name("lambda")) lambda = true;
    if (open == 0 && tokens[at].is(":") && !std::exchange(lambda, false)) return at;
  }
  return std::nullopt;
}

PythonStatement statement_at(const std::vector<PythonToken>& tokens, std::size_t begin) {
  if (tokens[begin].is_name("async") && begin + 1 < tokens.size()) ++begin;
  PythonStatement out{&tokens, begin, header(tokens, begin), {}};
  if (out.colon && *out.colon + 1 < tokens.size()) out.body.push_back({&tokens, *out.colon + 1, std::nullopt, {}});
  return out;
}

}  // namespace

std::vector<PythonStatement> python_statements(const std::vector<PythonLine>& lines) {
  struct Open {
    int indent;
    PythonStatement statement;
  };
  std::vector<PythonStatement> out;
  std::vector<Open> open;
  const auto close = [&] {
    PythonStatement done = std::move(open.back().statement);
    open.pop_back();
    (open.empty() ? out : open.back().statement.body).push_back(std::move(done));
  };
  const PythonToken* last = nullptr;
  for (const auto& line : lines) {
    // `if x: a; b`: what a semicolon divides stays in the block of the header before it.
    const bool divided = last != nullptr && last->place.line == line.tokens[0].place.line;
    while (!open.empty() && line.indent <= open.back().indent && !(divided && !open.back().statement.body.empty())) close();
    last = &line.tokens.back();
    PythonStatement next = statement_at(line.tokens, 0);
    if (next.colon && open.size() < kMaxBlocks)
      open.push_back({line.indent, std::move(next)});
    else
      (open.empty() ? out : open.back().statement.body).push_back(std::move(next));
  }
  while (!open.empty()) close();
  return out;
}

void collect_assigned(const std::vector<PythonStatement>& block, std::vector<std::string>& names) {
  for (const auto& statement : block) {
    if (statement.starts_with("def") || statement.starts_with("class")) continue;
    const auto& tokens = *statement.tokens;
    const std::size_t next = statement.begin + 1;
    const bool assigns = next < tokens.size() && tokens[statement.begin].kind == PythonToken::Kind::kName &&
                         tokens[next].kind == PythonToken::Kind::kOperator && (tokens[next].text.ends_with("=") || tokens[next].is(","));
    if (assigns && !tokens[next].is("==")) names.push_back(tokens[statement.begin].text);
    collect_assigned(statement.body, names);
  }
}

}  // namespace spillway::config
