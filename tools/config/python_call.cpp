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
  if (auto done = process_environment(callee, given)) return *done;
  if (!callee.method.empty()) return container_method(callee, given, begin);
  if (callee.path) return method(callee, given, begin);
  if (callee.within) {
    machine_.may_change(*callee.within, written(begin, at_), origin(begin, {}));
    return unknown(begin, "a function computes it when the run starts");
  }
  if (auto done = attribute_call(last_part(callee.name), given, begin)) return *done;
  if (machine_.call && machine_.is_defined(callee.name))
    if (auto done = machine_.call(callee.name, given)) return *done;
  return named_call(callee, given, begin, mark);
}

PythonTerm PythonExpression::named_call(const PythonTerm& callee, std::vector<Argument>& given, std::size_t begin, std::size_t mark) {
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
    if (!section->empty()) machine_.replace_section(*section, mark, written(begin, at_), origin(begin, {}));
    return construct(*section, given);
  }
  const bool recipe =
      is_lower_case(last_part(callee.name)) && !machine_.is_defined(callee.name) && tables::find_recipe(last_part(callee.name));
  if (recipe) {
    machine_.recipe(last_part(callee.name), origin(begin, {}));
    if (!given.empty())
      machine_.ignored(std::string(written(begin, at_).substr(0, 200)), "what the recipe makes of its arguments is not known",
                       origin(begin, {}));
    return {Unknown{}, "", {}, {}};
  }
  result = unfollowed(wrapper, given, begin);
  result.function = callee.name;
  return result;
}

/// setattr, getattr and their like, dataclasses.replace, copies.
std::optional<PythonTerm> PythonExpression::attribute_call(std::string_view name, const std::vector<Argument>& given, std::size_t begin) {
  if (given.empty() || !given[0].term.reach()) return std::nullopt;
  const PythonTerm& object = given[0].term;
  const std::string* key = given.size() > 1 ? given[1].term.value.string() : nullptr;
  const bool exact = key != nullptr && object.path && given[1].stars == 0;
  if ((name == "setattr" || name == "__setattr__") && given.size() == 3) {
    if (!exact) return unfollowed(name, given, begin);
    const PythonTerm target = machine_.attribute(object, *key);
    const Argument& value = given[2];
    machine_.set_from(value.term, *target.path, machine_.value_of(value.term, written(value.begin, value.end)),
                      origin(begin, std::string(written(begin, at_).substr(0, 200))));
    return term_of(Null{});
  }
  if (name == "getattr" && exact) return machine_.attribute(object, *key);
  if (name == "vars" || name == "copy" || name == "deepcopy") return object;
  if (name == "replace" && object.path && given.size() > 1 && !given[1].keyword.empty()) {
    std::vector<Argument> changed(given.begin() + 1, given.end());
    return construct(*object.path, changed);
  }
  return std::nullopt;
}

/// A function that the text does not hold. What gets a part of the configuration may change it, unless it is known better.
PythonTerm PythonExpression::unfollowed(std::string_view name, const std::vector<Argument>& given, std::size_t begin) {
  constexpr std::string_view kReaders[] = {"print",   "pprint",     "print_rank_0", "log",    "info",      "debug",    "warning", "error",
                                           "len",     "isinstance", "type",         "id",     "repr",      "str",      "bool",    "hasattr",
                                           "getattr", "vars",       "hash",         "sorted", "list",      "tuple",    "dir",     "asdict",
                                           "fields",  "dumps",      "dump",         "save",   "pretrain",  "finetune", "train",   "run",
                                           "launch",  "exit",       "issubclass",   "iter",   "enumerate", "zip",      "sum",     "max",
                                           "min",     "any",        "all",          "set",    "range",     "int",      "float",   "dict"};
  const bool reads = std::find(std::begin(kReaders), std::end(kReaders), name) != std::end(kReaders);
  PythonTerm result = unknown(begin, "a function computes it when the run starts");
  for (const auto& argument : given) {
    const auto reach = argument.term.reach();
    if (reach && !result.within) result.within = reach->empty() ? reach : std::optional<std::string>("");
    const std::string& variable = argument.term.variable;
    const bool container = argument.term.method.empty() && (argument.term.value.list() != nullptr || argument.term.value.map() != nullptr);
    if (reads) continue;
    if (container && !variable.empty())
      machine_.replace_container(variable, Unknown{variable, "a function may change it"}, written(begin, at_), origin(begin, {}));
    if (!reach) continue;
    // What has no parts is passed by value, but for a list.
    const KeyFacts facts = key_facts(canonical_key(*reach), kNewestCore);
    const bool single = argument.term.path && !reach->empty() && facts.known && !facts.section;
    if (!single)
      machine_.may_change(*reach, written(begin, at_), origin(begin, {}));
    else if (facts.list || machine_.value_of(argument.term, {}).list() != nullptr)
      machine_.set(*reach, Unknown{std::string(written(begin, at_).substr(0, 200)), "a function may change it"}, origin(begin, *reach));
  }
  if (name == "exec" || name == "eval") machine_.may_change("", written(begin, at_), origin(begin, {}));
  return result;
}

