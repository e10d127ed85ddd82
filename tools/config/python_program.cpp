#include "tools/config/python_program.hpp"

#include <algorithm>

#include "tools/config/key_paths.hpp"
#include "tools/config/python_expression.hpp"

namespace spillway::config {
namespace {

/// The lines below a header with a colon.
struct Block {
  int indent = 0;                      ///< Of the header.
  int condition = 0;                   ///< Line of the header when it decides whether the block runs.
  std::optional<std::string> section;  ///< The body of a class derived from one of the configuration's.
  bool selective = false;              ///< `else` after it is a condition too.
};

bool is_assignment(const PythonToken& token) { return token.is("="); }
bool is_augmented(const PythonToken& token) {
  return token.kind == PythonToken::Kind::kOperator && token.text.size() > 1 && token.text.back() == '=' &&
         std::string_view("+-*/%&|^<>@").find(token.text.front()) != std::string_view::npos && token.text != "<=" && token.text != ">=";
}

class Program {
 public:
  Program(std::string_view source, const ReadContext& context) : source_(source), machine_(context) {}

  Reading run(const std::vector<PythonLine>& lines) {
    for (const auto& line : lines)
      if (line.tokens[0].is_name("def") && line.tokens.size() > 1) machine_.define(line.tokens[1].text);
    for (const auto& line : lines) {
      enter(line);
      statement(line.tokens, 0);
    }
    machine_.reading.form = "python-recipe";
    machine_.reading.launcher = launcher();
    return std::move(machine_.reading);
  }

 private:
  Launcher launcher() const {
    if (machine_.uses_bridge || source_.find("megatron.bridge") != std::string_view::npos) return Launcher::kBridge;
    const bool nemo = source_.find("nemo.collections") != std::string_view::npos;
    const bool core = machine_.uses_core || source_.find("megatron.core") != std::string_view::npos;
    return nemo || core ? Launcher::kMegatronCore : Launcher::kBridge;
  }

  void enter(const PythonLine& line) {
    const bool otherwise = line.tokens[0].is_name("else");
    bool selective = false;
    while (!blocks_.empty() && line.indent <= blocks_.back().indent) {
      selective = selective || (otherwise && blocks_.back().indent == line.indent && blocks_.back().selective);
      blocks_.pop_back();
    }
    else_selects_ = selective;
    machine_.condition = blocks_.empty() ? 0 : blocks_.back().condition;
    section_ = blocks_.empty() ? std::nullopt : blocks_.back().section;
    indent_ = line.indent;
  }

  void statement(const std::vector<PythonToken>& tokens, std::size_t begin) {
    if (begin >= tokens.size() || tokens[begin].is("@")) return;
    const PythonToken& first = tokens[begin];
    if (first.is_name("import") || first.is_name("from")) return imports(tokens, begin);
    if (const auto colon = header(tokens, begin)) return block(tokens, begin, *colon);
    for (const std::string_view word : {"assert", "break", "continue", "del", "global", "nonlocal", "pass", "raise"})
      if (first.is_name(word)) return;
    if (first.is_name("return") || first.is_name("yield")) return evaluate(tokens, begin + 1);
    assignment(tokens, begin);
  }

  /// The colon that ends the header of a compound statement.
  static std::optional<std::size_t> header(const std::vector<PythonToken>& tokens, std::size_t begin) {
    constexpr std::string_view kWords[] = {"async",   "case", "class", "def",   "elif", "else",  "except",
                                           "finally", "for",  "if",    "match", "try",  "while", "with"};
    if (tokens[begin].kind != PythonToken::Kind::kName ||
        std::find(std::begin(kWords), std::end(kWords), tokens[begin].text) == std::end(kWords))
      return std::nullopt;
    int open = 0;
    for (std::size_t at = begin + 1; at < tokens.size(); ++at) {
      if (tokens[at].is("(") || tokens[at].is("[") || tokens[at].is("{")) ++open;
      if (tokens[at].is(")") || tokens[at].is("]") || tokens[at].is("}")) --open;
      if (open == 0 && tokens[at].is(":")) return at;
    }
    return std::nullopt;
  }

