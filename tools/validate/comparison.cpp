#include "tools/validate/comparison.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/text.hpp"
#include "base/visible.hpp"
#include "tools/config/key_paths.hpp"
#include "tools/validate/effective.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate {
namespace {

using config::Value;

constexpr std::size_t kMostNamed = 3;   // Changes and codes that the summary names.
constexpr std::size_t kMaxShown = 200;  // Bytes of one value.

/// What two findings have in common when they are the same one: the numbers that a message quotes are not part of it.
using Identity = std::tuple<std::string, Severity, std::vector<std::string>>;

Identity identity(const Finding& finding) {
  auto keys = finding.keys;
  if (keys.empty()) keys = {finding.message};
  return {finding.code, finding.severity, std::move(keys)};
}

/// Those of `findings` that the other side lacks, and those it has; of several alike each counts.
void part(const std::vector<Finding>& findings, const std::vector<Finding>& others, std::vector<Finding>& lacking,
          std::vector<Finding>* common) {
  std::map<Identity, int> there;
  for (const auto& finding : others) ++there[identity(finding)];
  for (const auto& finding : findings) {
    const bool known = there[identity(finding)]-- > 0;
    if (!known) lacking.push_back(finding);
    if (known && common != nullptr) common->push_back(finding);
  }
}

bool is_among(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// What has to do with offloading by its name.
bool is_near(std::string_view key) {
  for (const std::string_view part : {"offload", "recompute", "cuda_graph", "precision_aware", "distributed_optimizer", "fsdp", "pin_"})
    if (key.find(part) != std::string_view::npos) return true;
  return false;
}

/// Fields that both versions have, and whose default the newer one may have changed.
std::vector<std::string> common_fields(config::Core before, config::Core after) {
  std::vector<std::string> keys;
  if (before == after) return keys;
  for (const std::string_view section : {"model", "optimizer", "ddp"})
    for (const auto key : config::tables::field_keys(section, after))
      if (is_near(key) && !is_spelling(key) && config::tables::find_field(key, before)) keys.emplace_back(key);
  return keys;
}

std::vector<ChangedValue> changed_values(const Question& before, const Question& after) {
  EffectiveValues old(before), now(after);
  std::set<std::string> keys;
  for (auto& more : {old.keys(), now.keys(), common_fields(old.core(), now.core())}) keys.insert(more.begin(), more.end());
  std::vector<ChangedValue> out;
  for (const auto& key : keys) {
    Effective was = old.at(key), is = now.at(key);
    if (!was.same(is)) out.push_back({key, std::move(was.value), std::move(is.value), std::move(was.given), std::move(is.given)});
  }
  return out;
}

std::optional<Value> in_context(const Answer& answer, const std::string& name) {
  for (const auto& [key, text] : answer.context)
    if (key == name) return Value(text);
  return std::nullopt;
}

std::vector<ChangedValue> changed_context(const Answer& before, const Answer& after) {
  std::vector<ChangedValue> out;
  for (const auto* name : {"launcher", "mcore", "te", "script", "recipe", "front_end"}) {
    auto was = in_context(before, name), is = in_context(after, name);
    if (was != is) out.push_back({name, std::move(was), std::move(is), {}, {}});
  }
  return out;
}

bool is_stated(const ChangedValue& change) { return change.before_at || change.after_at; }

/// What upstream copies from one section to another is one change: the first of them stands for all.
void drop_copies(std::vector<ChangedValue>& changes) {
  std::vector<ChangedValue> kept;
  for (auto& change : changes) {
    const bool copy = !is_stated(change) && std::any_of(kept.begin(), kept.end(), [&](const ChangedValue& other) {
      return config::last_part(other.key) == config::last_part(change.key) && other.before == change.before && other.after == change.after;
    });
    if (!copy) kept.push_back(std::move(change));
  }
  changes = std::move(kept);
}

std::set<std::string> keys_of(const std::vector<Finding>& findings, Severity least) {
  std::set<std::string> keys;
  for (const auto& finding : findings)
    if (finding.severity >= least) keys.insert(finding.keys.begin(), finding.keys.end());
  return keys;
}

/// The most telling change first.
void order(Comparison& out) {
  const auto blamed = keys_of(out.appeared, Severity::kError);
  const auto rank = [&](const ChangedValue& change) {
    const bool judged = change.key.find('.') == std::string::npos;
    return blamed.count(change.key) > 0 ? 0 : judged ? 1 : is_stated(change) ? 2 : 3;
  };
  std::stable_sort(out.changed.begin(), out.changed.end(), [&](const ChangedValue& a, const ChangedValue& b) { return rank(a) < rank(b); });
}

void compare_findings(Comparison& out) {
  std::vector<Finding> gone;
  part(out.after.findings, out.before.findings, out.appeared, &out.same);
  part(out.before.findings, out.after.findings, gone, nullptr);
  std::set<std::string> open;
  for (auto& finding : gone) {
    if (!is_among(out.after.unchecked, finding.code))
      out.gone.push_back(std::move(finding));
    else if (open.insert(finding.code).second)
      out.assumptions.push_back(finding.code + " was found before and cannot be decided after");
  }
  for (const auto& finding : out.appeared)
    if (is_among(out.before.unchecked, finding.code) && open.insert(finding.code).second)
      out.assumptions.push_back(finding.code + " was found after; before, it could not be decided");
}

/// What both sides assume once; what only one does with its name.
void collect_notes(Comparison& out) {
  for (const auto& text : out.after.assumptions)
    out.assumptions.push_back(is_among(out.before.assumptions, text) ? text : "after: " + text);
  for (const auto& text : out.before.assumptions)
    if (!is_among(out.after.assumptions, text)) out.assumptions.push_back("before: " + text);
  out.missing = out.after.missing;
  for (const auto& missing : out.before.missing) {
    const auto same = [&](const Missing& other) { return other.what == missing.what; };
    if (std::any_of(out.after.missing.begin(), out.after.missing.end(), same)) continue;
    out.missing.push_back(missing);
    out.missing.back().what = "before: " + missing.what;
  }
}

bool could_be_an_error(const std::vector<std::string>& unchecked) {
  static const std::vector<Rule> rules = rules::all();
  return std::any_of(rules.begin(), rules.end(),
                     [&](const Rule& rule) { return rule.severity == Severity::kError && is_among(unchecked, std::string(rule.code)); });
}

std::size_t count(const std::vector<Finding>& findings, Severity severity) {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(), [&](const Finding& finding) { return finding.severity == severity; }));
}

