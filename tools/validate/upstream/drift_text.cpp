#include <algorithm>

#include "base/text.hpp"
#include "base/visible.hpp"
#include "tools/validate/upstream/drift.hpp"

namespace spillway::validate::upstream {
namespace {

using State = TextDrift::State;

constexpr std::size_t kQuoted = 160;  // Bytes of a text that are shown.

std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find(kHole, at)) != std::string::npos; at += 2) text.replace(at, 1, "{}");
  return "\"" + clipped(visible_line(text), kQuoted) + "\"";
}

std::string place(const Spot& spot) { return visible_line(spot.file) + ":" + std::to_string(spot.line); }

std::string line(const RuleDrift& rule, const TextDrift& text, const Style& style) {
  const bool gone = text.state == State::kGone;
  std::string out =
      "  " + paint(style, gone ? Ink::kRed : Ink::kYellow, gone ? "gone " : "moved") + " " + rule.code + " " + quoted(text.text) + "\n";
  if (!gone) return out + "        now " + place(*text.now) + ", was " + text.file + "\n";
  out += "        was " + text.file + "\n";
  return text.near ? out + "        near it " + place(*text.near) + " " + quoted(text.near_text) + "\n" : out;
}

std::size_t count(const TreeDrift& tree, State state) {
  std::size_t found = 0;
  for (const auto& rule : tree.rules)
    found += static_cast<std::size_t>(
        std::count_if(rule.texts.begin(), rule.texts.end(), [&](const TextDrift& text) { return text.state == state; }));
  return found;
}

std::string head(const TreeDrift& tree) {
  return visible_line(tree.directory) + ": " + join(tree.packages, ", ") +
         (tree.version.empty() ? "" : ", Megatron-Core " + visible_line(tree.version)) + "; checks of " +
         std::string(config::profile(tree.core).name) + "\n";
}

std::string tree_text(const TreeDrift& tree, const Style& style) {
  std::string out = paint(style, Ink::kBold, head(tree));
  for (const auto& rule : tree.rules)
    for (const auto& text : rule.texts)
      if (text.state != State::kFound) out += line(rule, text, style);
  for (const auto& skipped : tree.skipped) out += "  skipped " + visible_line(skipped) + "\n";
  return out + "  " + std::to_string(tree.rules.size()) + " rules looked for: " + std::to_string(count(tree, State::kFound)) +
         " texts found, " + std::to_string(count(tree, State::kMoved)) + " moved, " + std::to_string(count(tree, State::kGone)) + " gone\n";
}

/// What no tree could tell.
std::vector<std::string> left_out(const std::vector<TreeDrift>& trees) {
  std::vector<std::string> out;
  for (const auto& code : trees.front().not_looked_for)
    if (std::all_of(trees.begin(), trees.end(), [&](const TreeDrift& tree) {
          return std::find(tree.not_looked_for.begin(), tree.not_looked_for.end(), code) != tree.not_looked_for.end();
        }))
      out.push_back(code);
  return out;
}

}  // namespace

std::string drift_text(const std::vector<TreeDrift>& trees, const Style& style) {
  std::string out;
  if (trees.empty()) return out;
  for (const auto& tree : trees) out += tree_text(tree, style) + "\n";
  const auto codes = left_out(trees);
  if (codes.empty()) return out;
  return out + "not looked for (their package is in no tree, or upstream does not word them): " + std::to_string(codes.size()) +
         " rules\n  " + join(codes, ", ") + "\n";
}

}  // namespace spillway::validate::upstream
