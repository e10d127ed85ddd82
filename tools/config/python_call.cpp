#include <algorithm>

#include "tools/config/key_paths.hpp"
#include "tools/config/python_arithmetic.hpp"
#include "tools/config/python_expression.hpp"
#include "tools/config/python_literals.hpp"
#include "tools/config/tables/tables.hpp"

/// The calls that the expressions of a Python recipe make.
namespace spillway::config {
namespace {

PythonTerm term_of(Value value) { return {std::move(value), {}, {}, {}}; }

bool is_lower_case(std::string_view name) { return !name.empty() && name.front() >= 'a' && name.front() <= 'z'; }

}  // namespace

std::vector<PythonExpression::Argument> PythonExpression::arguments() {
  std::vector<Argument> given;
  ++at_;
  while (!at_end() && !next_is(")")) {
    Argument argument;
    argument.begin = at_;
    if (take("**"))
      argument.stars = 2;
    else if (take("*"))
      argument.stars = 1;
    if (at_ + 1 < end_ && tokens_[at_].kind == PythonToken::Kind::kName && tokens_[at_ + 1].is("=")) {
      argument.keyword = tokens_[at_].text;
      at_ += 2;
    }
    const std::size_t begin = at_;
    argument.term = element();
    argument.end = at_;
    // The value is what matters from here on; where the name stands is kept in `begin`.
    if (!argument.term.path && argument.term.name.empty()) argument.term.value = machine_.value_of(argument.term, written(begin, at_));
    given.push_back(std::move(argument));
    if (!take(",")) break;
  }
  if (!take(")")) skip_past_close();
  return given;
}

PythonTerm PythonExpression::call(const PythonTerm& callee, std::size_t begin) {
  const std::size_t mark = machine_.mark();
  auto given = arguments();
  if (callee.path) {
    method(callee, given);
    return unknown(begin, "a function computes it when the run starts");
  }
  if (callee.name == "setattr" && given.size() == 3 && given[0].term.path && given[1].term.value.string() != nullptr) {
    const PythonTerm target = machine_.attribute(given[0].term, *given[1].term.value.string());
    machine_.set(*target.path, machine_.value_of(given[2].term, written(given[2].begin, given[2].end)),
                 origin(begin, std::string(written(begin, at_).substr(0, 200))));
    return term_of(Null{});
  }
  bool known = false;
  PythonTerm result = builtin(callee.name, given, known);
  if (known) return result;
  auto section = section_of_class(callee.name);
  const auto wrapper = last_part(callee.name);
  // `run.Config(OptimizerConfig, lr=…)` makes an object of the class later.
  if (!section && (wrapper == "Config" || wrapper == "Partial") && !given.empty()) section = section_of_class(given.front().term.name);
  if (section) {
    if (callee.name.find("Provider") != std::string::npos || section->empty()) machine_.uses_bridge = true;
    if (callee.name.ends_with("TransformerConfig")) machine_.uses_core = true;
    if (!section->empty()) machine_.replace_section(*section, mark);
    return construct(*section, given);
  }
  result = unknown(begin, "a function computes it when the run starts");
  result.function = callee.name;
  if (is_lower_case(last_part(callee.name)) && !machine_.is_defined(callee.name) && tables::find_recipe(last_part(callee.name))) {
    machine_.recipe(last_part(callee.name), origin(begin, {}));
    if (!given.empty())
      machine_.ignored(std::string(written(begin, at_).substr(0, 200)), "what the recipe makes of its arguments is not known",
                       origin(begin, {}));
    return {Unknown{}, "", {}, {}};
  }
  return result;
}

PythonTerm PythonExpression::construct(const std::string& section, std::vector<Argument>& given) {
  PythonTerm object;
  object.path = section;
  for (auto& argument : given) {
    if (argument.stars == 2) {
      machine_.ignored(std::string(written(argument.begin, argument.end).substr(0, 200)), "what it brings in is not known",
                       origin(argument.begin, {}));
      continue;
    }
    if (argument.keyword.empty()) continue;
    const PythonTerm target = machine_.attribute(object, argument.keyword);
    // The parts of a container that were made by a call are settings already.
    if (argument.term.path && (section.empty() || *argument.term.path == *target.path)) continue;
    machine_.set(*target.path, machine_.value_of(argument.term, written(argument.begin + 2, argument.end)),
                 origin(argument.begin, argument.keyword));
  }
  return object;
}

PythonTerm PythonExpression::builtin(const std::string& name, const std::vector<Argument>& given, bool& known) {
  known = true;
  if (name == "dict" && std::all_of(given.begin(), given.end(), [](const Argument& argument) { return !argument.keyword.empty(); })) {
    Map map;
    for (const auto& argument : given)
      map.emplace_back(argument.keyword, machine_.value_of(argument.term, written(argument.begin + 2, argument.end)));
    return term_of(std::move(map));
  }
  if (given.size() == 1 && given.front().keyword.empty() && given.front().stars == 0) {
    const Value value = machine_.value_of(given.front().term, written(given.front().begin, given.front().end));
    const auto* text = value.string();
    if (name == "float" && text != nullptr)
      if (const auto real = python_float(*text)) return term_of(*real);
    if (name == "int" && text != nullptr)
      if (const auto number = python_int(*text)) return term_of(*number);
    if (name == "float" && value.integer() != nullptr) return term_of(static_cast<double>(*value.integer()));
    if ((name == "list" || name == "tuple" || name == "set") && value.list() != nullptr) return term_of(value);
    if (name == "str" && !value.is_unknown()) return term_of(value.str());
    if (name == "bool" && !value.is_unknown()) return term_of(value.truthy());
  }
  known = false;
  return {};
}

/// Methods of the configuration's parts that change them.
void PythonExpression::method(const PythonTerm& callee, const std::vector<Argument>& given) {
  const std::string owner(parent_part(*callee.path));
  const auto name = last_part(*callee.path);
  if (given.size() != 1 || owner.empty()) return;
  const Argument& argument = given.front();
  const Origin at = origin(argument.begin, owner);
  const Value value = machine_.value_of(argument.term, written(argument.begin, argument.end));
  if (name == "update" && owner == "env_vars") return machine_.set(owner, value, at);
  if (name != "append" && name != "extend" && name != "update") return;
  Value before = machine_.value_of({Unknown{}, owner, {}, {}}, owner);
  List* items = before.list();
  const List* more = value.list();
  if (items == nullptr || (name == "extend" && more == nullptr) || name == "update" || value.is_unknown())
    return machine_.set(
        owner, Unknown{std::string(written(argument.begin, argument.end).substr(0, 200)), "it is added to a value that is not known"}, at);
  if (name == "append")
    items->push_back(value);
  else
    items->insert(items->end(), more->begin(), more->end());
  machine_.set(owner, std::move(before), at);
}

}  // namespace spillway::config