/// `os.environ.setdefault(NAME, VALUE)`, `os.environ.update({…})`.
std::optional<PythonTerm> PythonExpression::process_environment(const PythonTerm& callee, const std::vector<Argument>& given) {
  if (callee.name == "os.environ.update" && given.size() == 1) {
    const Value value = machine_.value_of(given[0].term, written(given[0].begin, given[0].end));
    if (const Map* entries = value.map())
      for (const auto& [name, item] : *entries) machine_.set_environment(name, item, origin(given[0].begin, name));
    return term_of(Null{});
  }
  const bool sets = callee.name == "os.environ.setdefault" || callee.name == "os.putenv";
  if (!sets || given.size() != 2 || given[0].term.value.string() == nullptr) return std::nullopt;
  const std::string& name = *given[0].term.value.string();
  const Value value = machine_.value_of(given[1].term, written(given[1].begin, given[1].end));
  if (callee.name == "os.environ.setdefault") machine_.taken(name, "not set before, so that this sets it", origin(given[0].begin, name));
  machine_.set_environment(name, value, origin(given[0].begin, name));
  return term_of(value);
}

PythonTerm PythonExpression::construct(const std::string& section, std::vector<Argument>& given) {
  PythonTerm object;
  object.path = section;
  // Keywords that are named cannot come in by `**` too.
  for (const auto& argument : given) {
    if (argument.stars != 2) continue;
    const Map* entries = argument.term.value.map();
    if (entries == nullptr || argument.term.more)
      machine_.may_change(section, written(argument.begin, argument.end), origin(argument.begin, {}));
    else
      for (const auto& [key, value] : Map(*entries))
        machine_.set(*machine_.attribute(object, key).path, value, origin(argument.begin, key));
  }
  for (auto& argument : given) {
    if (argument.keyword.empty()) continue;
    const PythonTerm target = machine_.attribute(object, argument.keyword);
    // The parts of a container that were made by a call are settings already.
    if (argument.term.path && (section.empty() || *argument.term.path == *target.path)) continue;
    const std::string_view text = written(argument.begin + 2, argument.end);
    Value value = machine_.value_of(argument.term, text);
    if (value.is_unknown()) machine_.replaced_unseen(*target.path, written(argument.begin, argument.end), origin(argument.begin, {}));
    machine_.set_from(argument.term, *target.path, std::move(value), origin(argument.begin, argument.keyword));
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

/// Takes over the entries of `update({…})` and `update(key=…)`. False when they are not all known.
bool PythonExpression::update(const std::string& path, const std::vector<Argument>& given) {
  bool known = true;
  PythonTerm object;
  object.path = path;
  for (const auto& argument : given) {
    const std::size_t skipped = argument.keyword.empty() ? argument.stars > 0 ? 1 : 0 : 2;
    const Value value = machine_.value_of(argument.term, written(argument.begin + skipped, argument.end));
    const Origin at = origin(argument.begin, path);
    const Map* entries = value.map();
    if (!argument.keyword.empty())
      machine_.set(*machine_.attribute(object, argument.keyword).path, value, at);
    else if (entries != nullptr)
      for (const auto& [key, item] : *entries) machine_.set(*machine_.attribute(object, key).path, item, at);
    else
      known = false;
  }
  return known;
}

/// Methods of the configuration's parts. Those that are not known may change the part.
PythonTerm PythonExpression::method(const PythonTerm& callee, const std::vector<Argument>& given, std::size_t begin) {
  constexpr std::string_view kReaders[] = {"validate",
                                           "finalize",
                                           "to_yaml",
                                           "to_dict",
                                           "print_yaml",
                                           "get",
                                           "items",
                                           "keys",
                                           "values",
                                           "copy",
                                           "clone",
                                           "index",
                                           "count",
                                           "split",
                                           "startswith",
                                           "endswith",
                                           "lower",
                                           "upper",
                                           "strip",
                                           "format",
                                           "join",
                                           "provide",
                                           "provide_distributed_model",
                                           "initialize_model_parallel",
                                           "to_cfg_dict",
                                           "log_non_default_values"};
  const std::string owner(parent_part(*callee.path)), name(last_part(*callee.path));
  PythonTerm result = unknown(begin, "a function computes it when the run starts");
  result.within = owner;
  const KeyFacts facts = key_facts(canonical_key(owner), kNewestCore);
  const bool object = owner.empty() || facts.section || !facts.known;
  if (name == "__setattr__" && given.size() == 2 && given[0].term.value.string() != nullptr) {
    PythonTerm part;
    part.path = owner;
    machine_.set(*machine_.attribute(part, *given[0].term.value.string()).path,
                 machine_.value_of(given[1].term, written(given[1].begin, given[1].end)), origin(begin, owner));
    return result;
  }
  if (name == "update" && object && update(owner, given)) return result;
  const bool reads = std::find(std::begin(kReaders), std::end(kReaders), name) != std::end(kReaders);
  if (reads) return result;
  if (object && name != "append" && name != "extend") {
    machine_.may_change(owner, written(begin, at_), origin(begin, {}));
    return result;
  }
  const Origin at = origin(begin, owner);
  const Value value = given.size() == 1 ? machine_.value_of(given[0].term, written(given[0].begin, given[0].end)) : Value(Unknown{});
  Value before = machine_.value_of({Unknown{}, owner, {}, {}}, owner);
  List* items = before.list();
  const List* more = value.list();
  if (items == nullptr || value.is_unknown() || (name == "extend" && more == nullptr) || (name != "append" && name != "extend")) {
    machine_.set(owner, Unknown{std::string(written(begin, at_).substr(0, 200)), "it is added to a value that is not known"}, at);
    return result;
  }
  if (name == "append")
    items->push_back(value);
  else
    items->insert(items->end(), more->begin(), more->end());
  machine_.set(owner, std::move(before), at);
  return result;
}

/// Methods of a list or dictionary that a variable holds.
PythonTerm PythonExpression::container_method(const PythonTerm& callee, const std::vector<Argument>& given, std::size_t begin) {
  constexpr std::string_view kReaders[] = {"get", "keys", "values", "copy", "index", "count"};
  const Value value = given.size() == 1 && given[0].stars == 0
                          ? machine_.value_of(given[0].term, written(given[0].begin + (given[0].keyword.empty() ? 0 : 2), given[0].end))
                          : Value(Unknown{});
  PythonTerm result = unknown(begin, "it is computed when the run starts");
  if (callee.method == "items" && callee.value.map() != nullptr) {
    List pairs;
    for (const auto& [key, item] : *callee.value.map()) pairs.push_back(List{Value(key), item});
    return term_of(std::move(pairs));
  }
  if (callee.method == "copy" && given.empty()) return term_of(callee.value);
  if (std::find(std::begin(kReaders), std::end(kReaders), callee.method) != std::end(kReaders)) return result;
  Value after = callee.value;
  List* items = after.list();
  Map* entries = after.map();
  if (callee.method == "append" && items != nullptr && !value.is_unknown()) {
    items->push_back(value);
  } else if (callee.method == "extend" && items != nullptr && value.list() != nullptr) {
    items->insert(items->end(), value.list()->begin(), value.list()->end());
  } else if (callee.method == "update" && entries != nullptr &&
             (value.map() != nullptr || (given.size() == 1 && !given[0].keyword.empty()))) {
    for (const auto& [key, item] : value.map() != nullptr && given[0].keyword.empty() ? *value.map() : Map{{given[0].keyword, value}}) {
      std::erase_if(*entries, [&](const auto& entry) { return entry.first == key; });
      entries->emplace_back(key, item);
    }
  } else {
    after = Unknown{std::string(written(begin, at_).substr(0, 200)), "it changes when the run starts"};
  }
  machine_.replace_container(callee.variable, std::move(after), written(begin, at_), origin(begin, {}));
  return result;
}

}  // namespace spillway::config
