#include "tests/protocol/matching.hpp"

#include <string_view>

#include "tools/json.hpp"

namespace spillway::protocol {
namespace {

using config::Value;

bool glob(std::string_view pattern, std::string_view text) {
  std::size_t star = std::string_view::npos, mark = 0, p = 0, t = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string differs(const Value& expected, const Value& actual, const std::string& where) {
  return where + ": expected " + to_json(expected) + ", got " + to_json(actual);
}

}  // namespace

std::string mismatch(const Value& expected, const Value& actual, const std::string& where) {
  if (expected.string() && actual.string()) return glob(*expected.string(), *actual.string()) ? "" : differs(expected, actual, where);
  if (expected.list() && actual.list()) {
    if (expected.list()->size() != actual.list()->size()) return differs(expected, actual, where);
    for (std::size_t i = 0; i < expected.list()->size(); ++i)
      if (auto text = mismatch((*expected.list())[i], (*actual.list())[i], where + "[" + std::to_string(i) + "]"); !text.empty())
        return text;
    return "";
  }
  if (!expected.map() || !actual.map()) return expected == actual ? "" : differs(expected, actual, where);
  for (const auto& [name, value] : *expected.map()) {
    const Value* member = actual.find(name);
    if (value.is_null() && member == nullptr) continue;
    if (member == nullptr) return where + "." + name + " is missing in " + to_json(actual);
    if (auto text = mismatch(value, *member, where + "." + name); !text.empty()) return text;
  }
  return "";
}

}  // namespace spillway::protocol