  void block(const std::vector<PythonToken>& tokens, std::size_t begin, std::size_t colon) {
    const PythonToken& word = tokens[begin];
    Block made{indent_, machine_.condition, std::nullopt, false};
    made.selective =
        (word.is_name("if") || word.is_name("elif") || word.is_name("for") || word.is_name("while")) && !always(tokens, begin, colon);
    const bool decides = made.selective || word.is_name("case") || word.is_name("except") || (word.is_name("else") && else_selects_);
    if (word.is_name("elif")) made.selective = true;
    if (made.condition == 0 && (decides || made.selective)) made.condition = word.place.line;
    if (word.is_name("class")) made.section = base_section(tokens, begin, colon);
    if (word.is_name("def")) parameters(tokens, begin, colon);
    blocks_.push_back(made);
    // What stands behind the colon belongs to the block.
    machine_.condition = made.condition;
    section_ = made.section;
    statement(tokens, colon + 1);
  }

  /// `if True:` and the guard of a script.
  static bool always(const std::vector<PythonToken>& tokens, std::size_t begin, std::size_t colon) {
    if (!tokens[begin].is_name("if") || colon <= begin + 1) return false;
    return (colon == begin + 2 && tokens[begin + 1].is_name("True")) || tokens[begin + 1].is_name("__name__");
  }

  static std::optional<std::string> base_section(const std::vector<PythonToken>& tokens, std::size_t begin, std::size_t colon) {
    for (std::size_t at = begin + 2; at < colon; ++at)
      if (tokens[at].kind == PythonToken::Kind::kName)
        if (auto section = section_of_class(tokens[at].text)) return section;
    return std::nullopt;
  }

  /// Parameters are whatever the caller gives; one annotated as the container or one of its parts is that.
  void parameters(const std::vector<PythonToken>& tokens, std::size_t begin, std::size_t colon) {
    for (std::size_t at = begin + 2; at + 2 < colon; ++at) {
      if (tokens[at].kind != PythonToken::Kind::kName || !tokens[at + 1].is(":")) continue;
      PythonTerm term;
      for (std::size_t type = at + 2; type < colon && !tokens[type].is(",") && !tokens[type].is("=") && !term.path; ++type)
        if (tokens[type].kind == PythonToken::Kind::kName) term.path = section_of_class(tokens[type].text);
      if (term.path) machine_.bind(tokens[at].text, std::move(term), {});
    }
  }

  /// `import a.b as c`, `from a.b import c as d, e`.
  void imports(const std::vector<PythonToken>& tokens, std::size_t begin) {
    const auto dotted = [&](std::size_t& at) {
      std::string name;
      for (; at < tokens.size() &&
             (tokens[at].is(".") || tokens[at].is("...") ||
              (tokens[at].kind == PythonToken::Kind::kName && !tokens[at].is_name("import") && !tokens[at].is_name("as")));
           ++at)
        name += tokens[at].text;
      return name;
    };
    std::size_t at = begin + 1;
    std::string from;
    if (tokens[begin].is_name("from")) {
      from = dotted(at) + ".";
      ++at;
    }
    while (at < tokens.size()) {
      const std::string name = dotted(at);
      if (name.empty()) {
        ++at;
        continue;
      }
      const bool renamed = at + 1 < tokens.size() && tokens[at].is_name("as");
      const std::string local = renamed ? tokens[at + 1].text : from.empty() ? name.substr(0, name.find('.')) : name;
      machine_.import(local, renamed || !from.empty() ? from + name : local);
      at += renamed ? 2 : 0;
    }
  }

  void evaluate(const std::vector<PythonToken>& tokens, std::size_t begin) {
    PythonExpression expression(machine_, source_, tokens);
    expression.whole(begin, tokens.size());
  }

