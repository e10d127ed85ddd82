#include "tools/validate/fixing.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace spillway::validate {
namespace {

using Errors = std::set<std::pair<std::string, std::vector<std::string>>>;

/// What a finding is about: its rule and its keys. The message may change with the values.
Errors errors_of(const Answer& answer) {
  Errors out;
  for (const auto& finding : answer.findings)
    if (finding.severity == Severity::kError) out.emplace(finding.code, finding.keys);
  return out;
}

/// Findings of the same rule that are as bad. Of a note only the very same counts: other values are worth another note.
std::size_t count(const Answer& answer, const Finding& like) {
  return static_cast<std::size_t>(std::count_if(answer.findings.begin(), answer.findings.end(), [&](const Finding& finding) {
    return finding.code == like.code && finding.severity >= like.severity &&
           (like.severity != Severity::kInfo || finding.message == like.message);
  }));
}

bool helps(const Answer& after, const Answer& before, const Finding& finding) {
  if (!silences(after, before, finding)) return false;
  // What cannot be decided any more is not silenced.
  if (std::find(after.unchecked.begin(), after.unchecked.end(), finding.code) != after.unchecked.end()) return false;
  const Errors old = errors_of(before), now = errors_of(after);
  return std::includes(old.begin(), old.end(), now.begin(), now.end());
}

bool is_allowed(const Fix& fix, Fix::Safety most) {
  return !fix.edits.empty() && fix.safety != Fix::Safety::kDisplayOnly && fix.safety <= most;
}

void add(std::vector<Edit>& edits, const std::vector<Edit>& more) {
  for (const auto& edit : more) {
    std::erase_if(edits, [&](const Edit& old) { return old.key == edit.key; });
    edits.push_back(edit);
  }
}

/// Takes one fix; false when none is left that helps.
bool step(const Question& question, Fix::Safety most, Fixing& fixing) {
  for (const auto& finding : fixing.answer.findings)
    for (const auto& fix : finding.fixes) {
      if (!is_allowed(fix, most)) continue;
      auto edits = fixing.edits;
      add(edits, fix.edits);
      Answer answer = validate(changed(question, edits));
      if (!helps(answer, fixing.answer, finding)) continue;
      fixing.taken.push_back({finding.code, fix});
      fixing.edits = std::move(edits);
      fixing.answer = std::move(answer);
      return true;
    }
  return false;
}

}  // namespace

bool silences(const Answer& after, const Answer& before, const Finding& finding) { return count(after, finding) < count(before, finding); }

Question changed(const Question& question, const std::vector<Edit>& edits) {
  Question out = question;
  for (const auto& edit : edits) {
    const config::Setting* old = out.config.find(edit.key);
    // A new key counts as written in the last source.
    config::Origin origin{static_cast<int>(out.config.sources.size()) - 1, 0, 0, edit.key};
    config::Setting fresh{edit.key, edit.value, old != nullptr ? old->origin : std::move(origin)};
    std::erase_if(out.config.settings, [&](const config::Setting& setting) { return setting.key == edit.key; });
    if (edit.kind == Edit::Kind::kSet) out.config.settings.push_back(std::move(fresh));
    if (edit.key.starts_with("env.")) {
      out.env.erase(edit.key.substr(4));
      if (edit.kind == Edit::Kind::kSet) out.env[edit.key.substr(4)] = edit.value.str();
    }
    // What was odd about the way the value was written goes with it.
    std::erase_if(out.config.remarks, [&](const config::Remark& remark) { return remark.subject == edit.key; });
  }
  return out;
}

Fixing fix(const Question& question, Fix::Safety most) {
  Fixing fixing;
  fixing.answer = validate(question);
  for (int taken = 0; taken < kMaxFixes && step(question, most, fixing); ++taken) {
  }
  return fixing;
}

}  // namespace spillway::validate
