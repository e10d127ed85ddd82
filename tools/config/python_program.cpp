#include "tools/config/python_program.hpp"

#include <algorithm>
#include <map>

#include "tools/config/key_paths.hpp"
#include "tools/config/python_arithmetic.hpp"
#include "tools/config/python_expression.hpp"
#include "tools/config/python_statements.hpp"

namespace spillway::config {
namespace {

/// Statements that loops and calls may run again. Beyond, the rest is left out with a remark; at 40 us each unoptimised this is a second.
constexpr std::size_t kMaxRepeated = 20'000, kMaxRounds = 64;
constexpr int kMaxCalls = 30;
/// Sections in which a field of an object that is not known is looked for.
constexpr std::string_view kSections[] = {"model.", "optimizer.", "ddp.", "comm_overlap."};

using Block = std::vector<PythonStatement>;
using Tokens = std::vector<PythonToken>;

bool is_assignment(const PythonToken& token) { return token.is("="); }
bool is_augmented(const PythonToken& token) {
  return token.kind == PythonToken::Kind::kOperator && token.text.size() > 1 && token.text.back() == '=' &&
         std::string_view("+-*/%&|^<>@").find(token.text.front()) != std::string_view::npos && token.text != "<=" && token.text != ">=";
}

/// How a statement ends: what follows runs, runs perhaps, or does not run.
enum class Flow {
  kNext,
  kMaybeJump,    ///< A `break` or `continue` under a condition.
  kMaybeReturn,  ///< A `return` under a condition.
  kContinue,
  kBreak,
  kReturn,
  kRaise
};

/// Of two ways through a condition the one that leaves more open.
Flow conditional(Flow flow) {
  if (flow == Flow::kContinue || flow == Flow::kBreak) return Flow::kMaybeJump;
  if (flow == Flow::kReturn) return Flow::kMaybeReturn;
  return flow == Flow::kRaise ? Flow::kNext : flow;
}

constexpr std::string_view kNemo = "nemo.collections";

class Program {
 public:
  Program(std::string_view source, const ReadContext& context) : source_(source), machine_(context) {
    machine_.call = [this](const std::string& name, const std::vector<PythonArgument>& given) { return call(name, given); };
  }

  Reading run(const std::vector<PythonLine>& lines) {
    const Block program = python_statements(lines);
    limit_ = lines.size() + kMaxRepeated;
    for (const auto& line : lines)
      if (line.tokens[0].is_name("def") && line.tokens.size() > 1) machine_.define(line.tokens[1].text);
    for (const auto& statement : program)
      if (is_function(statement)) functions_[name_of(statement)] = &statement;
    run_block(program);
    run_entry(program, lines);
    machine_.reading.form = "python-recipe";
    machine_.reading.launcher = launcher();
    if (machine_.reading.launcher == Launcher::kMegatronCore && is_nemo())
      machine_.reading.settings.push_back({"launch.front_end", "NeMo 2", {-1, 0, 0, std::string(kNemo)}});
    return std::move(machine_.reading);
  }

 private:
  struct Frame {
    std::optional<PythonTerm> result;
    bool differs = false;
  };

  /// `def NAME(`: anything else is no function that could be run.
  static bool is_function(const PythonStatement& statement) {
    const Tokens& tokens = *statement.tokens;
    return statement.starts_with("def") && statement.colon && statement.begin + 3 < tokens.size() &&
           tokens[statement.begin + 1].kind == PythonToken::Kind::kName && tokens[statement.begin + 2].is("(");
  }

  static std::string name_of(const PythonStatement& definition) { return (*definition.tokens)[definition.begin + 1].text; }

  Launcher launcher() const {
    if (machine_.uses_bridge || source_.find("megatron.bridge") != std::string_view::npos) return Launcher::kBridge;
    const bool core = machine_.uses_core || source_.find("megatron.core") != std::string_view::npos;
    return is_nemo() || core ? Launcher::kMegatronCore : Launcher::kBridge;
  }

  bool is_nemo() const { return source_.find(kNemo) != std::string_view::npos; }

