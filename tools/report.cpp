#include "tools/report.hpp"

#include "base/text.hpp"
#include "base/visible.hpp"
#include "tools/validate/render/edit_words.hpp"

namespace spillway {
namespace {

using validate::Finding;
using validate::Fix;

constexpr std::size_t kMaxNext = 4;
constexpr std::size_t kMaxText = 4000;  // Bytes of one text; a message quotes what was given, and that may be a whole file.

FixReport report_of(const Fix& fix, const validate::Answer& answer) {
  FixReport out{std::string(name(fix.safety)), clipped(fix.summary, kMaxText), {}, join(validate::render::edit_words(fix, answer), " ")};
  for (const auto& edit : fix.edits) {
    const bool set = edit.kind == validate::Edit::Kind::kSet;
    out.edits.push_back({set ? "set" : "remove", edit.key, set ? edit.value.str() : ""});
  }
  return out;
}

}  // namespace

std::optional<LocationReport> place_of(const config::Origin& origin, const config::TrainConfig& config) {
  const auto index = static_cast<std::size_t>(origin.source);
  if (origin.source < 0 || index >= config.sources.size() || origin.line <= 0) return std::nullopt;
  return LocationReport{config.sources[index].name, origin.line, origin.column};
}

FindingReport report_of(const Finding& finding, const validate::Answer& answer, const config::TrainConfig& config) {
  FindingReport out{finding.code,
                    std::string(name(finding.severity)),
                    std::string(name(finding.stage)),
                    clipped(finding.message, kMaxText),
                    {},
                    finding.first,
                    finding.keys,
                    {},
                    {}};
  if (finding.upstream) out.upstream = UpstreamReport{finding.upstream->type, clipped(finding.upstream->message, kMaxText)};
  if (finding.location) out.location = place_of(*finding.location, config);
  for (const auto& fix : finding.fixes) out.fixes.push_back(report_of(fix, answer));
  return out;
}

void fields(Fields& f, Next& next) {
  f("tool", next.tool, "Tool to call.").optional();
  f("arguments", next.arguments, "Its arguments, ready to send.").optional();
  f("command", next.command, "Shell command or option to add.").optional();
  f("why", next.why, "What it answers.").optional();
}

void fields(Fields& f, EditReport& edit) {
  f("action", edit.action, "set or remove.").one_of({"set", "remove"});
  f("key", edit.key, "Canonical key.");
  f("value", edit.value, "New value, as Python prints it.").optional();
}

void fields(Fields& f, FixReport& fix) {
  f("safety", fix.safety, "safe: nothing is lost; unsafe: speed, memory or numerics change; display-only: a person must choose.")
      .one_of({"safe", "unsafe", "display-only"});
  f("summary", fix.summary, "What to do.");
  f("edits", fix.edits, "The keys to change.");
  f("apply", fix.apply, "The edits as typed for this launcher.").optional();
}

void fields(Fields& f, UpstreamReport& upstream) {
  f("type", upstream.type, "Exception type.");
  f("message", upstream.message, "Text as Megatron prints it.");
}

void fields(Fields& f, LocationReport& location) {
  f("file", location.file, "Source as it was given.");
  f("line", location.line, "Line, from 1.");
  f("column", location.column, "Byte in the line, from 1; 0 when not known.");
}

void fields(Fields& f, FindingReport& finding) {
  f("code", finding.code, "Rule code; see explain_rule.");
  f("severity", finding.severity, "error: the run stops; warning: it runs, differently from what was asked; info: good to know.")
      .one_of({"error", "warning", "info"});
  f("stage", finding.stage, "Where upstream fails.").one_of({"parse", "args", "config", "bridge", "build", "fwd", "step", "save", "load"});
  f("message", finding.message, "What is wrong with these values, and what follows.");
  f("upstream", finding.upstream, "What Megatron raises.");
  f("first", finding.first, "True on the failure that a run would show first.");
  f("keys", finding.keys, "Canonical keys involved, the decisive one first.");
  f("location", finding.location, "Where the decisive value stands.");
  f("fixes", finding.fixes, "Ways out.");
}

void fields(Fields& f, MissingReport& missing) {
  f("what", missing.what, "The value that nobody gave.");
  f("keys", missing.keys, "Keys that depend on it.");
  f("command", missing.command, "What fetches or states it.");
}

void fields(Fields& f, ValidationReport& report) {
  f("verdict", report.verdict, "error: it will not run; warning: it runs, not as asked; unknown: a missing value decides; ok.")
      .one_of({"ok", "warning", "error", "unknown"});
  f("summary", report.summary, "The conclusion in one sentence.");
  f("context", report.context, "What the configuration was judged for: launcher, mcore, te, recipe, gpu, …");
  f("findings", report.findings, "All findings, the first failure first.");
  f("missing", report.missing, "Values that nobody gave and that decide something.");
  f("assumptions", report.assumptions, "What was taken where nothing was stated.");
  f("unchecked", report.unchecked, "Codes of the rules that could not be decided.");
}

ValidationReport report_of(const validate::Answer& answer, const config::TrainConfig& config) {
  ValidationReport out{answer.verdict, answer.summary, answer.context, {}, {}, answer.assumptions, answer.unchecked};
  for (const auto& finding : answer.findings) out.findings.push_back(report_of(finding, answer, config));
  for (const auto& missing : answer.missing)
    out.missing.push_back({clipped(missing.what, kMaxText), missing.keys, clipped(missing.command, kMaxText)});
  return out;
}

std::vector<Next> next_steps(const validate::Answer& answer) {
  std::vector<Next> steps;
  for (const auto& missing : answer.missing)
    if (steps.size() + 1 < kMaxNext && !missing.command.empty()) steps.push_back({"", {}, missing.command, "states " + missing.what});
  if (!answer.findings.empty()) {
    const std::string& code = answer.findings.front().code;
    steps.push_back({"explain_rule", {{"codes", config::Value(config::List{config::Value(code)})}}, "", "why " + code + " is a rule"});
  }
  return steps;
}

std::string next_text(const std::vector<Next>& steps, const Style& style) {
  std::string lines;
  for (const auto& step : steps)
    if (step.tool == "explain_rule")
      lines += "  - " + step.why + ": spillway explain " + step.arguments.front().second.list()->front().str() + " (tool explain_rule)\n";
  return lines.empty() ? "" : "\n" + paint(style, Ink::kBold, "next") + "\n" + lines;
}

}  // namespace spillway