std::string verdict_of(const Comparison& out) {
  if (count(out.appeared, Severity::kError) > 0) return "error";
  if (out.changed.empty() && out.appeared.empty()) return "ok";
  if (could_be_an_error(out.after.unchecked)) return "unknown";
  return count(out.appeared, Severity::kWarning) > 0 ? "warning" : "ok";
}

/// `2 new errors: ACT-PP, OPT-DWD`, `1 error gone: ACT-PP`; empty when there are none.
std::string tally(const std::vector<Finding>& findings, Severity severity, std::string_view before, std::string_view after) {
  const std::size_t number = count(findings, severity);
  if (number == 0) return "";
  std::vector<std::string> codes;
  for (const auto& finding : findings)
    if (finding.severity == severity && !is_among(codes, finding.code)) codes.push_back(finding.code);
  if (codes.size() > kMostNamed) codes.resize(kMostNamed), codes.emplace_back("…");
  return std::to_string(number) + " " + std::string(before) + std::string(name(severity)) + (number == 1 ? "" : "s") + std::string(after) +
         ": " + join(codes, ", ");
}

std::string changes_in_words(const std::vector<ChangedValue>& changed) {
  if (changed.empty()) return "no effective value changed";
  std::string out = "changed: ";
  for (std::size_t i = 0; i < changed.size() && i < kMostNamed; ++i)
    out += (i > 0 ? ", " : "") + std::string(config::last_part(changed[i].key)) + " " + clipped(shown(changed[i].before), 60) + " → " +
           clipped(shown(changed[i].after), 60);
  return changed.size() > kMostNamed ? out + " and " + std::to_string(changed.size() - kMostNamed) + " more" : out;
}

std::string summary_of(const Comparison& out) {
  std::vector<std::string> parts;
  const auto add = [&](std::string part) {
    if (!part.empty()) parts.push_back(std::move(part));
  };
  add(tally(out.appeared, Severity::kError, "new ", ""));
  if (out.verdict == "unknown") parts.emplace_back("not decided: values are missing");
  if (out.verdict == "ok" || out.verdict == "warning") parts.emplace_back(out.appeared.empty() ? "nothing got worse" : "no new error");
  add(tally(out.appeared, Severity::kWarning, "new ", ""));
  add(tally(out.gone, Severity::kError, "", " gone"));
  add(tally(out.same, Severity::kError, "", " on both sides"));
  parts.push_back(changes_in_words(out.changed));
  return join(parts, "; ");
}

}  // namespace

std::string shown(const std::optional<Value>& value) {
  if (!value) return "not stated";
  if (const auto* open = value->unknown()) return visible_line(clipped(open->text, kMaxShown));
  return visible_line(clipped(value->str(), kMaxShown));
}

Comparison compare(const Question& before, const Question& after) {
  Comparison out;
  out.before = validate(before);
  out.after = validate(after);
  compare_findings(out);
  out.changed = changed_context(out.before, out.after);
  for (auto& change : changed_values(before, after)) out.changed.push_back(std::move(change));
  order(out);
  drop_copies(out.changed);
  collect_notes(out);
  out.verdict = verdict_of(out);
  out.summary = summary_of(out);
  return out;
}

}  // namespace spillway::validate