  // Blocks
  Flow run_block(const Block& block) {
    const int before = machine_.condition;
    Flow flow = Flow::kNext;
    for (std::size_t at = 0; at < block.size();) {
      std::size_t next = at + 1;
      const bool chains =
          block[at].starts_with("if") || block[at].starts_with("try") || block[at].starts_with("for") || block[at].starts_with("while");
      while (chains && next < block.size() && block[next].colon && continues(block[next])) ++next;
      const Flow one = statement(block, at, next);
      if (one >= Flow::kContinue) {
        machine_.condition = before;
        return one;
      }
      flow = std::max(flow, one);
      // From here on everything depends on the jump not having been made.
      if (one != Flow::kNext && machine_.condition == 0) machine_.condition = block[at].first().place.line;
      at = next;
    }
    machine_.condition = before;
    return flow;
  }

  static bool continues(const PythonStatement& statement) {
    for (const std::string_view word : {"elif", "else", "except", "finally"})
      if (statement.starts_with(word)) return true;
    return false;
  }

  Flow under(int line, const Block& block) {
    const int before = machine_.condition;
    if (machine_.condition == 0) machine_.condition = line;
    const Flow flow = run_block(block);
    machine_.condition = before;
    return conditional(flow);
  }

  Flow statement(const Block& block, std::size_t at, std::size_t end) {
    const PythonStatement& here = block[at];
    if (++statements_ > limit_) return too_much(here);
    const Tokens& tokens = *here.tokens;
    if (here.first().is("@")) return Flow::kNext;
    if (here.starts_with("import") || here.starts_with("from")) return imports(tokens, here.begin), Flow::kNext;
    if (here.colon) return compound(block, at, end);
    return simple(tokens, here.begin);
  }

  Flow too_much(const PythonStatement& here) {
    if (statements_ == limit_ + 1) {
      const Place place = here.first().place;
      machine_.may_change("", "what follows", {-1, place.line, place.column, {}});
    }
    return Flow::kRaise;
  }

  Flow simple(const Tokens& tokens, std::size_t begin) {
    const PythonToken& first = tokens[begin];
    if (first.is_name("return")) return returned(tokens, begin + 1);
    if (first.is_name("break")) return Flow::kBreak;
    if (first.is_name("continue")) return Flow::kContinue;
    if (first.is_name("raise")) return Flow::kRaise;
    if (first.is_name("global")) {
      for (std::size_t at = begin + 1; at < tokens.size(); at += 2) machine_.global(tokens[at].text);
      return Flow::kNext;
    }
    if (first.is_name("del")) return deleted(tokens, begin + 1), Flow::kNext;
    if (first.is_name("pass") || first.is_name("nonlocal")) return Flow::kNext;
    if (first.is_name("yield") || first.is_name("assert") || first.is_name("await"))
      return evaluate(tokens, begin + 1, tokens.size()), Flow::kNext;
    assignment(tokens, begin);
    return exits(tokens, begin) ? Flow::kRaise : Flow::kNext;
  }

  static bool exits(const Tokens& tokens, std::size_t begin) {
    const bool system = begin + 3 < tokens.size() && tokens[begin].is_name("sys") && tokens[begin + 2].is_name("exit");
    return system ||
           (begin + 1 < tokens.size() && (tokens[begin].is_name("exit") || tokens[begin].is_name("quit")) && tokens[begin + 1].is("("));
  }

  Flow compound(const Block& block, std::size_t at, std::size_t end) {
    const PythonStatement& here = block[at];
    if (here.starts_with("def")) return defined(here);
    if (here.starts_with("class")) return class_body(here);
    if (here.starts_with("if")) return choice(block, at, end);
    if (here.starts_with("try")) return attempt(block, at, end);
    if (here.starts_with("for") || here.starts_with("while")) return loop(block, at, end);
    if (here.starts_with("with")) return with_block(here);
    evaluate(*here.tokens, here.begin + 1, *here.colon);
    if (here.starts_with("match")) return conditional(run_block(here.body));
    return under(here.first().place.line, here.body);
  }

  Flow defined(const PythonStatement& here) {
    if (is_function(here)) functions_[name_of(here)] = &here;
    return Flow::kNext;
  }

  Flow class_body(const PythonStatement& here) {
    const auto before = std::exchange(section_, base_section(*here.tokens, here.begin, *here.colon));
    const std::size_t mark = machine_.mark();
    machine_.enter();
    for (const auto& field : here.body)
      if (!field.colon && !field.first().is("@") && section_) assignment(*field.tokens, field.begin);
    machine_.leave();
    in_classes_ += machine_.mark() - mark;
    section_ = before;
    return Flow::kNext;
  }

