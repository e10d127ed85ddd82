#include "tools/validate/report.hpp"

#include "tools/validate/rule.hpp"

namespace spillway::validate {

namespace {

std::string filled(std::string_view text, const std::vector<std::string>& values) {
  std::string out;
  std::size_t next = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (next < values.size() && text.substr(at, 2) == "{}") {
      out += values[next++];
      at += 2;
    } else {
      out += text[at++];
    }
  }
  return out;
}

/// What a recipe gives cannot be left out, only set again: to what it is where nobody gives it.
Edit over_recipe(Edit edit, const Facts& facts) {
  const config::Setting* setting = edit.kind == Edit::Kind::kRemove ? facts.setting(edit.key) : nullptr;
  if (setting == nullptr || setting->origin.source >= 0) return edit;
  const auto fallback = facts.default_value(edit.key);
  return fallback ? set(edit.key, *fallback) : edit;
}

}  // namespace

int Report::applicable_raise() const {
  for (std::size_t i = 0; i < rule_.raises.size(); ++i) {
    const Raise& raise = rule_.raises[i];
    if (raise.launchers.has(facts_.launcher()) && raise.since <= facts_.core() && facts_.core() <= raise.until) return static_cast<int>(i);
  }
  return -1;
}

void Report::apply_raise(Finding& finding, int index, const std::vector<std::string>& values) {
  if (index < 0) return;
  const Raise& raise = rule_.raises[static_cast<std::size_t>(index)];
  finding.stage = stage_of(raise.place);
  finding.upstream = UpstreamError{std::string(raise.type), filled(raise.text, values)};
  raised.back() = index;
}

Report::Draft Report::add(std::string message) {
  if (!facts_.unknown().empty()) return Draft(*this, nullptr);
  Finding finding;
  finding.code = rule_.code;
  finding.severity = rule_.severity;
  finding.stage = rule_.stage;
  finding.message = std::move(message);
  findings.push_back(std::move(finding));
  raised.push_back(-1);
  sequences.emplace_back();
  stopping.push_back(false);
  apply_raise(findings.back(), applicable_raise(), {});
  return Draft(*this, &findings.back());
}

Report::Draft& Report::Draft::keys(std::initializer_list<std::string_view> keys) {
  if (finding_ == nullptr) return *this;
  for (const auto key : keys) {
    finding_->keys.emplace_back(key);
    const config::Setting* setting = report_->facts_.setting(key);
    if (!finding_->location && setting != nullptr && setting->origin.source >= 0) finding_->location = setting->origin;
  }
  return *this;
}

Report::Draft& Report::Draft::with(std::initializer_list<std::string> values) {
  if (finding_ != nullptr) report_->apply_raise(*finding_, report_->raised.back(), values);
  return *this;
}

Report::Draft& Report::Draft::raise(std::size_t index, std::initializer_list<std::string> values) {
  if (finding_ != nullptr) report_->apply_raise(*finding_, static_cast<int>(index), values);
  return *this;
}

Report::Draft& Report::Draft::sequence(int position) {
  if (finding_ != nullptr) report_->sequences.back() = position;
  return *this;
}

Report::Draft& Report::Draft::natural(std::string type, std::string message) {
  if (finding_ != nullptr) finding_->upstream = UpstreamError{std::move(type), std::move(message)};
  return stops();
}

Report::Draft& Report::Draft::stops() {
  if (finding_ != nullptr) report_->stopping.back() = true;
  return *this;
}

Report::Draft& Report::Draft::severity(Severity severity) {
  if (finding_ == nullptr) return *this;
  finding_->severity = severity;
  if (severity != Severity::kError) {
    finding_->upstream.reset();
    report_->raised.back() = -1;
  }
  return *this;
}

Report::Draft& Report::Draft::stage(Stage stage) {
  if (finding_ != nullptr) finding_->stage = stage;
  return *this;
}

Report::Draft& Report::Draft::fix(Fix::Safety safety, std::string summary, std::vector<Edit> edits) {
  if (finding_ == nullptr) return *this;
  for (auto& edit : edits) edit = over_recipe(std::move(edit), report_->facts_);
  finding_->fixes.push_back({safety, std::move(summary), std::move(edits)});
  return *this;
}

Report::Draft& Report::Draft::at(const config::Origin& origin) {
  if (finding_ != nullptr && origin.source >= 0) finding_->location = origin;
  return *this;
}

Edit set(std::string_view key, config::Value value) { return {Edit::Kind::kSet, std::string(key), std::move(value)}; }
Edit remove(std::string_view key) { return {Edit::Kind::kRemove, std::string(key), {}}; }

}  // namespace spillway::validate
