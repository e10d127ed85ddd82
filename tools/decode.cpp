#include "tools/decode.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/secrets.hpp"
#include "base/text.hpp"
#include "base/visible.hpp"
#include "tools/config/shell/words.hpp"

namespace spillway {
namespace {

using config::Value;

constexpr std::size_t kMaxShown = 80;
constexpr std::size_t kMaxWords = 100'000;
constexpr std::size_t kMaxItems = 10'000;  // Nobody types more; each costs a look at files or tables.
constexpr std::size_t kMaxErrors = 20;     // More are not shown, and each looks for near names.

std::string folded(std::string_view text) {
  std::string out = lower(text);
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

/// A given value as it is shown in a message: clipped, texts in quotes.
std::string shown(const Value& value) {
  std::string text = value.string()    ? '"' + *value.string() + '"'
                     : value.is_null() ? "null"
                     : value.boolean() ? lower(value.str())
                                       : value.str();
  return valid_utf8(clipped(masked(text), kMaxShown));
}

std::string alternatives(const std::vector<std::string_view>& names) {
  std::string out;
  for (const auto name : names) out += (out.empty() ? "" : ", ") + std::string(name);
  return out;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& names) {
  const auto near = nearest(word, names);
  return near.empty() ? "" : "did you mean " + join(near, " or ") + "?";
}

std::optional<std::int64_t> integer_in(std::string_view text) {
  std::string digits;
  for (const char c : trim(text))
    if (c != '_' && c != ',') digits += c;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

std::optional<double> number_in(std::string_view text) {
  text = trim(text);
  const bool percent = text.ends_with('%');
  if (percent) text = trim(text.substr(0, text.size() - 1));
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return percent ? number / 100 : number;
}

std::optional<bool> truth_in(std::string_view text) {
  const std::string word = lower(trim(text));
  if (word == "true" || word == "yes" || word == "on" || word == "1") return true;
  if (word == "false" || word == "no" || word == "off" || word == "0") return false;
  return std::nullopt;
}

/// Decodes the value of one field into its slot.
class Decoder {
 public:
  Decoder(const Field& field, Wire wire, Decoded& out) : field_(field), wire_(wire), out_(out) {}

  void operator()(const Value& value) {
    if (value.is_null()) return;
    std::visit([&](const auto& slot) { into(slot, value); }, field_.slot);
  }

 private:
  std::string name() const { return called(field_, wire_); }

  void refuse(const std::string& what, std::string hint = {}) {
    if (hint.empty()) hint = name() + (field_.doc.empty() ? " takes another value" : ": " + std::string(field_.doc));
    out_.errors.push_back({"bad-value", name() + ": " + what, std::move(hint), {}, name()});
  }

  void expected(const Value& value, std::string_view what) { refuse(shown(value) + " is not " + std::string(what)); }

  /// Notes a reinterpretation, in the same words on every wire: it is part of the answer. On a command line everything is text,
  /// so that only other spellings count.
  void understood(const Value& value, const std::string& as, bool typing_only) {
    if (typing_only && wire_ == Wire::kCommandLine) return;
    out_.understood.push_back(std::string(field_.name) + ": " + shown(value) + " read as " + as);
  }

  void into(bool* slot, const Value& value) {
    std::optional<bool> truth;
    if (value.boolean()) truth = *value.boolean();
    if (value.string()) truth = truth_in(*value.string());
    if (value.integer()) truth = truth_in(value.str());
    if (!truth) return expected(value, "true or false");
    if (!value.boolean()) understood(value, *truth ? "true" : "false", true);
    *slot = *truth;
  }

  void into(std::int64_t* slot, const Value& value) {
    std::optional<std::int64_t> number;
    if (value.integer()) number = *value.integer();
    if (value.real() && std::nearbyint(*value.real()) == *value.real() && std::abs(*value.real()) < 9e15)
      number = static_cast<std::int64_t>(*value.real());
    if (value.string()) number = integer_in(*value.string());
    if (!number) return expected(value, "a whole number");
    if (!within(static_cast<double>(*number), value)) return;
    if (value.string()) understood(value, std::to_string(*number), true);
    *slot = *number;
  }

  void into(double* slot, const Value& value) {
    std::optional<double> number;
    if (value.real() && std::isfinite(*value.real())) number = *value.real();
    if (value.integer()) number = static_cast<double>(*value.integer());
    if (value.string()) number = number_in(*value.string());
    if (!number) return expected(value, "a number");
    if (!within(*number, value)) return;
    if (value.string()) understood(value, Value(*number).str(), !value.string()->ends_with('%'));
    *slot = *number;
  }

  bool within(double number, const Value& value) {
    if (field_.minimum && number < *field_.minimum)
      return refuse(shown(value) + " is below the least allowed, " + limit(*field_.minimum)), false;
    if (field_.maximum && number > *field_.maximum)
      return refuse(shown(value) + " is above the most allowed, " + limit(*field_.maximum)), false;
    return true;
  }

  static std::string limit(double number) {
    return number == std::floor(number) ? std::to_string(static_cast<std::int64_t>(number)) : Value(number).str();
  }

  void into(std::string* slot, const Value& value) {
    if (auto text = text_of(value)) *slot = std::move(*text);
  }

  /// The text of a scalar in its canonical spelling, or nothing after an error.
  std::optional<std::string> text_of(const Value& value) {
    if (value.list() && field_.is_words) return joined(*value.list());
    if (value.list() || value.map() || value.is_null()) return expected(value, "a text"), std::nullopt;
    const std::string text = value.string() ? *value.string() : value.boolean() ? lower(value.str()) : value.str();
    auto canonical = canonical_spelling(text);
    if (!canonical) return std::nullopt;
    if (!value.string() || *canonical != text) understood(value, *canonical, *canonical == text);
    return canonical;
  }

  std::optional<std::string> canonical_spelling(const std::string& text) {
    std::optional<std::string> word = field_.spelling ? field_.spelling(text) : text;
    if (word && (field_.choices.empty() || std::find(field_.choices.begin(), field_.choices.end(), *word) != field_.choices.end()))
      return word;
    for (const auto choice : field_.choices)
      if (folded(choice) == folded(trim(text))) return std::string(choice);
    const std::string what = field_.expects.empty() ? "one of " + alternatives(field_.choices) : std::string(field_.expects);
    refuse(shown(Value(text)) + " is not " + what, did_you_mean(text, field_.choices));
    return std::nullopt;
  }

  static std::string joined(const config::List& items) {
    std::string text;
    for (const auto& item : items) text += (text.empty() ? "" : " ") + config::shell::quoted_word(item.str());
    return text;
  }

  void into(std::vector<std::string>* slot, const Value& value) {
    if (value.list()) return append(*slot, *value.list());
    if (!value.string() || !field_.is_words) return append(*slot, {value});
    const auto words = config::shell::split_words(*value.string(), kMaxWords);
    if (!words) return refuse(words.error().message, words.error().hint);
    if (!few(words->size())) return;
    for (const auto& word : *words) slot->push_back(word.text);
    if (words->size() != 1) understood(value, std::to_string(words->size()) + " words", true);
  }

  bool few(std::size_t count) {
    if (count <= kMaxItems) return true;
    refuse(std::to_string(count) + " are too many; at most " + std::to_string(kMaxItems) + " are taken",
           "put them into a file and name it as a source");
    return false;
  }

  void append(std::vector<std::string>& slot, const config::List& items) {
    if (!few(items.size())) return;
    for (const auto& item : items)
      if (auto text = text_of(item)) slot.push_back(std::move(*text));
  }

  void into(Pairs* slot, const Value& value) {
    if (value.map()) {
      if (!few(value.map()->size())) return;
      for (const auto& [key, item] : *value.map())
        if (auto text = text_of(item)) slot->emplace_back(key, std::move(*text));
      return;
    }
    if (value.list()) {
      if (!few(value.list()->size())) return;
      for (const auto& item : *value.list()) pair_into(*slot, item);
      return;
    }
    const auto words = config::shell::split_words(value.str(), kMaxWords);
    if (!words) return refuse(words.error().message, words.error().hint);
    if (!few(words->size())) return;
    for (const auto& word : *words) pair_into(*slot, Value(word.text));
  }

  void pair_into(Pairs& slot, const Value& item) {
    const std::string text = item.str();
    const auto at = text.find('=');
    if (!item.string() || at == std::string::npos || at == 0) return expected(item, "of the form NAME=VALUE");
    slot.emplace_back(text.substr(0, at), text.substr(at + 1));
  }

  void into(config::Map* slot, const Value& value) {
    if (!value.map()) return expected(value, "an object");
    *slot = *value.map();
  }

  template <class T>
  void into(std::optional<T>* slot, const Value& value) {
    T read{};
    const std::size_t before = out_.errors.size();
    into(&read, value);
    if (out_.errors.size() == before) *slot = std::move(read);
  }

  void into(const std::shared_ptr<Nested>&, const Value& value) { expected(value, "something that can be given from outside"); }

  const Field& field_;
  const Wire wire_;
  Decoded& out_;
};

/// The field a given name means: exactly, or in another case, with dashes, or by its flag.
const Field* meant(const Fields& fields, std::string_view name) {
  if (const Field* field = fields.find(name)) return field;
  for (const auto& field : fields)
    if (folded(field.name) == folded(name) || folded(flag_of(field)) == folded(name)) return &field;
  return nullptr;
}

Error unknown_argument(const Fields& fields, std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& field : fields)
    if (field.has_argument) names.push_back(field.name);
  std::string hint = did_you_mean(name, names);
  if (hint.empty()) hint = "arguments: " + alternatives(names);
  return {"unknown-argument", "unknown argument " + shown(Value(name)), hint, {}, valid_utf8(clipped(name, kMaxShown))};
}

}  // namespace

std::string called(const Field& field, Wire wire) {
  if (wire == Wire::kJson) return std::string(field.name);
  return field.is_positional ? std::string(field.value_name) : "--" + flag_of(field);
}

Decoded decode(const config::Map& given, const Fields& fields, Wire wire) {
  Decoded out;
  std::vector<const Field*> seen;
  for (const auto& [name, value] : given) {
    if (out.errors.size() >= kMaxErrors) break;
    const Field* field = meant(fields, name);
    if (field == nullptr || (wire == Wire::kJson && !field->has_argument)) {
      out.errors.push_back(unknown_argument(fields, name));
      continue;
    }
    if (field->name != name) out.understood.push_back(name + " read as " + std::string(field->name));
    Decoder(*field, wire, out)(value);
    if (!value.is_null()) seen.push_back(field);
  }
  for (const auto& field : fields)
    if (field.is_required && std::find(seen.begin(), seen.end(), &field) == seen.end())
      out.errors.push_back({"missing-argument", called(field, wire) + " is missing", std::string(field.doc), {}, called(field, wire)});
  return out;
}

}  // namespace spillway
