#include "tools/config/arguments.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/text.hpp"
#include "tools/config/argument_values.hpp"
#include "tools/config/suggester.hpp"
#include "tools/config/tables/tables.hpp"

namespace spillway::config {
namespace {

/// argparse's idea of a negative number, which it takes for a value although it starts with a dash.
bool is_negative_number(std::string_view text) {
  if (!text.starts_with('-')) return false;
  text.remove_prefix(1);
  const auto point = text.find('.');
  const auto digits = [](std::string_view part) { return part.find_first_not_of("0123456789") == std::string_view::npos; };
  if (point == std::string_view::npos) return !text.empty() && digits(text);
  return digits(text.substr(0, point)) && point + 1 < text.size() && digits(text.substr(point + 1));
}

/// What argparse takes a word for before it knows who wants it.
struct Seen {
  enum class Role { kValue, kOption, kUnknownOption, kSeparator };
  Role role = Role::kValue;
  std::string_view option;                ///< Without an attached value.
  std::optional<std::string_view> value;  ///< Attached with `=`.
  const tables::Flag* flag = nullptr;
};

std::string quantity(std::string_view nargs) {
  if (nargs.empty()) return "one argument";
  if (nargs == "+") return "at least one argument";
  return std::string(nargs) + " arguments";
}

class Parser {
 public:
  Parser(const std::vector<Token>& tokens, const ReadContext& context) : tokens_(tokens), context_(context) {}

  Reading parse() {
    for (const auto& token : tokens_) seen_.push_back(classify(token.text));
    while (at_ < tokens_.size()) {
      if (seen_[at_].role == Seen::Role::kOption)
        option();
      else
        stray();
    }
    out_.launcher = Launcher::kMegatronLm;
    out_.remarks = std::move(stopping_);
    for (auto* more : {&unrecognised_, &rest_}) std::move(more->begin(), more->end(), std::back_inserter(out_.remarks));
    return std::move(out_);
  }

 private:
  /// Finding an option costs a copy out of the table; a long list names the same ones again and again.
  const tables::Flag* find(std::string_view spelling) {
    const auto known = flags_.find(spelling);
    if (known != flags_.end()) return known->second ? &*known->second : nullptr;
    return (flags_[std::string(spelling)] = tables::find_flag(spelling, context_.core, context_.script)) ? &*flags_.find(spelling)->second
                                                                                                         : nullptr;
  }

  Seen classify(std::string_view text) {
    if (separated_ || text.size() < 2 || text[0] != '-') return {};
    if (text == "--") {
      separated_ = true;
      return {Seen::Role::kSeparator, text, {}, nullptr};
    }
    if (const auto* flag = find(text)) return {Seen::Role::kOption, text, {}, flag};
    const auto equals = text.find('=');
    const std::string_view option = text.substr(0, equals);
    const auto value = equals == std::string_view::npos ? std::nullopt : std::optional(text.substr(equals + 1));
    if (const auto* flag = value ? find(option) : nullptr) return {Seen::Role::kOption, option, value, flag};
    if (is_negative_number(text) || text.find(' ') != std::string_view::npos) return {};
    return {Seen::Role::kUnknownOption, option, value, nullptr};
  }

  bool takeable(std::size_t index) const { return index < seen_.size() && seen_[index].role == Seen::Role::kValue; }

  Origin origin(std::size_t index, std::string_view spelling) const {
    Origin origin = tokens_[index].origin;
    origin.spelling = spelling;
    return origin;
  }

  void option() {
    const Seen& seen = seen_[at_];
    const bool is_switch = seen.flag->nargs == "0";
    after_switch_ = is_switch ? seen.option : std::string_view{};
    if (is_switch) return switch_option(seen);
    const std::string_view nargs = seen.flag->nargs;
    const bool fixed = !nargs.empty() && nargs[0] >= '0' && nargs[0] <= '9';
    const std::size_t wanted = fixed ? std::stoul(std::string(nargs)) : nargs == "+" || nargs == "*" ? tokens_.size() : 1;
    const std::size_t needed = fixed ? wanted : nargs.empty() || nargs == "+" ? 1 : 0;
    std::vector<std::size_t> taken;
    if (seen.value) taken = {at_};
    for (std::size_t next = at_ + 1; !seen.value && taken.size() < wanted && takeable(next); ++next) taken.push_back(next);
    if (taken.size() < needed)
      missing(seen);
    else
      store(seen, taken);
    at_ = taken.empty() || seen.value ? at_ + 1 : taken.back() + 1;
  }

  void switch_option(const Seen& seen) {
    if (seen.value) stopping_.push_back(remark(Remark::Kind::kFlagValue, at_, seen.option, std::string(*seen.value), "="));
    add(seen, at_, open(seen.flag->constant, at_));
    ++at_;
  }

  void missing(const Seen& seen) { stopping_.push_back(remark(Remark::Kind::kMissingValue, at_, seen.option, quantity(seen.flag->nargs))); }

  /// A value under a condition is not known, however plainly it is written.
  Value open(Value value, std::size_t index) const {
    const auto& unknown = tokens_[index].unknown;
    return unknown ? Value(Unknown{value.str(), unknown->reason}) : value;
  }