  /// `if`, its `elif`s and its `else`: one of them runs.
  Flow choice(const Block& block, std::size_t at, std::size_t end) {
    Flow flow = Flow::kNext;
    for (; at < end; ++at) {
      const PythonStatement& arm = block[at];
      const bool otherwise = arm.starts_with("else");
      const auto known = otherwise ? std::nullopt : decided(*arm.tokens, arm.begin + 1, *arm.colon);
      if (known == false) continue;
      if (known == true) return std::max(flow, flow == Flow::kNext ? run_block(arm.body) : under(arm.first().place.line, arm.body));
      if (!otherwise) evaluate(*arm.tokens, arm.begin + 1, *arm.colon);
      flow = std::max(flow, under(arm.first().place.line, arm.body));
    }
    return flow;
  }

  /// `True`, `False`, the guard of a script, and what only a type checker sees.
  static std::optional<bool> decided(const Tokens& tokens, std::size_t begin, std::size_t colon) {
    if (begin < colon && tokens[begin].is_name("__name__")) return true;
    if (colon != begin + 1) return std::nullopt;
    if (tokens[begin].is_name("True")) return true;
    if (tokens[begin].is_name("False") || tokens[begin].is_name("TYPE_CHECKING")) return false;
    return std::nullopt;
  }

  /// The body is taken as running to its end; then `except` does not run, `else` and `finally` do.
  Flow attempt(const Block& block, std::size_t at, std::size_t end) {
    const std::size_t mark = machine_.mark();
    const PythonToken& first = block[at].first();
    Flow flow = run_block(block[at].body);
    const bool did = machine_.mark() > mark;
    bool caught = false;
    for (std::size_t part = at + 1; part < end; ++part) {
      caught = caught || block[part].starts_with("except");
      if (block[part].starts_with("else") && flow < Flow::kContinue) flow = std::max(flow, run_block(block[part].body));
      if (block[part].starts_with("finally")) flow = std::max(flow, run_block(block[part].body));
    }
    if (did && caught)
      machine_.taken("try in line " + std::to_string(first.place.line), "its body runs to the end without an exception",
                     {-1, first.place.line, first.place.column, "try"});
    return flow == Flow::kRaise && caught ? Flow::kNext : flow;
  }

  Flow with_block(const PythonStatement& here) {
    const Tokens& tokens = *here.tokens;
    evaluate(tokens, here.begin + 1, *here.colon);
    for (std::size_t at = here.begin + 1; at + 1 < *here.colon; ++at)
      if (tokens[at].is_name("as")) machine_.bind_unknown(tokens[at + 1].text, {}, "it is opened when the run starts");
    return run_block(here.body);
  }

  /// A loop over values that the text lists is followed round by round. Any other runs an unknown number of times: what it sets depends on
  /// it.
  Flow loop(const Block& block, std::size_t at, std::size_t end) {
    const PythonStatement& here = block[at];
    const Tokens& tokens = *here.tokens;
    const int line = here.first().place.line;
    std::size_t in = here.begin + 1;
    while (in < *here.colon && !tokens[in].is_name("in")) ++in;
    Flow flow = Flow::kNext;
    PythonTerm over;
    std::string written;
    if (here.starts_with("for")) {
      PythonExpression expression(machine_, source_, tokens);
      over = expression.whole(std::min(in + 1, *here.colon), *here.colon);
      written = expression.written(std::min(in + 1, *here.colon), *here.colon);
    } else {
      evaluate(tokens, here.begin + 1, *here.colon);
    }
    const Value values = over.path || over.within ? Value(Unknown{}) : machine_.value_of(over, written);
    if (auto rounds = listed(values); rounds && here.starts_with("for") && machine_.condition == 0 && section_ == std::nullopt)
      flow = rounds_of(here, in, *rounds);
    else
      flow = unknown_rounds(here, in, over, written);
    for (std::size_t part = at + 1; part < end; ++part) flow = std::max(flow, under(line, block[part].body));
    return flow == Flow::kMaybeJump ? Flow::kNext : flow;
  }

  static std::optional<List> listed(const Value& values) {
    if (values.holds_unknown()) return std::nullopt;
    if (const List* items = values.list(); items != nullptr && items->size() <= kMaxRounds) return *items;
    const Map* entries = values.map();
    if (entries == nullptr || entries->size() > kMaxRounds) return std::nullopt;
    List keys;
    for (const auto& [key, value] : *entries) keys.emplace_back(key);
    return keys;
  }

