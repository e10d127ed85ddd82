#include "tools/validate/render/sarif.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>

#include "base/secrets.hpp"
#include "base/text.hpp"
#include "base/visible.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::render {
namespace {

using config::List;
using config::Map;
using config::Source;
using config::Value;

constexpr std::size_t kMostFixes = 100;
constexpr std::size_t kMostInserted = 16 * 1024;  // Bytes of one replacement; a log is read by people as well.
constexpr std::size_t kMaxMessage = 2000;         // Bytes; services show a few lines.

std::string_view level(Severity severity) {
  if (severity == Severity::kInfo) return "note";
  return severity == Severity::kError ? "error" : "warning";
}

/// A message as the format has it: nothing in it may read as a link.
Map message(std::string_view text) {
  std::string out;
  for (const char c : masked(clipped(text, kMaxMessage))) {
    if (c == '(' && out.ends_with(']')) out += ' ';
    out += c;
  }
  return {{"text", Value(std::move(out))}};
}

/// `ACT-NUM-LAYERS` as a name of a class: `ActNumLayers`.
std::string pascal(std::string_view code) {
  std::string out;
  for (const auto part : split(code, '-')) {
    const std::string word = lower(part);
    out += word.empty() ? "" : std::string(1, part.front()) + word.substr(1);
  }
  return out;
}

std::string help_of(const Rule& rule, bool markdown) {
  std::string out;
  const auto part = [&](std::string_view title, std::string_view text) {
    if (text.empty()) return;
    out += out.empty() ? "" : "\n\n";
    out += (markdown ? "**" + std::string(title) + "** " : std::string(title) + ": ") + std::string(text);
  };
  part("Condition", rule.what);
  part("Why it matters", rule.why);
  part("What to do", rule.remedy);
  return out;
}

Value descriptor(const Rule& rule) {
  const std::string family = lower(rule.code.substr(0, rule.code.find('-')));
  return Value(Map{
      {"id", rule.code},
      {"name", pascal(rule.code)},
      {"shortDescription", Value(Map{{"text", rule.summary}})},
      {"fullDescription", Value(Map{{"text", Value(std::string(rule.what) + " " + std::string(rule.why))}})},
      {"help", Value(Map{{"text", help_of(rule, false)}, {"markdown", help_of(rule, true)}})},
      {"defaultConfiguration", Value(Map{{"level", level(rule.severity)}})},
      {"properties", Value(Map{{"tags", Value(List{Value("configuration"), Value(family), Value(name(rule.stage))})}})},
  });
}

/// The rules that found something, in the order they are met.
class RuleTable {
 public:
  explicit RuleTable(const std::vector<Finding>& findings) {
    const auto all = rules::all();
    for (const auto& finding : findings) {
      const auto rule = std::find_if(all.begin(), all.end(), [&](const Rule& each) { return each.code == finding.code; });
      if (rule == all.end() || !index_.emplace(finding.code, static_cast<int>(list_.size())).second) continue;
      list_.push_back(descriptor(*rule));
    }
  }
  std::optional<int> index(const std::string& code) const {
    const auto found = index_.find(code);
    return found == index_.end() ? std::nullopt : std::optional(found->second);
  }
  List take() && { return std::move(list_); }

 private:
  List list_;
  std::map<std::string, int> index_;
};

std::string percent_encoded(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    char escape[4];
    std::snprintf(escape, sizeof escape, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    out += plain ? std::string(1, c) : escape;
  }
  return out;
}

Map artifact(const std::string& file, const std::string& directory) {
  namespace fs = std::filesystem;
  const fs::path whole = (directory.empty() ? fs::path(file) : fs::path(directory) / file).lexically_normal();
  const fs::path below = directory.empty() ? whole : whole.lexically_relative(fs::path(directory).lexically_normal());
  const bool outside = below.empty() || below.is_absolute() || below.begin()->string() == "..";
  if (outside && whole.is_absolute()) return {{"uri", Value("file://" + percent_encoded(whole.generic_string()))}};
  return {{"uri", percent_encoded(below.generic_string())}, {"uriBaseId", "%SRCROOT%"}};
}

/// Line `number`, from 1; nothing when the text has fewer.
std::string_view line_of(std::string_view text, int number) {
  for (; number > 1; --number) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

int utf16_units(std::string_view text) {
  int units = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    units += length == 4 ? 2 : 1;
    at += std::max<std::size_t>(1, length);
  }
  return units;
}

/// Where a result is shown.
struct Place {
  const Source* source = nullptr;  ///< None: no file was given.
  int line = 1;
  int column = 0;
  bool exact = false;
};

class Log {
 public:
  Log(const Answer& answer, const config::TrainConfig& config, const SarifContext& context)
      : answer_(answer), config_(config), context_(context), rules_(answer.findings) {}

