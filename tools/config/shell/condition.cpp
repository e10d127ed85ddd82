#include "tools/config/shell/condition.hpp"

#include <algorithm>

#include "tools/config/shell/glob.hpp"

namespace spillway::config::shell {
namespace {

using Words = std::vector<Word>;

Status status_of(bool value) { return value ? Status::kTrue : Status::kFalse; }

bool is(const Word& word, std::string_view text) { return word.bare() == text; }

/// `a op b`, where both sides are certain.
Status compare(std::string_view op, const Field& left, const Field& right, bool pattern, bool brackets, Environment& environment) {
  if (uncertain(left) != nullptr || uncertain(right) != nullptr) return Status::kUnknown;
  const std::string a = text_of(left), b = text_of(right);
  if (op == "=" || op == "==" || op == "!=") {
    const auto equal = pattern ? matches_glob(b, a) : std::optional(a == b);
    return equal ? status_of(*equal == (op != "!=")) : Status::kUnknown;
  }
  // `[[` calculates, `[` reads digits.
  const auto x = brackets ? arithmetic_of(text_of(left), environment) : integer_of(left);
  const auto y = brackets ? arithmetic_of(text_of(right), environment) : integer_of(right);
  if (!x || !y) return Status::kUnknown;
  if (op == "-eq") return status_of(*x == *y);
  if (op == "-ne") return status_of(*x != *y);
  if (op == "-lt") return status_of(*x < *y);
  if (op == "-le") return status_of(*x <= *y);
  if (op == "-gt") return status_of(*x > *y);
  if (op == "-ge") return status_of(*x >= *y);
  return Status::kUnknown;
}

Status emptiness(const Word& word, bool wanted_empty, Environment& environment) {
  const Field value = expand_for_test(word, environment);
  if (uncertain(value) != nullptr) return Status::kUnknown;
  return status_of(text_of(value).empty() == wanted_empty);
}

Status is_set(const Word& word, Environment& environment) {
  const std::string_view name = *word.bare();
  environment.touch(name);
  if (environment.variables.find(name) != nullptr) return Status::kTrue;
  if (environment.variables.is_unset(name)) return Status::kFalse;
  if (is_set_by_system(name)) return Status::kUnknown;
  environment.assume(std::string(name), "not set by the script; taken as unset", word.offset);
  return Status::kFalse;
}

Status primary(const Words& words, std::size_t begin, std::size_t end, bool pattern, Environment& environment) {
  const std::size_t count = end - begin;
  if (count > 0 && is(words[begin], "!")) return negation(primary(words, begin + 1, end, pattern, environment));
  if (count == 1) return emptiness(words[begin], false, environment);
  if (count == 2 && is(words[begin], "-z")) return emptiness(words[begin + 1], true, environment);
  if (count == 2 && is(words[begin], "-n")) return emptiness(words[begin + 1], false, environment);
  if (count == 2 && is(words[begin], "-v") && words[begin + 1].bare()) return is_set(words[begin + 1], environment);
  if (count != 3 || !words[begin + 1].bare()) return Status::kUnknown;
  return compare(*words[begin + 1].bare(), expand_text(words[begin], environment), expand_text(words[begin + 2], environment),
                 pattern && !words[begin + 2].quoted, pattern, environment);
}

Status all_of(Status a, Status b) {
  if (a == Status::kFalse || b == Status::kFalse) return Status::kFalse;
  return a == Status::kTrue && b == Status::kTrue ? Status::kTrue : Status::kUnknown;
}

/// Alternatives of conjunctions: `a && b || c`, and `-a`, `-o`.
Status combined(const Words& words, std::size_t begin, std::size_t end, bool pattern, Environment& environment) {
  Status any = Status::kFalse, all = Status::kTrue;
  for (std::size_t at = begin; at <= end; ++at) {
    const bool ors = at < end && (is(words[at], "||") || is(words[at], "-o"));
    const bool ands = at < end && (is(words[at], "&&") || is(words[at], "-a"));
    if (at < end && !ors && !ands) continue;
    all = all_of(all, primary(words, begin, at, pattern, environment));
    begin = at + 1;
    if (ands) continue;
    any = negation(all_of(negation(any), negation(all)));
    all = Status::kTrue;
  }
  return any;
}

}  // namespace

Status negation(Status status) {
  if (status == Status::kTrue || status == Status::kAssumed) return status == Status::kTrue ? Status::kFalse : Status::kUnknown;
  return status == Status::kFalse ? Status::kTrue : Status::kUnknown;
}

Status evaluate_test(const Words& words, Environment& environment) {
  if (words.empty()) return Status::kUnknown;
  const bool brackets = is(words[0], "[["), bracket = is(words[0], "[");
  const std::size_t end = bracket && is(words.back(), "]") ? words.size() - 1 : words.size();
  const bool grouped =
      std::any_of(words.begin(), words.end(), [](const Word& word) { return is(word, "(") || is(word, ")") || is(word, "=~"); });
  if (grouped || end < 2) return Status::kUnknown;
  return combined(words, 1, end, brackets, environment);
}

}  // namespace spillway::config::shell