  Flow rounds_of(const PythonStatement& here, std::size_t in, const List& values) {
    const int before = machine_.condition;
    Flow all = Flow::kNext;
    for (const auto& value : values) {
      unpack(*here.tokens, here.begin + 1, in, {value, {}, {}, {}}, value.repr());
      const Flow flow = run_block(here.body);
      all = std::max(all, flow == Flow::kContinue ? Flow::kNext : flow);
      if (flow == Flow::kBreak || flow == Flow::kReturn || flow == Flow::kRaise) break;
      // A `break` under a condition: further rounds run perhaps.
      if (flow != Flow::kNext && flow != Flow::kContinue && machine_.condition == 0) machine_.condition = here.first().place.line;
    }
    machine_.condition = before;
    return all == Flow::kBreak || all == Flow::kMaybeJump ? Flow::kNext : all;
  }

  Flow unknown_rounds(const PythonStatement& here, std::size_t in, const PythonTerm& over, const std::string& written) {
    const std::string reason = "it takes its values in the loop in line " + std::to_string(here.first().place.line);
    std::vector<std::string> names;
    collect_assigned(here.body, names);
    for (const auto& name : names)
      if (!machine_.look_up(name).reach()) machine_.bind_unknown(name, name, reason);
    PythonTerm item{Unknown{written.substr(0, 200), reason}, {}, {}, {}};
    item.within = over.reach();
    if (here.starts_with("for")) unpack(*here.tokens, here.begin + 1, in, item, written);
    return under(here.first().place.line, here.body);
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

  void evaluate(const Tokens& tokens, std::size_t begin, std::size_t end) {
    if (begin >= end) return;
    PythonExpression expression(machine_, source_, tokens);
    expression.whole(begin, end);
  }

  /// `del NAME`, `del cfg.model.x`.
  void deleted(const Tokens& tokens, std::size_t begin) {
    PythonExpression expression(machine_, source_, tokens);
    const PythonTerm target = expression.target(begin, tokens.size());
    const std::string written(expression.written(begin, tokens.size()).substr(0, 200));
    if (target.path)
      machine_.set(*target.path, Unknown{written, "it is deleted"}, expression.origin(begin - 1, written));
    else if (begin + 1 == tokens.size() && tokens[begin].kind == PythonToken::Kind::kName)
      machine_.bind_unknown(tokens[begin].text, written, "it is deleted");
    else if (!target.variable.empty())
      machine_.replace_container(target.variable, Unknown{written, "an entry is deleted"}, written, expression.origin(begin, {}));
  }

  Flow returned(const Tokens& tokens, std::size_t begin) {
    if (begin >= tokens.size()) return Flow::kReturn;
    PythonExpression expression(machine_, source_, tokens);
    PythonTerm term = expression.whole(begin, tokens.size());
    if (!term.path) term = {machine_.value_of(term, expression.written(begin, tokens.size())), {}, {}, {}, term.within};
    if (frames_.empty()) return Flow::kReturn;
    auto& frame = frames_.back();
    frame.differs =
        frame.differs || (frame.result && !(frame.result->path == term.path && (term.path || frame.result->value == term.value)));
    if (machine_.condition != 0 && !term.path) frame.differs = true;
    frame.result = std::move(term);
    return Flow::kReturn;
  }

  void assignment(const Tokens& tokens, std::size_t begin) {
    std::vector<std::size_t> equals;
    std::optional<std::size_t> augmented, colon;
    int open = 0;
    for (std::size_t at = begin; at < tokens.size(); ++at) {
      if (tokens[at].is("(") || tokens[at].is("[") || tokens[at].is("{")) ++open;
      if (tokens[at].is(")") || tokens[at].is("]") || tokens[at].is("}")) --open;
      if (tokens[at].is(":=") && at > begin)
        machine_.bind_unknown(tokens[at - 1].text, tokens[at - 1].text, "it is computed when the run starts");
      if (open != 0) continue;
      if (tokens[at].is_name("lambda")) break;
      if (is_assignment(tokens[at])) equals.push_back(at);
      if (is_augmented(tokens[at]) && !augmented && equals.empty()) augmented = at;
      if (tokens[at].is(":") && !colon && equals.empty()) colon = at;
    }
    if (augmented && *augmented > begin) return change(tokens, begin, *augmented);
    if (equals.empty()) return evaluate(tokens, begin, tokens.size());
    const std::size_t right = equals.back() + 1;
    PythonExpression expression(machine_, source_, tokens);
    const PythonTerm term = expression.whole(right, tokens.size());
    const std::string_view written = expression.written(right, tokens.size());
    for (std::size_t i = 0, start = begin; i < equals.size(); start = equals[i++] + 1)
      assign(tokens, start, colon && i == 0 ? *colon : equals[i], term, written);
  }

  /// `x += …`.
  void change(const Tokens& tokens, std::size_t begin, std::size_t at) {
    PythonExpression expression(machine_, source_, tokens);
    const PythonTerm more = expression.whole(at + 1, tokens.size());
    const Value right = machine_.value_of(more, expression.written(at + 1, tokens.size()));
    const PythonTerm target = expression.target(begin, at);
    const std::string written(expression.written(begin, tokens.size()).substr(0, 200));
    const Origin origin = expression.origin(begin, std::string(expression.written(begin, at)));
    Value value = changed(machine_.value_of(target, expression.written(begin, at)), tokens[at].text, right, written);
    if (target.path) return machine_.set(*target.path, std::move(value), origin);
    if (target.within) return machine_.may_change(*target.within, written, origin);
    if (at != begin + 1) return elsewhere(tokens, begin, at, target, Unknown{written, "it is computed when the run starts"}, written);
    if (value.list() != nullptr) return machine_.replace_container(tokens[begin].text, std::move(value), written, origin);
    machine_.bind(tokens[begin].text, {std::move(value), {}, {}, {}}, written);
  }

  static Value changed(Value left, std::string_view op, const Value& right, const std::string& written) {
    List* items = left.list();
    if (items != nullptr && op == "+=" && right.list() != nullptr) {
      items->insert(items->end(), right.list()->begin(), right.list()->end());
      return left;
    }
    const auto value = left.is_unknown() || right.is_unknown() ? std::nullopt : python_binary(op.substr(0, op.size() - 1), left, right);
    return value ? *value : Value(Unknown{written, "it is computed when the run starts"});
  }

  void assign(const Tokens& tokens, std::size_t begin, std::size_t end, const PythonTerm& term, std::string_view written) {
    if (begin >= end) return;
    const bool name = end == begin + 1 && tokens[begin].kind == PythonToken::Kind::kName;
    if (name && section_) return field(tokens, begin, term, written);
    if (name) return variable(tokens, begin, term, written);
    if (is_tuple(tokens, begin, end)) return unpack(tokens, begin, end, term, std::string(written));
    PythonExpression expression(machine_, source_, tokens);
    const PythonTerm target = expression.target(begin, end);
    const Origin origin = expression.origin(begin, std::string(expression.written(begin, end).substr(0, 200)));
    const std::string_view whole = expression.written(begin, tokens.size());
    if (target.within) return machine_.may_change(*target.within, whole, origin);
    if (!target.path || target.path->empty()) return elsewhere(tokens, begin, end, target, machine_.value_of(term, written), whole);
    // A whole object stands on the right: its keywords have become settings of its own section already.
    if (term.path && (term.path->empty() || key_facts(canonical_key(*term.path), kNewestCore).section)) return;
    if (term.more && *target.path == "env_vars") return environment(term, whole, origin);
    Value value = machine_.value_of(term, written);
    if (value.is_unknown()) machine_.replaced_unseen(*target.path, whole, origin);
    machine_.set_from(term, *target.path, std::move(value), origin);
  }

  /// A dictionary with entries that are not known.
  void environment(const PythonTerm& term, std::string_view whole, const Origin& origin) {
    machine_.may_change("env_vars", whole, origin);
    if (const Map* entries = term.value.map())
      for (const auto& [name, value] : *entries) machine_.set("env_vars." + name, value, origin);
  }

  /// The left side is no part of the configuration, as far as the text tells.
  void elsewhere(const Tokens& tokens, std::size_t begin, std::size_t end, const PythonTerm& target, Value value, std::string_view whole) {
    PythonExpression expression(machine_, source_, tokens);
    const Origin origin = expression.origin(begin, std::string(expression.written(begin, end).substr(0, 200)));
    if (target.name.starts_with("os.environ.")) return machine_.set_environment(target.name.substr(11), std::move(value), origin);
    // Entries may be replaced by what is written; that is worked out for whole containers only.
    if (!target.variable.empty())
      return machine_.replace_container(target.variable, Unknown{std::string(whole.substr(0, 200)), "an entry of it is set"}, whole,
                                        origin);
    const PythonToken& last = tokens[end - 1];
    const bool attribute = end >= begin + 3 && last.kind == PythonToken::Kind::kName && tokens[end - 2].is(".");
    if (!attribute || target.path) return;
    for (const auto section : kSections)
      if (key_facts(std::string(section) + last.text, kNewestCore).known)
        return machine_.ignored(origin.spelling, "this text does not say what it belongs to", origin);
  }

  static bool is_tuple(const Tokens& tokens, std::size_t begin, std::size_t end) {
    int open = 0;
    const bool brackets = tokens[begin].is("(") || tokens[begin].is("[");
    for (std::size_t at = begin; at < end; ++at) {
      if (tokens[at].is("(") || tokens[at].is("[") || tokens[at].is("{")) ++open;
      if (tokens[at].is(")") || tokens[at].is("]") || tokens[at].is("}")) --open;
      if (tokens[at].is(",") && open == (brackets ? 1 : 0)) return true;
    }
    return false;
  }

  /// `a, b = …` and the targets of a loop.
  void unpack(const Tokens& tokens, std::size_t begin, std::size_t end, const PythonTerm& term, const std::string& written) {
    std::vector<std::pair<std::size_t, std::size_t>> targets;
    int open = 0;
    while (begin < end && (tokens[begin].is("(") || tokens[begin].is("["))) ++begin, --end;
    std::size_t start = begin;
    for (std::size_t at = begin; at <= end && at < tokens.size(); ++at) {
      const bool ends = at == end || (open == 0 && tokens[at].is(","));
      if (ends && at > start) targets.emplace_back(start, at);
      if (ends) start = at + 1;
      if (at < end && (tokens[at].is("(") || tokens[at].is("["))) ++open;
      if (at < end && (tokens[at].is(")") || tokens[at].is("]"))) --open;
    }
    const List* items = term.value.list();
    const bool single = targets.size() == 1 && !is_tuple(tokens, begin, std::min(end + 1, tokens.size()));
    for (std::size_t at = 0; at < targets.size(); ++at) {
      PythonTerm part{Unknown{written.substr(0, 200), "it is computed when the run starts"}, {}, {}, {}};
      if (single)
        part = term;
      else if (items != nullptr && items->size() == targets.size() && !tokens[targets[at].first].is("*"))
        part.value = (*items)[at];
      if (!single) part.within = term.reach();
      if (targets[at].second > targets[at].first && !(tokens[targets[at].first].is("*")))
        assign_one(tokens, targets[at], part, written);
      else if (targets[at].first + 1 < targets[at].second)
        machine_.bind_unknown(tokens[targets[at].first + 1].text, written, "it is computed when the run starts");
    }
  }

  void assign_one(const Tokens& tokens, const std::pair<std::size_t, std::size_t>& target, const PythonTerm& term,
                  const std::string& written) {
    if (target.second == target.first + 1 && tokens[target.first].kind == PythonToken::Kind::kName)
      machine_.bind(tokens[target.first].text, term, written);
    else
      assign(tokens, target.first, target.second, term, written);
  }

  static std::optional<std::string> base_section(const Tokens& tokens, std::size_t begin, std::size_t colon) {
    for (std::size_t at = begin + 2; at < colon; ++at)
      if (tokens[at].kind == PythonToken::Kind::kName)
        if (auto section = section_of_class(tokens[at].text)) return section;
    return std::nullopt;
  }

  /// A field of a class derived from one of the configuration's: its default is what the run gets.
  void field(const Tokens& tokens, std::size_t begin, const PythonTerm& term, std::string_view written) {
    PythonExpression expression(machine_, source_, tokens);
    const std::string path = section_->empty() ? tokens[begin].text : *section_ + "." + tokens[begin].text;
    machine_.set(path, machine_.value_of(term, written), expression.origin(begin, tokens[begin].text));
  }

  void variable(const Tokens& tokens, std::size_t begin, PythonTerm term, std::string_view written) {
    const std::string& name = tokens[begin].text;
    const bool was_root = machine_.look_up(name).path == "";
    PythonExpression expression(machine_, source_, tokens);
    if (!term.path && was_root && may_be_recipe(term.function)) {
      machine_.recipe(last_part(term.function), expression.origin(begin, {}));
      term = {};
      term.path = "";
    }
    // A call that returns the configuration keeps it what it was, though not as it was: `cfg = tuned(cfg)`.
    if (!term.path && !term.function.empty() && was_root) {
      if (machine_.reading.recipe || machine_.mark() > in_classes_)
        if (!term.within) machine_.may_change("", expression.written(begin, tokens.size()), expression.origin(begin, {}));
      term = {};
      term.path = "";
    }
    if (!term.path) {
      PythonTerm plain{machine_.value_of(term, written),
                       {},
                       term.value.is_unknown() && term.method.empty() ? term.name : std::string(),
                       {},
                       term.within};
      if (term.more) plain.value = std::move(term.value), plain.more = true;
      term = std::move(plain);
    }
    machine_.bind(name, std::move(term), written);
  }

  bool may_be_recipe(std::string_view function) const {
    return function.ends_with("_config") && function.front() >= 'a' && function.front() <= 'z' && !machine_.is_defined(function);
  }

  // Functions
  struct Parameter {
    std::string name;
    std::size_t begin = 0;
    std::optional<std::string> path;  ///< Annotated as the container or one of its parts.
    std::optional<std::pair<std::size_t, std::size_t>> fallback;
    std::size_t stars = 0;
  };

  static std::vector<Parameter> parameters(const PythonStatement& definition) {
    const Tokens& tokens = *definition.tokens;
    std::vector<Parameter> out;
    std::size_t at = definition.begin + 3;
    while (at < *definition.colon && !tokens[at].is(")")) {
      Parameter made;
      while (at < *definition.colon && (tokens[at].is("*") || tokens[at].is("**"))) made.stars += tokens[at++].text.size();
      made.begin = at;
      if (at < *definition.colon && tokens[at].kind == PythonToken::Kind::kName) made.name = tokens[at++].text;
      int open = 0;
      bool type = false;
      std::optional<std::size_t> equals;
      for (; at < *definition.colon; ++at) {
        if (open == 0 && (tokens[at].is(",") || tokens[at].is(")"))) break;
        if (tokens[at].is("(") || tokens[at].is("[") || tokens[at].is("{")) ++open;
        if (tokens[at].is(")") || tokens[at].is("]") || tokens[at].is("}")) --open;
        if (open == 0 && tokens[at].is(":")) type = true;
        if (open == 0 && tokens[at].is("=") && !equals) equals = at;
        if (type && !equals && !made.path && tokens[at].kind == PythonToken::Kind::kName) made.path = section_of_class(tokens[at].text);
      }
      if (equals) made.fallback = {*equals + 1, at};
      if (!made.name.empty()) out.push_back(std::move(made));
      if (at < *definition.colon && tokens[at].is(","))
        ++at;
      else
        break;
    }
    return out;
  }

  /// `given` is null when nobody calls the function in this text.
  void bind_parameters(const PythonStatement& definition, const std::vector<PythonArgument>* given) {
    const Tokens& tokens = *definition.tokens;
    std::size_t position = 0;
    const bool spread =
        given != nullptr && std::any_of(given->begin(), given->end(), [](const PythonArgument& argument) { return argument.stars > 0; });
    for (const auto& parameter : parameters(definition)) {
      PythonExpression expression(machine_, source_, tokens);
      std::optional<PythonTerm> term;
      if (given != nullptr && parameter.stars == 0) term = argument_for(parameter.name, position, *given);
      if (parameter.stars == 0) ++position;
      if (parameter.stars > 0 || (!term && (spread || !parameter.fallback))) {
        PythonTerm unknown{Unknown{parameter.name, "the caller of " + name_of(definition) + " gives it"}, {}, {}, {}};
        if (parameter.path)
          unknown.path = parameter.path;
        else if (parameter.stars == 0 && is_root(parameter.name))
          unknown.path = "";
        machine_.bind_argument(parameter.name, std::move(unknown));
        continue;
      }
      if (!term) {
        PythonTerm fallback = expression.whole(parameter.fallback->first, parameter.fallback->second);
        const std::string_view written = expression.written(parameter.fallback->first, parameter.fallback->second);
        if (!fallback.path && parameter.path) fallback.path = parameter.path;
        if (!fallback.path) fallback = {machine_.value_of(fallback, written), {}, {}, {}, fallback.within};
        if (given == nullptr)
          machine_.bind_default(parameter.name, std::move(fallback), written, expression.origin(parameter.begin, parameter.name));
        else
          machine_.bind_argument(parameter.name, std::move(fallback));
        continue;
      }
      if (!term->reach() && term->value.is_unknown() && (parameter.path || is_root(parameter.name)))
        term->path = parameter.path ? *parameter.path : "";
      machine_.bind_argument(parameter.name, std::move(*term));
    }
  }

  static bool is_root(std::string_view name) { return name == "cfg" || name == "config" || name == "recipe" || name == "conf"; }

  static std::optional<PythonTerm> argument_for(const std::string& name, std::size_t position, const std::vector<PythonArgument>& given) {
    std::size_t at = 0;
    for (const auto& argument : given) {
      if (argument.stars > 0) return std::nullopt;
      if (argument.keyword == name) return argument.term;
      if (argument.keyword.empty() && at++ == position) return argument.term;
    }
    return std::nullopt;
  }

  std::optional<PythonTerm> call(const std::string& name, const std::vector<PythonArgument>& given) {
    const auto found = functions_.find(name);
    if (found == functions_.end() || static_cast<int>(frames_.size()) >= kMaxCalls) return std::nullopt;
    called_.insert(name);
    return run_function(*found->second, &given);
  }

  PythonTerm run_function(const PythonStatement& definition, const std::vector<PythonArgument>* given) {
    const auto section = std::exchange(section_, std::nullopt);
    machine_.enter();
    bind_parameters(definition, given);
    frames_.emplace_back();
    run_block(definition.body);
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    machine_.leave();
    section_ = section;
    if (!frame.result) return {Null{}, {}, {}, {}};
    PythonTerm out = std::move(*frame.result);
    if (frame.differs) out = {Unknown{name_of(definition) + "()", "it depends on a condition"}, {}, {}, {}, out.reach()};
    out.variable.clear();
    return out;
  }

  // What runs when nothing in the text is run by the text itself.
  void run_entry(const Block& program, const std::vector<PythonLine>& lines) {
    std::vector<const PythonStatement*> idle;
    const auto uses = count_names(lines);
    for (const auto& statement : program) {
      if (!is_function(statement) || called_.contains(name_of(statement))) continue;
      if (configures(statement.body)) idle.push_back(&statement);
    }
    const bool done = machine_.reading.recipe || machine_.mark() > in_classes_;
    const auto unused = [&](const PythonStatement* definition) { return uses.at(name_of(*definition)) < 2; };
    auto entry = std::find_if(idle.begin(), idle.end(), unused);
    if (entry == idle.end()) entry = idle.begin();
    const std::string read = done || entry == idle.end() ? std::string() : name_of(**entry);
    if (!read.empty()) run_function(**entry, nullptr);
    for (const PythonStatement* definition : idle) {
      const std::string name = name_of(*definition);
      if (name == read || called_.contains(name)) continue;
      const Place place = definition->first().place;
      machine_.ignored("def " + name, read.empty() ? "this text does not call it" : "this text does not call it; " + read + " is read",
                       {-1, place.line, place.column, name});
    }
  }

  static std::map<std::string, std::size_t> count_names(const std::vector<PythonLine>& lines) {
    std::map<std::string, std::size_t> out;
    for (const auto& line : lines)
      for (const auto& token : line.tokens)
        if (token.kind == PythonToken::Kind::kName) ++out[token.text];
    return out;
  }

  /// Whether the statements look as if they made or changed a configuration.
  static bool configures(const Block& block) {
    return std::any_of(block.begin(), block.end(), [](const PythonStatement& statement) {
      const Tokens& tokens = *statement.tokens;
      for (std::size_t at = statement.begin; at + 1 < tokens.size(); ++at) {
        if (tokens[at].kind != PythonToken::Kind::kName) continue;
        const bool calls = tokens[at + 1].is("(");
        if (calls && (tokens[at].text == "setattr" || tokens[at].text.ends_with("_config") || section_of_class(tokens[at].text)))
          return true;
        if (is_assignment(tokens[at + 1]) && at > statement.begin && tokens[at - 1].is(".")) return true;
      }
      return configures(statement.body);
    });
  }

  std::string_view source_;
  PythonMachine machine_;
  std::map<std::string, const PythonStatement*, std::less<>> functions_;
  std::set<std::string, std::less<>> called_;
  std::vector<Frame> frames_;
  std::optional<std::string> section_;
  std::size_t in_classes_ = 0;  ///< Settings that are only the defaults of classes.
  std::size_t statements_ = 0, limit_ = 0;
};

}  // namespace

Result<Reading> read_python(std::string_view text, const ReadContext& context) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (auto error = unreadable(text, context)) return *error;
  try {
    const auto lines = python_lines(text, context.max_nodes);
    return Program(text, context).run(lines);
  } catch (const SyntaxError& error) {
    return bad_syntax(context, error.place, error.what, "check the quotes and brackets there");
  }
}

}  // namespace spillway::config