  void assignment(const std::vector<PythonToken>& tokens, std::size_t begin) {
    std::vector<std::size_t> equals;
    std::optional<std::size_t> augmented, colon;
    int open = 0;
    for (std::size_t at = begin; at < tokens.size(); ++at) {
      if (tokens[at].is("(") || tokens[at].is("[") || tokens[at].is("{")) ++open;
      if (tokens[at].is(")") || tokens[at].is("]") || tokens[at].is("}")) --open;
      if (open != 0) continue;
      if (is_assignment(tokens[at])) equals.push_back(at);
      if (is_augmented(tokens[at]) && !augmented) augmented = at;
      if (tokens[at].is(":") && !colon && equals.empty()) colon = at;
    }
    if (augmented) return change(tokens, begin, *augmented);
    if (equals.empty()) return evaluate(tokens, begin);
    const std::size_t right = equals.back() + 1;
    PythonExpression expression(machine_, source_, tokens);
    const PythonTerm term = expression.whole(right, tokens.size());
    const std::string_view written = expression.written(right, tokens.size());
    for (std::size_t i = 0, start = begin; i < equals.size(); start = equals[i++] + 1)
      assign(tokens, start, colon && i == 0 ? *colon : equals[i], term, written);
  }

  /// `x += …`: the result is not worked out.
  void change(const std::vector<PythonToken>& tokens, std::size_t begin, std::size_t at) {
    PythonExpression expression(machine_, source_, tokens);
    const auto written = std::string(expression.written(begin, tokens.size()).substr(0, 200));
    const Unknown open{written, "it is computed when the run starts"};
    if (const auto path = expression.target(begin, at))
      machine_.set(*path, open, expression.origin(begin, std::string(expression.written(begin, at))));
    else if (at == begin + 1)
      machine_.bind(tokens[begin].text, {open, {}, {}, {}}, written);
  }

  void assign(const std::vector<PythonToken>& tokens, std::size_t begin, std::size_t end, PythonTerm term, std::string_view written) {
    if (begin >= end) return;
    const bool name = end == begin + 1 && tokens[begin].kind == PythonToken::Kind::kName;
    if (name && section_) return field(tokens, begin, std::move(term), written);
    if (name) return variable(tokens, begin, std::move(term), written);
    PythonExpression expression(machine_, source_, tokens);
    const auto path = expression.target(begin, end);
    if (!path || path->empty()) return;
    // A whole object stands on the right: its keywords have become settings of its own section already.
    if (term.path && (term.path->empty() || key_facts(canonical_key(*term.path), kNewestCore).section)) return;
    machine_.set(*path, machine_.value_of(term, written),
                 expression.origin(begin, std::string(expression.written(begin, end).substr(0, 200))));
  }

  /// A field of a class derived from one of the configuration's: its default is what the run gets.
  void field(const std::vector<PythonToken>& tokens, std::size_t begin, PythonTerm term, std::string_view written) {
    PythonExpression expression(machine_, source_, tokens);
    const std::string path = section_->empty() ? tokens[begin].text : *section_ + "." + tokens[begin].text;
    machine_.set(path, machine_.value_of(term, written), expression.origin(begin, tokens[begin].text));
  }

  void variable(const std::vector<PythonToken>& tokens, std::size_t begin, PythonTerm term, std::string_view written) {
    const std::string& name = tokens[begin].text;
    if (!term.path && machine_.look_up(name).path == "" && may_be_recipe(term.function)) {
      PythonExpression expression(machine_, source_, tokens);
      machine_.recipe(last_part(term.function), expression.origin(begin, {}));
      term = {};
      term.path = "";
    }
    // A call that returns the configuration keeps it what it was: `cfg = tuned(cfg)`.
    if (!term.path && !term.function.empty() && machine_.look_up(name).path == "") return;
    if (!term.path) term = {machine_.value_of(term, written), {}, term.value.is_unknown() ? term.name : std::string(), {}};
    machine_.bind(name, std::move(term), written);
  }

  bool may_be_recipe(std::string_view function) const {
    return function.ends_with("_config") && function.front() >= 'a' && function.front() <= 'z' && !machine_.is_defined(function);
  }

  std::string_view source_;
  PythonMachine machine_;
  std::vector<Block> blocks_;
  std::optional<std::string> section_;
  int indent_ = 0;
  bool else_selects_ = false;
};

}  // namespace

Result<Reading> read_python(std::string_view text, const ReadContext& context) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (auto error = unreadable(text, context)) return *error;
  try {
    return Program(text, context).run(python_lines(text, context.max_nodes));
  } catch (const SyntaxError& error) {
    return bad_syntax(context, error.place, error.what, "check the quotes and brackets there");
  }
}

}  // namespace spillway::config
