#include "tools/config/shell/syntax.hpp"

#include <algorithm>

namespace spillway::config::shell {
namespace {

using Kind = Lexeme::Kind;

constexpr int kMaxDepth = 40;
constexpr std::string_view kClosers[] = {"then", "elif", "else", "fi", "do", "done", "esac", "}"};
constexpr std::string_view kRedirects[] = {"<", ">", ">>", "<&", ">&", "&>", "&>>", "<>", ">|"};

template <std::size_t N>
bool among(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

Word plain_word(std::string_view text, std::size_t offset) {
  return {{{Piece::Kind::kLiteral, std::string(text), offset, false}}, offset, false};
}

class Parser {
 public:
  explicit Parser(const Text& text) : lexer_(text, Lexer::Mode::kScript) { advance(); }

  Script parse() {
    while (here_.kind != Kind::kEnd) {
      list(script_.commands);
      if (here_.kind != Kind::kEnd) advance();  // A keyword or bracket that closes nothing.
    }
    script_.heredocs = lexer_.heredocs();
    if (!script_.problem) script_.problem = lexer_.problem();
    return std::move(script_);
  }

 private:
  void advance() {
    do {
      here_ = script_.problem ? Lexeme{} : lexer_.next();
      if (here_.kind == Kind::kDirective) script_.directives.push_back({here_.offset, here_.text});
    } while (here_.kind == Kind::kDirective);
  }

  void fail(std::size_t offset, std::string what) {
    if (!script_.problem && !lexer_.problem()) script_.problem = Lexer::Problem{offset, std::move(what)};
    here_ = {};
  }

  std::string_view bare() const { return here_.kind == Kind::kWord ? here_.word.bare().value_or("") : std::string_view{}; }
  bool is_operator(std::string_view op) const { return here_.kind == Kind::kOperator && here_.text == op; }
  bool closes() const {
    return among(kClosers, bare()) || is_operator(")") || is_operator(";;") || is_operator(";&") || is_operator(";;&");
  }

  void skip_separators() {
    while (here_.kind == Kind::kNewline || is_operator(";") || is_operator("&")) advance();
  }

  void skip_newlines() {
    while (here_.kind == Kind::kNewline) advance();
  }

  /// Commands up to something that closes the block around them.
  void list(Commands& out) {
    auto link = Command::Link::kAlways;
    for (skip_separators(); here_.kind != Kind::kEnd && !closes(); skip_separators()) {
      Command next = command();
      next.link = link;
      out.push_back(std::move(next));
      link = connector();
    }
  }

  Command::Link connector() {
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

  Command command() {
    if (++depth_ > kMaxDepth) fail(here_.offset, "blocks nested too deeply");
    bool negated = false;
    for (; bare() == "!" || bare() == "time"; advance()) negated = negated != (bare() == "!");
    Command out = compound();
    out.negated = out.negated != negated;
    --depth_;
    return out;
  }

  Command compound() {
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

  Command begin(Command::Kind kind) {
    Command out;
    out.kind = kind;
    out.offset = here_.offset;
    advance();
    return out;
  }

  /// Takes the word that must stand here; the blocks of a script must be closed.
  void expect(std::string_view word, const Command& command, const char* what) {
    if (bare() != word && !is_operator(word)) return fail(command.offset, std::string(what) + " without its `" + std::string(word) + "`");
    advance();
  }

  Command if_command() {
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

  Command for_command() {
    Command out = begin(Command::Kind::kFor);
    if (here_.kind == Kind::kArithmetic) {
      out.arithmetic = here_.text;
      advance();
    } else {
      out.name = bare();
      advance();
      skip_newlines();
      if (bare() == "in") in_words(out);
    }
    return body_of(std::move(out));
  }

  void in_words(Command& out) {
    for (advance(); here_.kind == Kind::kWord; advance()) out.words.push_back(std::move(here_.word));
  }

  Command while_command() {
    const bool until = bare() == "until";
    Command out = begin(Command::Kind::kWhile);
    out.negated = until;
    list(out.condition);
    return body_of(std::move(out));
  }

  Command body_of(Command out) {
    skip_separators();
    expect("do", out, "a loop");
    list(out.body);
    expect("done", out, "a loop");
    return redirected(std::move(out));
  }

  Command case_command() {
    Command out = begin(Command::Kind::kCase);
    if (here_.kind == Kind::kWord) out.words.push_back(std::move(here_.word));
    advance();
    skip_newlines();
    expect("in", out, "a `case`");
    for (skip_separators(); bare() != "esac" && here_.kind != Kind::kEnd; skip_separators()) case_branch(out);
    expect("esac", out, "a `case`");
    return redirected(std::move(out));
  }

  void case_branch(Command& out) {
    Branch branch;
    for (; !is_operator(")") && here_.kind != Kind::kEnd; advance())
      if (here_.kind == Kind::kWord) branch.patterns.push_back(std::move(here_.word));
    advance();
    for (list(branch.body); is_operator(")"); list(branch.body)) advance();
    out.branches.push_back(std::move(branch));
    if (is_operator(";;") || is_operator(";&") || is_operator(";;&")) return advance();
    if (bare() != "esac") fail(out.offset, "a `case` without its `esac`");
  }

  Command group(std::string_view closer) {
    Command out = begin(Command::Kind::kGroup);
    out.subshell = closer == ")";
    list(out.body);
    expect(closer, out, "a group");
    return redirected(std::move(out));
  }

  Command function_keyword() {
    Command out = begin(Command::Kind::kFunction);
    out.name = bare();
    advance();
    if (is_operator("(")) advance();
    if (is_operator(")")) advance();
    return function_body(std::move(out));
  }

  Command function_body(Command out) {
    skip_newlines();
    if (here_.kind != Kind::kEnd) out.body.push_back(command());
    return out;
  }

  /// `[[ … ]]`: operators are words there.
  Command double_bracket() {
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

  Command arithmetic() {
    Command out;
    out.arithmetic = here_.text;
    Command begun = begin(Command::Kind::kArithmetic);
    begun.arithmetic = std::move(out.arithmetic);
    return redirected(std::move(begun));
  }

  /// Redirections behind a block.
  Command redirected(Command out) {
    while (redirection(out)) continue;
    return out;
  }

  bool redirection(Command& out) {
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

  Command simple() {
    Command out;
    out.offset = here_.offset;
    while (here_.kind == Kind::kWord || here_.kind == Kind::kArray || here_.kind == Kind::kArithmetic || here_.kind == Kind::kHeredoc ||
           here_.kind == Kind::kOperator) {
      if (is_operator("(") && function_definition(out)) return function_body(std::move(out));
      if (here_.kind == Kind::kOperator && !among(kRedirects, here_.text)) break;
      if (!redirection(out)) simple_part(out);
    }
    if (out.words.empty() && out.assignments.empty() && here_.kind == Kind::kOperator && !closes() && !is_operator(";") &&
        !is_operator("&")) {
      if (!is_operator("&&") && !is_operator("||") && !is_operator("|") && !is_operator("|&")) advance();
    }
    return out;
  }

  void simple_part(Command& out) {
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

  /// `name()`.
  bool function_definition(Command& out) {
    if (out.words.size() != 1 || !out.assignments.empty() || !out.words[0].bare()) return false;
    advance();
    if (!is_operator(")")) return false;
    advance();
    out.kind = Command::Kind::kFunction;
    out.name = *out.words[0].bare();
    out.words.clear();
    return true;
  }

  Lexer lexer_;
  Lexeme here_;
  Script script_;
  int depth_ = 0;
};

}  // namespace

Script parse_script(const Text& text) { return Parser(text).parse(); }

}  // namespace spillway::config::shell