  Value document() && {
    List results;
    for (const auto& finding : answer_.findings) results.push_back(result(finding));
    Map run = {{"tool", Value(Map{{"driver", Value(driver())}})},
               {"invocations", Value(List{Value(invocation())})},
               {"columnKind", "utf16CodeUnits"},
               {"originalUriBaseIds", Value(Map{{"%SRCROOT%", Value(Map{{"description", Value(message("where spillway ran"))}})}})},
               {"results", Value(std::move(results))},
               {"properties", Value(properties())}};
    return Value(Map{
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Value(List{Value(std::move(run))})}});
  }

 private:
  Map driver() { return {{"name", "spillway"}, {"semanticVersion", context_.version}, {"rules", Value(std::move(rules_).take())}}; }

  Map properties() const {
    Map about;
    for (const auto& [name, value] : answer_.context) about.emplace_back(name, Value(value));
    return {{"verdict", answer_.verdict},
            {"summary", answer_.summary},
            {"context", Value(std::move(about))},
            {"assumptions", Value(List(answer_.assumptions.begin(), answer_.assumptions.end()))}};
  }

  Place place(const Finding& finding) const {
    const auto& sources = config_.sources;
    const int index = finding.location ? finding.location->source : -1;
    if (index >= 0 && static_cast<std::size_t>(index) < sources.size() && is_file(sources[static_cast<std::size_t>(index)]))
      return {&sources[static_cast<std::size_t>(index)], std::max(1, finding.location->line), finding.location->column,
              finding.location->line > 0};
    const auto first = std::find_if(sources.begin(), sources.end(), [](const Source& source) { return is_file(source); });
    return {first == sources.end() ? nullptr : &*first, 1, 0, false};
  }

  Value location(const Place& at) const {
    Map region = {{"startLine", at.line}};
    if (at.column > 0) {
      const auto line = line_of(at.source->text, at.line);
      region.emplace_back("startColumn", utf16_units(line.substr(0, static_cast<std::size_t>(at.column) - 1)) + 1);
    }
    return Value(Map{{"physicalLocation", Value(Map{{"artifactLocation", Value(artifact(at.source->name, context_.directory))},
                                                    {"region", Value(std::move(region))}})}});
  }

