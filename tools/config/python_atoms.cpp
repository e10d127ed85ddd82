#include <algorithm>

#include "tools/config/python_arithmetic.hpp"
#include "tools/config/python_expression.hpp"

/// The literals and containers in the expressions of a Python recipe.
namespace spillway::config {
namespace {

PythonTerm term_of(Value value) { return {std::move(value), {}, {}, {}}; }

}  // namespace

PythonTerm PythonExpression::number(const PythonToken& token) {
  ++at_;
  const auto value = python_number(token.text);
  return value ? term_of(*value) : term_of(Unknown{token.text, "it is no number that is understood"});
}

/// Adjacent strings are one.
PythonTerm PythonExpression::strings() {
  const std::size_t begin = at_;
  std::string text;
  bool formatted = false;
  for (; !at_end() && tokens_[at_].kind == PythonToken::Kind::kString; ++at_) {
    text += tokens_[at_].text;
    formatted = formatted || tokens_[at_].formatted;
  }
  return formatted ? unknown(begin, "an f-string is put together when the run starts") : term_of(std::move(text));
}

PythonTerm PythonExpression::list(std::string_view close, bool tuple) {
  const std::size_t begin = at_ - 1;
  List items;
  bool comma = false;
  PythonTerm only;
  while (!at_end() && !next_is(close)) {
    const std::size_t item = at_;
    only = element();
    items.push_back(machine_.value_of(only, written(item, at_)));
    if (!take(",")) break;
    comma = true;
  }
  if (!take(close)) {
    skip_past_close();
    return unknown(begin, "it is computed when the run starts");
  }
  if (tuple && items.size() == 1 && !comma) return only;
  Value all(std::move(items));
  return all.holds_unknown() ? unknown(begin, "a part of it is not known") : term_of(std::move(all));
}

/// A dictionary, or a set as a list. Entries brought in by `**` that are not known are left out with a remark.
PythonTerm PythonExpression::dictionary() {
  const std::size_t begin = at_ - 1;
  Map entries;
  List members;
  while (!at_end() && !next_is("}")) {
    const std::size_t item = at_;
    if (take("**")) {
      const Value more = element_value();
      if (const Map* known = more.map())
        entries.insert(entries.end(), known->begin(), known->end());
      else
        machine_.ignored(std::string(written(item, at_).substr(0, 200)), "what it brings in is not known", origin(item, {}));
    } else {
      Value key = element_value();
      if (take(":"))
        entries.emplace_back(key.str(), element_value());
      else
        members.push_back(std::move(key));
    }
    if (!take(",")) break;
  }
  if (!take("}")) {
    skip_past_close();
    return unknown(begin, "it is computed when the run starts");
  }
  Map unique;
  for (auto& entry : entries) {
    std::erase_if(unique, [&](const auto& other) { return other.first == entry.first; });
    unique.push_back(std::move(entry));
  }
  return members.empty() ? term_of(std::move(unique)) : term_of(std::move(members));
}

}  // namespace spillway::config
