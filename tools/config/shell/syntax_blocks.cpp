#include "tools/config/shell/parser.hpp"

namespace spillway::config::shell {
namespace {

using Kind = Lexeme::Kind;

Word plain_word(std::string_view text, std::size_t offset) {
  return {{{Piece::Kind::kLiteral, std::string(text), offset, false}}, offset, false};
}

}  // namespace

Command Parser::begin(Command::Kind kind) {
  Command out;
  out.kind = kind;
  out.offset = here_.offset;
  advance();
  return out;
}

void Parser::expect(std::string_view word, const Command& command, const char* what) {
  if (bare() != word && !is_operator(word)) return fail(command.offset, std::string(what) + " without its `" + std::string(word) + "`");
  advance();
}

Command Parser::if_command() {
  Command out = begin(Command::Kind::kIf);
  for (bool first = true; first || bare() == "elif"; first = false) {
    if (!first) advance();
    Branch branch;
    list(branch.condition);
    expect("then", out, "an `if`");
    list(branch.body);
    out.branches.push_back(std::move(branch));
  }
  if (bare() == "else") {
    advance();
    out.branches.emplace_back();
    list(out.branches.back().body);
  }
  expect("fi", out, "an `if`");
  return redirected(std::move(out));
}

Command Parser::for_command() {
  const bool select = bare() == "select";
  Command out = begin(Command::Kind::kFor);
  out.select = select;
  if (here_.kind == Kind::kArithmetic) {
    out.arithmetic = here_.text;
    advance();
  } else {
    out.name = bare();
    advance();
    skip_newlines();
    if (bare() == "in")
      in_words(out);
    else
      out.words.push_back({{{Piece::Kind::kVariable, "$@", out.offset, true}}, out.offset, true});
  }
  return body_of(std::move(out));
}

void Parser::in_words(Command& out) {
  for (advance(); here_.kind == Kind::kWord; advance()) out.words.push_back(std::move(here_.word));
}

Command Parser::while_command() {
  const bool until = bare() == "until";
  Command out = begin(Command::Kind::kWhile);
  out.negated = until;
  list(out.condition);
  return body_of(std::move(out));
}

Command Parser::body_of(Command out) {
  skip_separators();
  expect("do", out, "a loop");
  list(out.body);
  expect("done", out, "a loop");
  return redirected(std::move(out));
}

Command Parser::case_command() {
  Command out = begin(Command::Kind::kCase);
  if (here_.kind == Kind::kWord) out.words.push_back(std::move(here_.word));
  advance();
  skip_newlines();
  expect("in", out, "a `case`");
  for (skip_separators(); bare() != "esac" && here_.kind != Kind::kEnd; skip_separators()) case_branch(out);
  expect("esac", out, "a `case`");
  return redirected(std::move(out));
}

void Parser::case_branch(Command& out) {
  Branch branch;
  for (; !is_operator(")") && here_.kind != Kind::kEnd; advance())
    if (here_.kind == Kind::kWord) branch.patterns.push_back(std::move(here_.word));
  advance();
  for (list(branch.body); is_operator(")"); list(branch.body)) advance();
  if (is_operator(";&")) branch.next = Branch::Next::kBody;
  if (is_operator(";;&")) branch.next = Branch::Next::kTest;
  out.branches.push_back(std::move(branch));
  if (is_operator(";;") || is_operator(";&") || is_operator(";;&")) return advance();
  if (bare() != "esac") fail(out.offset, "a `case` without its `esac`");
}

Command Parser::group(std::string_view closer) {
  Command out = begin(Command::Kind::kGroup);
  out.subshell = closer == ")";
  list(out.body);
  expect(closer, out, "a group");
  return redirected(std::move(out));
}

Command Parser::function_keyword() {
  Command out = begin(Command::Kind::kFunction);
  out.name = bare();
  advance();
  if (is_operator("(")) advance();
  if (is_operator(")")) advance();
  return function_body(std::move(out));
}

Command Parser::function_body(Command out) {
  skip_newlines();
  if (here_.kind != Kind::kEnd) out.body.push_back(command());
  return out;
}

Command Parser::double_bracket() {
  Command out;
  out.offset = here_.offset;
  for (; bare() != "]]" && here_.kind != Kind::kEnd; advance()) {
    if (here_.kind == Kind::kWord)
      out.words.push_back(std::move(here_.word));
    else if (here_.kind == Kind::kOperator)
      out.words.push_back(plain_word(here_.text, here_.offset));
  }
  expect("]]", out, "a `[[`");
  return redirected(std::move(out));
}

Command Parser::arithmetic() {
  std::string text = std::move(here_.text);
  Command out = begin(Command::Kind::kArithmetic);
  out.arithmetic = std::move(text);
  return redirected(std::move(out));
}

}  // namespace spillway::config::shell