  /// The same while the finding moves in its file, and while its values change.
  std::string fingerprint(const Finding& finding, const Place& at) {
    std::string text = finding.code + "\n" + (at.source ? artifact(at.source->name, context_.directory).front().second.str() : "");
    for (const auto& key : finding.keys) text += "\n" + key;
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, 64 bits.
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    char hex[17];
    std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(hash));
    return std::string(hex) + ":" + std::to_string(++seen_[hex]);
  }

  Value result(const Finding& finding) {
    const Place at = place(finding);
    unplaced_ += !at.exact;
    std::string text = finding.message;
    if (finding.upstream) text += ". Megatron stops with " + finding.upstream->type + ": " + finding.upstream->message;
    Map out = {{"ruleId", finding.code}};
    if (const auto index = rules_.index(finding.code)) out.emplace_back("ruleIndex", *index);
    out.emplace_back("level", level(finding.severity));
    out.emplace_back("message", Value(message(text)));
    out.emplace_back("locations", Value(at.source ? List{location(at)} : List{}));
    out.emplace_back("partialFingerprints", Value(Map{{"spillwayFinding/v1", fingerprint(finding, at)}}));
    if (List fixes = fixes_of(finding); !fixes.empty()) out.emplace_back("fixes", Value(std::move(fixes)));
    out.emplace_back("properties", Value(Map{{"stage", name(finding.stage)},
                                             {"first", finding.first},
                                             {"keys", Value(List(finding.keys.begin(), finding.keys.end()))}}));
    return Value(std::move(out));
  }

  List fixes_of(const Finding& finding) {
    List fixes;
    for (const auto& fix : finding.fixes) {
      if (!context_.changes || fix.edits.empty() || ++fixes_ > kMostFixes) continue;
      List changes;
      for (const auto& change : context_.changes(fix)) {
        auto each = artifact_change(change);
        if (!each) return fixes;
        changes.push_back(std::move(*each));
      }
      if (changes.empty()) continue;
      fixes.emplace_back(Map{{"description", Value(message(fix.summary + " (" + std::string(name(fix.safety)) + ")"))},
                             {"artifactChanges", Value(std::move(changes))}});
    }
    return fixes;
  }

  /// All lines between the first and the last that differ.
  std::optional<Value> artifact_change(const TextChange& change) const {
    const std::string_view before = change.before, after = change.after;
    std::size_t head = 0, tail = 0;
    const std::size_t shorter = std::min(before.size(), after.size());
    while (head < shorter && before[head] == after[head]) ++head;
    if (head > 0) head = before.rfind('\n', head - 1) + 1;  // Of whole lines; npos + 1 is 0.
    while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
    while (tail > 0 && !starts_line(before, before.size() - tail)) --tail;
    const auto inserted = after.substr(head, after.size() - tail - head);
    if (inserted.size() > kMostInserted || masked(inserted) != inserted || valid_utf8(inserted) != inserted) return std::nullopt;
    const Map deleted = region(before, head, before.size() - tail);
    const Map replacement = {{"deletedRegion", Value(deleted)}, {"insertedContent", Value(Map{{"text", inserted}})}};
    return Value(
        Map{{"artifactLocation", Value(artifact(change.file, context_.directory))}, {"replacements", Value(List{Value(replacement)})}});
  }

  static bool starts_line(std::string_view text, std::size_t at) { return at == text.size() || at == 0 || text[at - 1] == '\n'; }

  /// From the start of a line to the start of another, or to the end of the text.
  static Map region(std::string_view text, std::size_t begin, std::size_t end) {
    const auto line = [&](std::size_t at) {
      return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
    };
    const auto last = text.substr(0, end);
    return {{"startLine", line(begin)},
            {"startColumn", 1},
            {"endLine", line(end)},
            {"endColumn", utf16_units(last.substr(last.rfind('\n') + 1)) + 1}};
  }

  Map invocation() const {
    List notes;
    const auto note = [&](std::string_view weight, const std::string& text) {
      notes.emplace_back(Map{{"level", weight}, {"message", Value(message(text))}});
    };
    for (const auto& missing : answer_.missing)
      note("warning", "missing: " + missing.what + (missing.command.empty() ? "" : "; " + missing.command));
    if (!answer_.unchecked.empty()) note("note", "rules that could not be decided: " + join(answer_.unchecked, ", "));
    if (unplaced_ > 0) note("note", unplaced_text());
    Map out = {{"executionSuccessful", true}};
    if (!notes.empty()) out.emplace_back("toolConfigurationNotifications", Value(std::move(notes)));
    return out;
  }

  std::string unplaced_text() const {
    const Place any = place({});
    const std::string some = std::to_string(unplaced_) + (unplaced_ == 1 ? " finding is" : " findings are") + " about no line of a file: ";
    return some + (any.source ? "shown at line 1 of " + any.source->name : "no file was given, so the results have no location");
  }

  const Answer& answer_;
  const config::TrainConfig& config_;
  const SarifContext& context_;
  RuleTable rules_;
  std::map<std::string, int> seen_;
  std::size_t unplaced_ = 0;
  std::size_t fixes_ = 0;
};

}  // namespace

Value sarif(const Answer& answer, const config::TrainConfig& config, const SarifContext& context) {
  return Log(answer, config, context).document();
}

}  // namespace spillway::validate::render
