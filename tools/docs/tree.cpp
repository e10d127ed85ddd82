#include "tools/docs/tree.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/files.hpp"
#include "base/text.hpp"
#include "tools/cli/cli.hpp"
#include "tools/json.hpp"

namespace spillway::docs {
namespace {

namespace fs = std::filesystem;
using config::Value;

constexpr std::size_t kLargest = 1u << 20;   // Bytes of a page or a case.
constexpr std::size_t kLongestExample = 16;  // Lines; a page has at most 60.
constexpr std::size_t kWidest = 160;         // Columns.
constexpr std::size_t kMostFixes = 4;

std::vector<fs::path> failing_cases(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code failed;
  for (fs::directory_iterator each(folder, failed), end; !failed && each != end; each.increment(failed))
    if (each->path().filename().string().starts_with("fail")) paths.push_back(each->path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// A case without the lines that steer the test, which say what to add on the command line.
Example read_case(const std::string& file, std::string_view text) {
  Example out;
  out.file = file;
  for (const auto line : split(text, '\n')) {
    const auto options = line.find("spillway:");
    const bool steers = out.text.empty() && line.starts_with('#');
    if (steers && options != std::string_view::npos) out.options += std::string(line.substr(options + 9));
    if (steers && (options != std::string_view::npos || line.find("upstream:") != std::string_view::npos)) continue;
    out.text += std::string(line) + "\n";
  }
  return out;
}

bool is_short(const std::string& text) {
  const auto lines = split(trim(text), '\n');
  return lines.size() <= kLongestExample && !trim(text).empty() &&
         std::all_of(lines.begin(), lines.end(), [](std::string_view line) { return line.size() <= kWidest; });
}

void take_fixes(const Value& finding, Example& example) {
  const Value* fixes = finding.find("fixes");
  if (fixes == nullptr || fixes->list() == nullptr) return;
  for (const auto& fix : *fixes->list())
    if (example.fixes.size() < kMostFixes) example.fixes.push_back(fix.find("safety")->str() + ": " + fix.find("summary")->str());
}

/// Whether the command line finds what the rule is about; then the example says what it answers.
bool ask(const std::string& root, std::string_view code, const std::vector<AnyTool>& tools, Example& example) {
  std::vector<std::string> words = {"validate", example.file, "--format", "json"};
  for (const auto word : split(example.options, ' '))
    if (!word.empty()) words.emplace_back(word);
  const auto answer = parse_json(cli::run(words, tools, {}, {.directory = root}).out);
  const Value* findings = answer ? answer->find("findings") : nullptr;
  if (findings == nullptr || findings->list() == nullptr) return false;
  for (const auto& finding : *findings->list()) {
    if (*finding.find("code") != Value(code)) continue;
    example.message = finding.find("message")->str();
    take_fixes(finding, example);
    return true;
  }
  return false;
}

bool is_generated(const std::string& text) { return text.starts_with(kMark); }

/// The pages that were generated once.
std::vector<std::string> generated(const fs::path& root) {
  std::vector<std::string> found;
  std::error_code failed;
  const fs::path folder = root / kFolder;
  for (fs::recursive_directory_iterator each(folder, failed), end; !failed && each != end; each.increment(failed)) {
    if (each->path().extension() != ".md" || !fs::is_regular_file(each->path(), failed)) continue;
    const auto text = read_file(each->path().string(), kLargest);
    if (text && is_generated(*text)) found.push_back(std::string(kFolder) + "/" + each->path().lexically_relative(folder).generic_string());
  }
  return found;
}

Error unwritten(const fs::path& path, const std::error_code& reason) {
  return {"file-not-written", path.string() + ": " + reason.message(), "check the permissions of the folder", {}, path.string()};
}

}  // namespace

Examples read_examples(const std::string& root, const std::vector<validate::Rule>& rules, const std::vector<AnyTool>& tools) {
  Examples out;
  for (const auto& rule : rules) {
    const std::string folder = "tests/golden/rules/" + std::string(rule.code);
    for (const auto& path : failing_cases(fs::path(root) / folder)) {
      const auto text = read_file(path.string(), kLargest);
      if (!text) continue;
      Example example = read_case(folder + "/" + path.filename().string(), *text);
      if (!is_short(example.text) || !ask(root, rule.code, tools, example)) continue;
      out.emplace(rule.code, std::move(example));
      break;
    }
  }
  return out;
}

Difference compare(const std::string& root, const std::vector<Page>& pages) {
  Difference out;
  std::set<std::string> wanted;
  for (const auto& page : pages) {
    wanted.insert(page.path);
    const auto text = read_file((fs::path(root) / page.path).string(), kLargest);
    if (!text)
      out.missing.push_back(page.path);
    else if (*text != page.text)
      out.stale.push_back(page.path);
  }
  for (auto& path : generated(root))
    if (!wanted.contains(path)) out.superfluous.push_back(std::move(path));
  std::sort(out.superfluous.begin(), out.superfluous.end());
  return out;
}

std::optional<Error> write(const std::string& root, const std::vector<Page>& pages, const Difference& difference) {
  std::set<std::string> changed(difference.missing.begin(), difference.missing.end());
  changed.insert(difference.stale.begin(), difference.stale.end());
  std::error_code failed;
  for (const auto& page : pages) {
    if (!changed.contains(page.path)) continue;
    const fs::path path = fs::path(root) / page.path;
    fs::create_directories(path.parent_path(), failed);
    if (failed) return unwritten(path.parent_path(), failed);
    if (auto error = write_file(path.string(), page.text)) return error;
  }
  for (const auto& file : difference.superfluous)
    if (!fs::remove(fs::path(root) / file, failed) && failed) return unwritten(file, failed);
  return std::nullopt;
}

}  // namespace spillway::docs