  void store(const Seen& seen, const std::vector<std::size_t>& taken) {
    List values;
    for (const std::size_t index : taken) {
      const auto& token = tokens_[index];
      const std::string text(seen.value ? *seen.value : std::string_view(token.text));
      values.push_back(token.unknown ? Value(Unknown{text, token.unknown->reason}) : typed(seen, index, text));
    }
    const std::string_view nargs = seen.flag->nargs;
    if (nargs.empty() || (nargs == "?" && !values.empty())) return add(seen, at_, open(std::move(values[0]), at_));
    if (nargs == "?") return add(seen, at_, open(seen.flag->constant, at_));
    add(seen, at_, open(joined_words(std::move(values)), at_));
  }

  Value typed(const Seen& seen, std::size_t index, const std::string& text) {
    TypedWord word = typed_word(*seen.flag, text);
    if (!word.problem) return std::move(word.value);
    stopping_.push_back(remark(*word.problem, index, seen.option, text, std::move(word.expected)));
    if (*word.problem == Remark::Kind::kBadChoice)
      stopping_.back().suggestions = suggest_([&] { return nearest(text, seen.flag->choices); });
    return std::move(word.value);
  }

  void add(const Seen& seen, std::size_t index, Value value) {
    const std::string key(seen.flag->key);
    if (const Unknown* unknown = value.unknown(); unknown && tokens_has_unknown(index))
      rest_.push_back(remark(Remark::Kind::kUnresolved, index, key, unknown->text, unknown->reason));
    else if (!keys_.insert(key).second)
      rest_.push_back(remark(Remark::Kind::kDuplicate, index, key));
    out_.settings.push_back({key, std::move(value), origin(index, seen.option)});
  }

  /// Whether the option at this place or one of its words is open, as opposed to wrong.
  bool tokens_has_unknown(std::size_t index) const {
    if (tokens_[index].unknown) return true;
    for (std::size_t next = index + 1; takeable(next); ++next)
      if (tokens_[next].unknown) return true;
    return false;
  }

  /// A word that no option takes.
  void stray() {
    const Seen& seen = seen_[at_];
    const Token& token = tokens_[at_];
    const bool resolved = !token.unknown || seen.role == Seen::Role::kUnknownOption;
    if (token.unknown && (token.open || token.text.find('$') != std::string::npos)) {
      rest_.push_back(remark(Remark::Kind::kOpenWords, at_, token.text, token.text, token.unknown->reason));
    } else if (resolved && seen.role == Seen::Role::kUnknownOption) {
      return unknown_option(seen);
    } else if (!after_switch_.empty()) {
      unrecognised_.push_back(remark(Remark::Kind::kFlagValue, at_, after_switch_, token.text));
    } else {
      unrecognised_.push_back(remark(Remark::Kind::kUnknownFlag, at_, token.text));
    }
    ++at_;
  }

  void unknown_option(const Seen& seen) {
    after_switch_ = {};
    Remark found = remark(Remark::Kind::kUnknownFlag, at_, seen.option, seen.value ? "=" + std::string(*seen.value) : "");
    found.suggestions = suggest_([&] { return suggestions(seen.option); });
    for (++at_; takeable(at_) && !tokens_[at_].unknown; ++at_) {
      if (!found.detail.empty()) found.detail += ' ';
      found.detail += tokens_[at_].text;
    }
    unrecognised_.push_back(std::move(found));
  }

  /// Options that an unknown one abbreviates, then those that look like it.
  std::vector<std::string> suggestions(std::string_view option) {
    const auto names = tables::flag_names(context_.core, context_.script);
    std::string wanted = "--" + lower(option.substr(std::min(option.find_first_not_of('-'), option.size())));
    std::replace(wanted.begin(), wanted.end(), '_', '-');
    auto out = nearest(wanted, names);
    for (const auto name : names)
      if (wanted.size() > 4 && name.starts_with(wanted) && std::find(out.begin(), out.end(), name) == out.end()) out.emplace_back(name);
    if (out.size() > 3) out.resize(3);
    return out;
  }

  Remark remark(Remark::Kind kind, std::size_t index, std::string_view subject, std::string detail = {}, std::string expected = {}) const {
    Remark out{kind, std::string(subject), std::move(detail), std::move(expected), {}, origin(index, {})};
    out.origin.spelling =
        kind == Remark::Kind::kDuplicate || kind == Remark::Kind::kUnresolved ? std::string(seen_[index].option) : out.subject;
    return out;
  }

  const std::vector<Token>& tokens_;
  const ReadContext& context_;
  std::vector<Seen> seen_;
  TextMap<std::optional<tables::Flag>> flags_;
  bool separated_ = false;
  std::size_t at_ = 0;
  Suggester suggest_;
  std::string_view after_switch_;  ///< The switch before this word, when nothing but values stands between.
  std::unordered_set<std::string> keys_;
  std::vector<Remark> stopping_, unrecognised_, rest_;
  Reading out_;
};

}  // namespace

bool stops_parsing(const Remark& remark) {
  using Kind = Remark::Kind;
  return remark.kind == Kind::kMissingValue || remark.kind == Kind::kBadValue || remark.kind == Kind::kBadChoice ||
         (remark.kind == Kind::kFlagValue && remark.expected == "=");
}

Reading read_arguments(const std::vector<Token>& tokens, const ReadContext& context) { return Parser(tokens, context).parse(); }

}  // namespace spillway::config
