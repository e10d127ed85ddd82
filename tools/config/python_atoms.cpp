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
  std::optional<std::string> within;
  while (!at_end() && !next_is(close)) {
    const std::size_t item = at_;
    only = element();
    if (only.reach()) within = within || items.empty() ? std::optional<std::string>("") : only.reach();
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
  PythonTerm out = all.holds_unknown() ? unknown(begin, "a part of it is not known") : term_of(std::move(all));
  out.within = within;
  return out;
}

/// A dictionary, or a set as a list.
PythonTerm PythonExpression::dictionary() {
  const std::size_t begin = at_ - 1;
  Map entries;
  List members;
  bool more = false;
  std::optional<std::string> within;
  while (!at_end() && !next_is("}")) {
    const std::size_t item = at_;
    if (take("**")) {
      const Value known = element_value();
      if (const Map* brought = known.map()) {
        entries.insert(entries.end(), brought->begin(), brought->end());
      } else {
        // It may replace what stands before it.
        for (auto& [key, value] : entries)
          value = Unknown{std::string(written(item, at_).substr(0, 200)), "what it brings in is not known"};
        more = true;
      }
    } else {
      Value key = element_value();
      if (take(":")) {
        const std::size_t start = at_;
        const PythonTerm term = element();
        if (term.reach()) within = "";
        // A key that is not known may be any of them.
        more = more || key.is_unknown();
        entries.emplace_back(key.str(), machine_.value_of(term, written(start, at_)));
      } else {
        members.push_back(std::move(key));
      }
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
  PythonTerm out = members.empty() ? term_of(std::move(unique)) : term_of(std::move(members));
  out.more = more;
  out.within = within;
  return out;
}

}  // namespace spillway::config
