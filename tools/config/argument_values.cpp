#include "tools/config/argument_values.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "tools/config/python_literals.hpp"

namespace spillway::config {
namespace {

using Type = tables::Flag::Type;

TypedWord bad_value(const std::string& text, const std::string& type) {
  return {Unknown{text, "not a value of type " + type}, Remark::Kind::kBadValue, type};
}

TypedWord chosen(const tables::Flag& flag, const std::string& text, Value value) {
  const auto& choices = flag.choices;
  if (choices.empty() || std::find(choices.begin(), choices.end(), value.str()) != choices.end())
    return {std::move(value), std::nullopt, {}};
  std::string all;
  for (const auto choice : choices) {
    if (!all.empty()) all += ", ";
    all += choice;
  }
  return {Unknown{text, "not among the choices of " + std::string(flag.flag)}, Remark::Kind::kBadChoice, std::move(all)};
}

/// Options with a conversion of their own hold a number, a layer pattern or plain words.
Value special(const std::string& text) {
  if (auto number = python_int(text)) return *number;
  if (auto list = python_int_list(text)) return std::move(*list);
  return text;
}

/// How a value is written as one word; nothing for what no word means.
std::optional<std::string> word_of(const Value& value) {
  if (value.is_null() || value.is_unknown() || value.map() != nullptr) return std::nullopt;
  return value.str();
}

/// A whole number is as good as a real one where the option takes reals.
bool means(const Value& read, const Value& wanted) {
  if (read.real() != nullptr && wanted.integer() != nullptr) return *read.real() == static_cast<double>(*wanted.integer());
  if (read.real() != nullptr && wanted.real() != nullptr) return *read.real() == *wanted.real() || read.repr() == wanted.repr();
  return read == wanted;
}

}  // namespace

TypedWord typed_word(const tables::Flag& flag, const std::string& text) {
  if (flag.type == Type::kBool) return {Value(!text.empty()), std::nullopt, {}};
  if (flag.type == Type::kInt) {
    auto number = python_int(text);
    return number ? chosen(flag, text, std::move(*number)) : bad_value(text, "int");
  }
  if (flag.type == Type::kFloat) {
    const auto number = python_float(text);
    return number ? chosen(flag, text, *number) : bad_value(text, "float");
  }
  if (flag.type == Type::kOther && flag.choices.empty()) return {special(text), std::nullopt, {}};
  return chosen(flag, text, text);
}

Value joined_words(std::vector<Value> values) {
  const auto unknown = std::find_if(values.begin(), values.end(), [](const Value& value) { return value.is_unknown(); });
  if (unknown == values.end()) return values;
  std::vector<std::string> texts;
  for (const auto& value : values) texts.push_back(value.str());
  return Unknown{join(texts, " "), unknown->unknown()->reason};
}

std::optional<std::vector<std::string>> words_of(const tables::Flag& flag, const Value& value) {
  std::vector<std::string> words;
  if (flag.nargs == "0") return value == flag.constant ? std::optional(words) : std::nullopt;
  const List* items = value.list();
  const bool single = flag.nargs.empty() || flag.nargs == "?";
  if (single != (items == nullptr || flag.type == Type::kOther)) return std::nullopt;
  const List one = single ? List{value} : *items;
  for (const auto& item : one) {
    auto word = word_of(item);
    if (!word || !means(typed_word(flag, *word).value, item)) return std::nullopt;
    words.push_back(std::move(*word));
  }
  return words;
}

}  // namespace spillway::config
