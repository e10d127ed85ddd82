#include <algorithm>

#include "tools/config/shell/interpreter.hpp"
#include "tools/config/shell/parser.hpp"

/// Commands that set variables by name: assignments, declarations.
namespace spillway::config::shell {
namespace {

constexpr std::size_t kMaxElements = 10'000;

std::size_t bytes_of(const Field& field) {
  std::size_t bytes = 0;
  for (const auto& fragment : field) bytes += fragment.text.size();
  return bytes;
}

/// `A="$A …"` adds to A.
bool begins_with_itself(const Assignment& assignment) {
  const auto& pieces = assignment.words.front().pieces;
  return !pieces.empty() && pieces[0].kind == Piece::Kind::kVariable &&
         (pieces[0].text == "$" + assignment.name || pieces[0].text == "${" + assignment.name + "}");
}

}  // namespace

void Interpreter::set_open(const std::string& name, std::size_t offset, std::string reason) {
  environment_.variables.set(name, {{{{"$" + name, offset, std::move(reason), true}}}});
}

/// What a value rests on: the expansions it was made of, and what led to this command.
void Interpreter::rests(const std::string& name, bool adds) {
  Grounds grounds = environment_.touched;
  add(grounds, around_);
  const std::string key(environment_.variables.resolve(name));
  const auto known = environment_.grounds_of.find(key);
  if (known != environment_.grounds_of.end() && (adds || !certain())) add(grounds, known->second);
  if (grounds.empty() && known == environment_.grounds_of.end()) return;
  environment_.grounds_of[key] = std::move(grounds);
}

void Interpreter::set(const std::string& name, Variable value, std::size_t offset) {
  std::size_t bytes = 0;
  for (const auto& element : value.elements) bytes += bytes_of(element);
  const bool fits = bytes <= kMaxValueBytes && value.weight() <= kMaxValueFragments && value.elements.size() <= kMaxElements;
  if (!environment_.spend(value.weight() + bytes / 64)) return;
  rests(name, false);
  if (!fits) return set_open(name, offset, "the value grows larger than is followed");
  value.exported = value.exported || export_all_ || exports_.contains(name);
  environment_.variables.set(name, std::move(value));
}

/// Bash does not change what is `readonly`.
bool Interpreter::refused(const std::string& name, std::size_t offset) {
  if (!environment_.variables.is_readonly(name)) return false;
  note(offset, "an assignment to " + name, "it is readonly; bash refuses to change it");
  return true;
}

void Interpreter::assign(const Assignment& assignment, bool exported) {
  const std::size_t offset = assignment.words.empty() ? 0 : assignment.words.front().offset;
  if (refused(assignment.name, offset)) return;
  environment_.touched = {};
  if (assignment.array) return assign_array(assignment, exported);
  if (append(assignment, exported)) return;
  assign_element(assignment, exported, expand_text(assignment.words.front(), environment_));
}

/// Adds in place, so that a list of arguments may grow line by line.
bool Interpreter::append(const Assignment& assignment, bool exported) {
  const Variable* before = environment_.variables.find(assignment.name);
  const bool itself = !assignment.append && begins_with_itself(assignment) && before != nullptr && !before->array;
  if (before == nullptr || before->integer || before->keyed || !assignment.index.empty() || !(assignment.append || itself)) return false;
  Word rest = assignment.words.front();
  if (itself) rest.pieces.erase(rest.pieces.begin());
  if (itself) environment_.touch(assignment.name);
  Field more = expand_text(rest, environment_);
  const std::size_t copied = environment_.variables.owns(assignment.name) ? 0 : before->weight();
  if (!environment_.spend(copied + more.size() + 1 + bytes_of(more) / 64)) return true;
  Variable& value = *environment_.variables.own(assignment.name);
  if (value.elements.empty()) value.elements.emplace_back();
  Field& element = value.elements.front();
  rests(assignment.name, true);
  value.exported = value.exported || exported || export_all_;
  value.bytes += bytes_of(more);
  if (value.bytes > kMaxValueBytes || element.size() + more.size() > kMaxValueFragments)
    set_open(assignment.name, assignment.words.front().offset, "the value grows larger than is followed");
  else
    element.insert(element.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  return true;
}

void Interpreter::assign_array(const Assignment& assignment, bool exported) {
  const Variable* before = environment_.variables.find(assignment.name);
  Variable made;
  made.array = true;
  made.exported = exported;
  made.keyed = before != nullptr && before->keyed;
  bool followed = true;
  for (const auto& word : assignment.words) followed = followed && add_item(word, made);
  if (!followed) return set_open(assignment.name, assignment.words.front().offset, "an array index that is not known");
  const bool adds = assignment.append && before != nullptr && !before->keyed;
  if (assignment.append && before != nullptr && before->keyed)
    return set_open(assignment.name, assignment.words.empty() ? 0 : assignment.words.front().offset, "named elements are added to it");
  if (!adds) return set(assignment.name, std::move(made), assignment.words.empty() ? 0 : assignment.words.front().offset);
  const std::size_t copied = environment_.variables.owns(assignment.name) ? 0 : before->weight();
  if (!environment_.spend(copied + made.weight() + 1)) return;
  Variable& value = *environment_.variables.own(assignment.name);
  rests(assignment.name, true);
  value.array = true;
  if (value.elements.size() + made.elements.size() > kMaxElements)
    return set_open(assignment.name, assignment.words.front().offset, "the value grows larger than is followed");
  for (auto& element : made.elements) {
    value.bytes += bytes_of(element);
    value.elements.push_back(std::move(element));
  }
}

/// One word of `NAME=( … )`, also `[KEY]=VALUE`. False when its place is not known.
bool Interpreter::add_item(const Word& word, Variable& to) {
  const bool indexed = !word.pieces.empty() && word.pieces[0].kind == Piece::Kind::kLiteral && !word.pieces[0].quoted &&
                       word.pieces[0].text.starts_with("[");
  Word value = word;
  const std::size_t close = indexed ? value.pieces[0].text.find("]=") : std::string::npos;
  if (!indexed || (close == std::string::npos && !to.keyed && word.pieces.size() == 1)) {
    if (to.keyed) return false;
    for (auto& field : expand_words(word, environment_)) to.elements.push_back(std::move(field));
    return true;
  }
  if (close == std::string::npos) return false;
  const std::string key = value.pieces[0].text.substr(1, close - 1);
  value.pieces[0].text.erase(0, close + 2);
  value.pieces[0].offset += close + 2;
  std::size_t at = to.position(key);
  if (!to.keyed) {
    const auto index = arithmetic_of(key, environment_);
    if (!index || *index < 0 || *index >= static_cast<std::int64_t>(kMaxElements)) return false;
    at = static_cast<std::size_t>(*index);
    // Bash has no elements in between; a gap would be read as one.
    if (at > to.elements.size()) return false;
  } else if (at == to.keys.size()) {
    to.keys.push_back(key);
  }
  if (to.elements.size() <= at) to.elements.resize(at + 1);
  to.elements[at] = expand_text(value, environment_);
  return true;
}

void Interpreter::assign_element(const Assignment& assignment, bool exported, Field text) {
  const std::size_t offset = assignment.words.front().offset;
  const Variable* before = environment_.variables.find(assignment.name);
  Variable value;
  if (before != nullptr) value = *before;
  value.exported = value.exported || exported;
  std::size_t at = 0;
  if (value.keyed) {
    Text key;
    key.append(assignment.index, offset);
    const Field field = expand_document({{}, false, false, key, {}}, environment_);
    if (uncertain(field) != nullptr) return set_open(assignment.name, offset, "an array index that is not known");
    at = value.position(text_of(field));
    if (at == value.keys.size()) value.keys.push_back(text_of(field));
  } else if (!assignment.index.empty()) {
    const auto index = arithmetic_of(assignment.index, environment_);
    value.array = true;
    if (!index || *index < 0 || *index > static_cast<std::int64_t>(kMaxElements))
      return set_open(assignment.name, offset, "an array index that is not known");
    at = static_cast<std::size_t>(*index);
  }
  if (value.elements.size() <= at) value.elements.resize(at + 1);
  if (value.integer) {
    const std::string sum = (assignment.append ? text_of(value.elements[at]) + "+" : "") + "(" + text_of(text) + ")";
    const auto number = uncertain(text) != nullptr ? std::nullopt : arithmetic_of(sum, environment_);
    if (!number) return set_open(assignment.name, offset, "computed from what this script does not set");
    text = {{std::to_string(*number), offset, {}, false}};
  }
  Field& element = value.elements[at];
  if (!assignment.append || value.integer) element.clear();
  element.insert(element.end(), std::make_move_iterator(text.begin()), std::make_move_iterator(text.end()));
  set(assignment.name, std::move(value), offset);
}

void Interpreter::declare_option(std::string_view option, Declaration& how) const {
  const bool on = option.starts_with("-");
  for (const char c : option.substr(1)) {
    if (c == 'x') how.exported = on, how.plain = !on;
    if (c == 'n') (command_is_export_ ? how.plain : how.refers) = on;
    if (how.plain) how.exported = false;
    if (c == 'A') how.keyed = on;
    if (c == 'i') how.integer = on;
    if (c == 'r') how.readonly = on;
    if (c == 'l' || c == 'u') how.folded = on;
    if (c == 'g') how.local = false;
  }
}

void Interpreter::declare(const Command& command) {
  const auto first = command.words[0].bare().value_or("");
  Declaration how;
  how.exported = first == "export";
  how.readonly = first == "readonly";
  how.local = !locals_.empty() && first != "export" && first != "readonly";
  command_is_export_ = first == "export";
  bool options = true;
  for (auto word = command.words.begin() + 1; word != command.words.end(); ++word) {
    const auto text = word->bare().value_or("");
    options = options && text.size() > 1 && (text[0] == '-' || text[0] == '+');
    if (options)
      declare_option(text, how);
    else
      declare_word(*word, how);
  }
  for (const auto& assignment : command.assignments) {
    if (how.local) make_local(assignment.name);
    if (how.keyed && !refused(assignment.name, command.offset))
      environment_.variables.set(assignment.name, {{}, true, false, false, true, {}});
    assign(assignment, how.exported);
    declare_name(assignment.name, how);
  }
}

void Interpreter::declare_word(const Word& word, const Declaration& how) {
  auto assignment = as_assignment(word);
  if (assignment && how.refers) {
    const Field target = expand_text(assignment->words.front(), environment_);
    if (how.local) locals_.back().emplace_back(assignment->name, Variables::State{{}, false, true});
    if (uncertain(target) != nullptr) return unfollowed(word.offset, word.text(), "what it refers to is only known when the script runs");
    return environment_.variables.refer(assignment->name, text_of(target));
  }
  if (!assignment) {
    const Field field = expand_text(word, environment_);
    if (uncertain(field) != nullptr) return unfollowed(word.offset, word.text(), "what it declares is only known when the script runs");
    // `export "A=1"`: the quotes do not matter once the word is expanded.
    const std::string text = text_of(field);
    const auto equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (assignment_name(name + "=") == 0) return;
    if (equals != std::string::npos) {
      Text value;
      value.append(text.substr(equals + 1), field.front().offset + equals + 1);
      if (how.local) make_local(name);
      environment_.touched = {};
      if (!refused(name, word.offset))
        set(name, {{{{std::string(value.view()), value.origin(0), {}, false}}}, false, how.exported}, word.offset);
    } else if (how.local) {
      make_local(name);
      environment_.variables.unset(name);
    }
    return declare_name(name, how);
  }
  if (how.local) make_local(assignment->name);
  if (how.integer && environment_.variables.find(assignment->name) == nullptr)
    environment_.variables.set(assignment->name, {{Field{}}, false, false, true});
  assign(*assignment, how.exported);
  declare_name(assignment->name, how);
}

/// What a declaration makes of a variable, whether it is set or not.
void Interpreter::declare_name(const std::string& name, const Declaration& how) {
  auto& variables = environment_.variables;
  if (how.exported || how.plain) {
    how.exported ? void(exports_.insert(name)) : void(exports_.erase(name));
    variables.export_as(name, how.exported);
  }
  if (variables.find(name) == nullptr && (how.keyed || how.integer))
    variables.set(name, {{}, how.keyed, false, how.integer, how.keyed, {}});
  if (how.integer && variables.find(name) != nullptr) variables.own(name)->integer = true;
  if (how.folded) set_open(name, 0, "its letters change when the script runs");
  if (how.readonly) variables.protect(name);
}

/// The variable is another one until the function returns.
void Interpreter::make_local(const std::string& name) {
  auto& locals = locals_.back();
  if (std::any_of(locals.begin(), locals.end(), [&](const auto& local) { return local.first == name; })) return;
  auto state = environment_.variables.state(name);
  if (!environment_.spend(state.value ? state.value->weight() : 1)) return;
  locals.emplace_back(name, std::move(state));
}

}  // namespace spillway::config::shell
