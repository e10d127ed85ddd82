#include "tools/config/python_expression.hpp"

#include <algorithm>

#include "tools/config/python_arithmetic.hpp"

namespace spillway::config {
namespace {

constexpr int kMaxNesting = 60;

bool is_open(const PythonToken& token) { return token.is("(") || token.is("[") || token.is("{"); }
bool is_close(const PythonToken& token) { return token.is(")") || token.is("]") || token.is("}"); }

PythonTerm term_of(Value value) { return {std::move(value), {}, {}, {}}; }

}  // namespace

std::string_view PythonExpression::written(std::size_t begin, std::size_t end) const {
  if (begin >= end || begin >= tokens_.size()) return {};
  const std::size_t first = tokens_[begin].begin;
  return source_.substr(first, tokens_[end - 1].end - first);
}

Origin PythonExpression::origin(std::size_t at, std::string spelling) const {
  const Place place = tokens_[at].place;
  return {-1, place.line, place.column, std::move(spelling)};
}

PythonTerm PythonExpression::unknown(std::size_t begin, std::string reason) const {
  return term_of(Unknown{std::string(written(begin, at_).substr(0, 200)), std::move(reason)});
}

bool PythonExpression::take(std::string_view op) {
  if (!next_is(op)) return false;
  ++at_;
  return true;
}

/// Where the element of a container, an argument or the whole expression ends.
bool PythonExpression::at_boundary() const { return at_end() || next_is(",") || next_is(":") || next_is("=") || is_close(tokens_[at_]); }

void PythonExpression::skip_to_boundary() {
  int open = 0;
  for (; !at_end(); ++at_) {
    if (open == 0 && at_boundary()) return;
    if (is_open(tokens_[at_])) ++open;
    if (is_close(tokens_[at_])) --open;
  }
}

void PythonExpression::skip_past_close() {
  int open = 0;
  for (; !at_end(); ++at_) {
    if (is_open(tokens_[at_])) ++open;
    if (is_close(tokens_[at_]) && open-- == 0) return void(++at_);
  }
}

PythonTerm PythonExpression::whole(std::size_t begin, std::size_t end) {
  at_ = begin;
  end_ = end;
  depth_ = 0;
  PythonTerm term = element();
  if (at_end()) return term;
  // A bare tuple, or something that is not understood.
  List items{machine_.value_of(term, written(begin, at_))};
  while (take(",") && !at_end()) items.push_back(element_value());
  Value tuple(std::move(items));
  if (at_end() && !tuple.holds_unknown()) return term_of(std::move(tuple));
  at_ = end;
  return unknown(begin, "it is computed when the run starts");
}

Value PythonExpression::value(std::size_t begin, std::size_t end) { return machine_.value_of(whole(begin, end), written(begin, end)); }

PythonTerm PythonExpression::target(std::size_t begin, std::size_t end) {
  at_ = begin;
  end_ = end;
  depth_ = 0;
  PythonTerm term = postfix();
  return at_end() ? term : PythonTerm{};
}

Value PythonExpression::element_value() {
  const std::size_t begin = at_;
  const PythonTerm term = element();
  return machine_.value_of(term, written(begin, at_));
}

PythonTerm PythonExpression::element() {
  const std::size_t begin = at_;
  if (++depth_ > kMaxNesting) {
    skip_to_boundary();
    --depth_;
    return unknown(begin, "it is nested too deeply");
  }
  PythonTerm term = !at_end() && tokens_[at_].is_name("lambda") ? lambda() : sum();
  if (!at_boundary()) {
    const bool choice = tokens_[at_].is_name("if");
    const auto reach = term.reach();
    operands();
    term = unknown(begin, choice ? "it depends on a condition" : "it is computed when the run starts");
    if (reach) term.within = "";
  }
  --depth_;
  return term;
}

/// What follows an operator that is not worked out: calls in it may still do something, if they are made.
void PythonExpression::operands() {
  constexpr std::string_view kNames[] = {"and", "or", "not", "in", "is", "if", "else"};
  constexpr std::string_view kOperators[] = {"==", "!=", "<", ">", "<=", ">=", "|", "&", "^", "@"};
  const int before = machine_.condition;
  while (!at_boundary()) {
    const PythonToken& token = tokens_[at_];
    const bool word =
        token.kind == PythonToken::Kind::kName && std::find(std::begin(kNames), std::end(kNames), token.text) != std::end(kNames);
    const bool sign = token.kind == PythonToken::Kind::kOperator &&
                      std::find(std::begin(kOperators), std::end(kOperators), token.text) != std::end(kOperators);
    if (!word && !sign) break;
    if ((token.is_name("and") || token.is_name("or") || token.is_name("if") || token.is_name("else")) && machine_.condition == 0)
      machine_.condition = token.place.line;
    ++at_;
    if (!at_boundary()) sum();
  }
  machine_.condition = before;
  skip_to_boundary();
}

/// Its body is not run here.
PythonTerm PythonExpression::lambda() {
  const std::size_t begin = at_;
  int open = 0;
  for (; !at_end() && !(open == 0 && next_is(":")); ++at_) {
    if (is_open(tokens_[at_])) ++open;
    if (is_close(tokens_[at_]) && open-- == 0) return unknown(begin, "it is computed when the run starts");
  }
  if (!at_end()) ++at_;
  skip_to_boundary();
  return unknown(begin, "it is computed when the run starts");
}

PythonTerm PythonExpression::sum() {
  const std::size_t begin = at_;
  PythonTerm left = product();
  while (next_is("+") || next_is("-") || next_is("<<") || next_is(">>")) {
    const Value first = machine_.value_of(left, written(begin, at_));
    const std::string op = tokens_[at_++].text;
    const std::size_t second = at_;
    const PythonTerm right = product();
    const auto out = python_binary(op, first, machine_.value_of(right, written(second, at_)));
    left = out ? term_of(*out) : unknown(begin, "it is computed when the run starts");
  }
  return left;
}

PythonTerm PythonExpression::product() {
  const std::size_t begin = at_;
  PythonTerm left = factor();
  while (next_is("*") || next_is("/") || next_is("//") || next_is("%")) {
    const Value first = machine_.value_of(left, written(begin, at_));
    const std::string op = tokens_[at_++].text;
    const std::size_t second = at_;
    const PythonTerm right = factor();
    const auto out = python_binary(op, first, machine_.value_of(right, written(second, at_)));
    left = out ? term_of(*out) : unknown(begin, "it is computed when the run starts");
  }
  return left;
}

PythonTerm PythonExpression::factor() {
  if (at_end()) return {};
  const std::size_t begin = at_;
  std::vector<std::string> signs;
  while (next_is("-") || next_is("+") || (!at_end() && tokens_[at_].is_name("not"))) signs.push_back(tokens_[at_++].text);
  const std::size_t operand = at_;
  PythonTerm term = postfix();
  if (take("**")) {
    const Value base = machine_.value_of(term, written(operand, at_ - 1));
    const std::size_t exponent = at_;
    const PythonTerm right = ++depth_ > kMaxNesting ? PythonTerm{} : factor();
    --depth_;
    const auto out = python_binary("**", base, machine_.value_of(right, written(exponent, at_)));
    term = out ? term_of(*out) : unknown(begin, "it is computed when the run starts");
  }
  for (; !signs.empty(); signs.pop_back()) {
    const auto out = python_unary(signs.back(), machine_.value_of(term, written(operand, at_)));
    term = out ? term_of(*out) : unknown(begin, "it is computed when the run starts");
  }
  return term;
}

PythonTerm PythonExpression::postfix() {
  const std::size_t begin = at_;
  PythonTerm term = atom();
  while (!at_end()) {
    if (next_is(".") && at_ + 1 < end_ && tokens_[at_ + 1].kind == PythonToken::Kind::kName) {
      term = machine_.attribute(term, tokens_[at_ + 1].text);
      at_ += 2;
    } else if (next_is("(")) {
      term = call(term, begin);
    } else if (next_is("[")) {
      term = subscript(term);
    } else {
      break;
    }
  }
  return term;
}

PythonTerm PythonExpression::subscript(const PythonTerm& of) {
  const std::size_t begin = at_++;
  const Value index = element_value();
  if (!take("]")) {
    skip_past_close();
    return unknown(begin, "it is computed when the run starts");
  }
  if (of.reach() && index.string() != nullptr) return machine_.attribute(of, *index.string());
  PythonTerm item = unknown(begin, "it is computed when the run starts");
  item.within = of.reach();
  const Map* entries = of.value.map();
  const List* items = of.value.list();
  const std::int64_t* number = index.integer();
  if (entries != nullptr && index.string() != nullptr && of.method.empty())
    for (const auto& [key, value] : *entries)
      if (key == *index.string()) item.value = value;
  if (items != nullptr && number != nullptr && *number >= 0 && *number < static_cast<std::int64_t>(items->size()) && of.method.empty())
    item.value = (*items)[static_cast<std::size_t>(*number)];
  // As the left side of an assignment it is an entry of the variable.
  if ((entries != nullptr || items != nullptr) && !of.variable.empty()) item.variable = of.variable, item.method = "[]";
  if (of.name == "os.environ" && index.string() != nullptr) item.name = "os.environ." + *index.string();
  if (!item.value.is_unknown()) item.method.clear();
  return item;
}

PythonTerm PythonExpression::atom() {
  if (at_end()) return {};
  const PythonToken& token = tokens_[at_];
  switch (token.kind) {
    case PythonToken::Kind::kNumber:
      return number(token);
    case PythonToken::Kind::kString:
      return strings();
    case PythonToken::Kind::kName:
      ++at_;
      return machine_.look_up(token.text);
    case PythonToken::Kind::kOperator:
      break;
  }
  if (take("[")) return list("]", false);
  if (take("(")) return list(")", true);
  if (take("{")) return dictionary();
  return {};
}

}  // namespace spillway::config
