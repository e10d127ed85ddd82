#include <algorithm>

#include "base/text.hpp"
#include "tools/docs/markdown.hpp"
#include "tools/docs/pages.hpp"
#include "tools/validate/render/rule_text.hpp"

namespace spillway::docs {
namespace {

using validate::Rule;

std::string facts(const Rule& rule) {
  return "Severity " + std::string(name(rule.severity)) + ", at stage " + std::string(name(rule.stage)) + "; " +
         validate::render::launchers_of(rule) + "; " + validate::render::versions_of(rule) + ".\n";
}

/// Where only some see a message: `(bridge; 0.18 and later)`.
std::string concerns(const Rule& rule, const validate::Raise& raise) {
  Rule narrowed = rule;
  narrowed.launchers.bits = rule.launchers.bits & raise.launchers.bits;
  narrowed.since = std::max(rule.since, raise.since);
  narrowed.until = std::min(rule.until, raise.until);
  std::string out;
  if (narrowed.launchers.bits != rule.launchers.bits) out = validate::render::launchers_of(narrowed);
  if (narrowed.since != rule.since || narrowed.until != rule.until)
    out += (out.empty() ? "" : "; ") + validate::render::versions_of(narrowed);
  return out.empty() ? "" : " (" + out + ")";
}

std::string raises(const Rule& rule) {
  std::string out;
  for (const auto& raise : rule.raises) {
    const std::string text = raise.text.empty() ? "" : ": " + code(raise.text);
    const std::string line = "- " + code(raise.type) + text + concerns(rule, raise) + "\n";
    if (out.find(line) == std::string::npos) out += line;
  }
  return out;
}

std::string_view language_of(std::string_view file) {
  if (file.ends_with(".yaml")) return "yaml";
  if (file.ends_with(".json")) return "json";
  if (file.ends_with(".py")) return "python";
  return file.ends_with(".sh") ? "bash" : "text";
}

std::string shown(const Example& example) {
  std::string out = code("spillway validate " + example.file + example.options) + ":\n\n" + block(example.text, language_of(example.file)) +
                    "\n" + prose(sentence(example.message)) + "\n";
  if (!example.fixes.empty()) out += "\nFixes offered:\n\n";
  for (const auto& fix : example.fixes) out += "- " + prose(fix) + "\n";
  return out;
}

constexpr auto kMostLines = 60;  // A page is read at one glance.

auto lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

std::string evidence(const Rule& rule) {
  if (rule.evidence.file.empty()) return "";
  return code(rule.evidence.file) + ": " + code(rule.evidence.text);
}

}  // namespace

std::string rule_page(const Rule& rule, const Example* example) {
  std::string page = std::string(kMark) + "\n\n# " + std::string(rule.code) + "\n\n" + prose(sentence(rule.summary)) + "\n\n" +
                     facts(rule) + section("Condition", prose(rule.what)) + section("Why it matters", prose(rule.why)) +
                     section("What to do", prose(rule.remedy)) + section("What Megatron prints", raises(rule)) +
                     section("Read from", evidence(rule));
  const std::string last = section("Example", example == nullptr ? "" : shown(*example));
  return lines(page + last) > kMostLines ? page : page + last;
}

}  // namespace spillway::docs
