#include "tools/config/shell/parser.hpp"

namespace spillway::config::shell {
namespace {

using Kind = Lexeme::Kind;

constexpr int kMaxDepth = 40;
constexpr std::string_view kClosers[] = {"then", "elif", "else", "fi", "do", "done", "esac", "}"};
constexpr std::string_view kConnectors[] = {"&&", "||", "|", "|&", ";", "&"};
constexpr std::string_view kRedirects[] = {"<", ">", ">>", "<&", ">&", "&>", "&>>", "<>", ">|"};

}  // namespace

Script Parser::parse() {
  while (here_.kind != Kind::kEnd) {
    list(script_.commands);
    if (here_.kind != Kind::kEnd) advance();  // A keyword or bracket that closes nothing.
  }
  script_.heredocs = lexer_.heredocs();
  if (!script_.problem) script_.problem = lexer_.problem();
  return std::move(script_);
}

void Parser::advance() {
  do {
    here_ = script_.problem ? Lexeme{} : lexer_.next();
    if (here_.kind == Kind::kDirective) script_.directives.push_back({here_.offset, here_.text});
  } while (here_.kind == Kind::kDirective);
}

void Parser::fail(std::size_t offset, std::string what) {
  if (!script_.problem && !lexer_.problem()) script_.problem = Lexer::Problem{offset, std::move(what)};
  here_ = {};
}

bool Parser::closes() const {
  return among(kClosers, bare()) || is_operator(")") || is_operator(";;") || is_operator(";&") || is_operator(";;&");
}

void Parser::skip_separators() {
  while (here_.kind == Kind::kNewline || is_operator(";") || is_operator("&")) advance();
}

void Parser::skip_newlines() {
  while (here_.kind == Kind::kNewline) advance();
}

void Parser::list(Commands& out) {
  auto link = Command::Link::kAlways;
  std::size_t chain = out.size();
  for (skip_separators(); here_.kind != Kind::kEnd && !closes(); skip_separators()) {
    Command next = command();
    next.link = link;
    if (link == Command::Link::kAlways) chain = out.size();
    out.push_back(std::move(next));
    if (is_operator("&")) out[chain].background = true;
    link = connector();
  }
}

Command::Link Parser::connector() {
  using Link = Command::Link;
  const Link link = is_operator("&&")                       ? Link::kAnd
                    : is_operator("||")                     ? Link::kOr
                    : is_operator("|") || is_operator("|&") ? Link::kPipe
                                                            : Link::kAlways;
  if (link == Link::kAlways) return link;
  advance();
  skip_newlines();
  return link;
}

Command Parser::command() {
  if (++depth_ > kMaxDepth) fail(here_.offset, "blocks nested too deeply");
  bool negated = false;
  for (; bare() == "!" || bare() == "time"; advance()) negated = negated != (bare() == "!");
  Command out = compound();
  out.negated = out.negated != negated;
  --depth_;
  return out;
}

Command Parser::compound() {
  const std::string_view word = bare();
  if (word == "if") return if_command();
  if (word == "for" || word == "select") return for_command();
  if (word == "while" || word == "until") return while_command();
  if (word == "case") return case_command();
  if (word == "{") return group("}");
  if (is_operator("(")) return group(")");
  if (word == "function") return function_keyword();
  if (word == "[[") return double_bracket();
  if (here_.kind == Kind::kArithmetic) return arithmetic();
  return simple();
}

Command Parser::redirected(Command out) {
  while (redirection(out)) continue;
  return out;
}

bool Parser::redirection(Command& out) {
  if (here_.kind == Kind::kHeredoc) {
    out.heredoc = here_.heredoc;
    advance();
    return true;
  }
  if (here_.kind != Kind::kOperator || !among(kRedirects, here_.text)) return false;
  advance();
  if (here_.kind == Kind::kWord) advance();
  return true;
}

Command Parser::simple() {
  Command out;
  out.offset = here_.offset;
  while (here_.kind == Kind::kWord || here_.kind == Kind::kArray || here_.kind == Kind::kArithmetic || here_.kind == Kind::kHeredoc ||
         here_.kind == Kind::kOperator) {
    if (is_operator("(") && function_definition(out)) return function_body(std::move(out));
    if (here_.kind == Kind::kOperator && !among(kRedirects, here_.text)) break;
    if (!redirection(out)) simple_part(out);
  }
  // What no construct takes must be passed, or the list around it would stay here for ever.
  const bool stuck = out.words.empty() && out.assignments.empty() && here_.kind == Kind::kOperator && !closes();
  if (stuck && !among(kConnectors, here_.text)) advance();
  return out;
}

void Parser::simple_part(Command& out) {
  if (here_.kind == Kind::kArray) {
    auto assignment = as_assignment(here_.array.name);
    assignment->array = true;
    assignment->words = std::move(here_.array.words);
    out.assignments.push_back(std::move(*assignment));
  } else if (auto assignment = out.words.empty() && here_.kind == Kind::kWord ? as_assignment(here_.word) : std::nullopt) {
    out.assignments.push_back(std::move(*assignment));
  } else if (here_.kind == Kind::kWord) {
    out.words.push_back(std::move(here_.word));
  }
  advance();
}

bool Parser::function_definition(Command& out) {
  if (out.words.size() != 1 || !out.assignments.empty() || !out.words[0].bare()) return false;
  advance();
  if (!is_operator(")")) return false;
  advance();
  out.kind = Command::Kind::kFunction;
  out.name = *out.words[0].bare();
  out.words.clear();
  return true;
}

Script parse_script(const Text& text) { return Parser(text).parse(); }

}  // namespace spillway::config::shell
