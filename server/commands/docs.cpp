#include "server/commands/docs.hpp"

#include <algorithm>
#include <filesystem>

#include "tools/docs/tree.hpp"
#include "tools/validate/upstream/drift.hpp"

namespace spillway::commands {
namespace {

using Args = std::vector<std::string>;
using validate::upstream::TreeDrift;

constexpr std::string_view kUsage = "--write|--check [DIR], or --upstream DIR…";

cli::Outcome refused(Error error) { return {cli::kNotAsked, "", "", {std::move(error)}}; }

std::string lines(std::string_view what, const std::vector<std::string>& paths) {
  std::string out;
  for (const auto& path : paths) out += std::string(what) + " " + path + "\n";
  return out;
}

std::string number(std::size_t count) { return count == 1 ? "1 page" : std::to_string(count) + " pages"; }

cli::Outcome checked(const docs::Difference& difference, std::size_t count) {
  if (difference.none()) return {cli::kGood, number(count) + " up to date\n"};
  return {cli::kBadNews, lines("missing", difference.missing) + lines("stale", difference.stale) +
                             lines("superfluous", difference.superfluous) + "spillway docs --write makes them right\n"};
}

cli::Outcome written(const std::string& root, const std::vector<docs::Page>& pages, const docs::Difference& difference) {
  if (auto error = docs::write(root, pages, difference)) return refused(std::move(*error));
  return {cli::kGood, number(pages.size()) + ": " + std::to_string(difference.missing.size() + difference.stale.size()) + " written, " +
                          std::to_string(difference.superfluous.size()) + " removed\n"};
}

cli::Outcome keep(const Args& words, const std::vector<AnyTool>& tools) {
  const std::string root = words.size() > 1 ? words[1] : ".";
  if (words.size() > 2) return refused({"unexpected-argument", "unexpected argument " + words[2], "one folder is enough", {}, words[2]});
  if (!std::filesystem::is_directory(root)) return refused({"not-a-folder", root + " is no folder", "name the source tree", {}, root});
  const auto rules = validate::rules::all();
  const auto pages = docs::pages(rules, tools, docs::read_examples(root, rules, tools));
  const auto difference = docs::compare(root, pages);
  return words.front() == "--write" ? written(root, pages, difference) : checked(difference, pages.size());
}

bool is_all_found(const TreeDrift& tree) {
  using State = validate::upstream::TextDrift::State;
  return std::all_of(tree.rules.begin(), tree.rules.end(), [](const auto& rule) {
    return std::all_of(rule.texts.begin(), rule.texts.end(), [](const auto& text) { return text.state == State::kFound; });
  });
}

cli::Outcome look_upstream(const Args& words) {
  if (words.size() < 2) return refused({"bad-option", "--upstream needs a folder", "spillway docs --upstream DIR…", {}, "--upstream"});
  std::vector<TreeDrift> trees;
  std::vector<Error> errors;
  for (auto word = words.begin() + 1; word != words.end(); ++word) {
    auto tree = validate::upstream::drift_of(*word, validate::rules::all());
    tree ? trees.push_back(std::move(*tree)) : errors.push_back(tree.error());
  }
  if (!errors.empty()) return {cli::kNotAsked, "", "", std::move(errors)};
  const bool good = std::all_of(trees.begin(), trees.end(), is_all_found);
  return {good ? cli::kGood : cli::kBadNews, validate::upstream::drift_text(trees, {})};
}

}  // namespace

cli::Command docs(const std::vector<AnyTool>& tools) {
  return {"docs", "writes or checks the generated pages, or looks for the rules' texts in trees of upstream", kUsage,
          [&tools](const Args& words) {
            const std::string option = words.empty() ? "" : words.front();
            if (option == "--write" || option == "--check") return keep(words, tools);
            if (option == "--upstream") return look_upstream(words);
            return refused({"bad-option",
                            option.empty() ? "what to do was not said" : "unknown option " + option,
                            "spillway docs " + std::string(kUsage),
                            {},
                            option});
          }};
}

}  // namespace spillway::commands
