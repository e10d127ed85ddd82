#include <algorithm>

#include "base/text.hpp"
#include "tools/report.hpp"
#include "tools/tool.hpp"
#include "tools/validate/not_static.hpp"
#include "tools/validate/render/rule_text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::catalog {
namespace {

using validate::Rule;

struct Args {
  std::vector<std::string> codes;
  bool list = false;
};

void fields(Fields& f, Args& args) {
  f("codes", args.codes, "Rule codes, e.g. ACT-PP, or families, e.g. ACT. None: the list of all rules.").positional("CODE");
  f("list", args.list, "Only list the rules, one line each.");
}

struct Raises {
  std::string type;
  std::string message;
};

void fields(Fields& f, Raises& raises) {
  f("type", raises.type, "Exception type.");
  f("message", raises.message, "Text as Megatron prints it, {} for each value.");
}

struct RuleReport {
  std::string code, severity, stage, summary;
  std::string launchers, versions, what, why, remedy, evidence;
  std::vector<Raises> raises;
};

void fields(Fields& f, RuleReport& rule) {
  f("code", rule.code, "Stable code.");
  f("severity", rule.severity, "error, warning or info.").one_of({"error", "warning", "info"});
  f("stage", rule.stage, "Where it bites.").optional();
  f("summary", rule.summary, "One line.");
  f("launchers", rule.launchers, "Who it concerns.").optional();
  f("versions", rule.versions, "Megatron-Core versions that have it.").optional();
  f("what", rule.what, "The condition.").optional();
  f("why", rule.why, "Why it hurts.").optional();
  f("remedy", rule.remedy, "What to do.").optional();
  f("raises", rule.raises, "What Megatron raises.").optional();
  f("evidence", rule.evidence, "The upstream check it was read from.").optional();
}

struct Output {
  std::string summary;
  std::vector<RuleReport> rules;
  std::vector<std::string> understood;
  std::vector<Rule> chosen;  ///< For the text.
  bool list = false;
};

void fields(Fields& f, Output& out) {
  f("summary", out.summary, "What was found.");
  f("rules", out.rules, "The rules: in full when asked for by code, one line each in a list.");
  f("understood", out.understood, "Arguments that were taken for something else than what was written.");
}

RuleReport line_of(const Rule& rule) {
  RuleReport out;
  out.code = rule.code;
  out.severity = name(rule.severity);
  out.summary = rule.summary;
  return out;
}

RuleReport page_of(const Rule& rule) {
  RuleReport out = line_of(rule);
  out.stage = name(rule.stage);
  out.launchers = validate::render::launchers_of(rule);
  out.versions = validate::render::versions_of(rule);
  out.what = rule.what;
  out.why = rule.why;
  out.remedy = rule.remedy;
  for (const auto& raise : rule.raises) out.raises.push_back({std::string(raise.type), std::string(raise.text)});
  if (!rule.evidence.file.empty()) out.evidence = std::string(rule.evidence.file) + ": " + std::string(rule.evidence.text);
  return out;
}

/// `act_pp`, `ACT PP` and `ACT-PP` are one code.
std::string code_like(std::string_view text) {
  std::string out(trim(text));
  for (char& c : out) c = c == '_' || c == ' ' ? '-' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

Error unknown_code(const std::string& code, const std::vector<Rule>& all) {
  std::vector<std::string_view> codes;
  for (const auto& rule : all) codes.push_back(rule.code);
  const auto near = nearest(code, codes);
  return {"unknown-rule", "no rule is called " + code,
          near.empty() ? "spillway explain --list shows all" : "did you mean " + join(near, " or ") + "?"};
}

/// Everything with a code: the rules, then what no rule decides.
std::vector<Rule> known() {
  auto all = validate::rules::all();
  for (auto& page : validate::not_static()) all.push_back(std::move(page));
  return all;
}

/// The rules that a code or a family names.
std::vector<Rule> named(const std::string& code, const std::vector<Rule>& all) {
  std::vector<Rule> found;
  for (const auto& rule : all)
    if (rule.code == code) return {rule};
  for (const auto& rule : all)
    if (rule.code.starts_with(code + "-")) found.push_back(rule);
  return found;
}

constexpr std::size_t kMostErrors = 20;  // More are not shown, and each looks for near names.

bool among(const std::vector<Rule>& rules, const Rule& rule) {
  return std::any_of(rules.begin(), rules.end(), [&](const Rule& other) { return other.code == rule.code; });
}

Result<std::vector<Rule>> choose(const Args& args) {
  if (args.codes.empty()) return validate::rules::all();
  const auto all = known();
  std::vector<Rule> chosen;
  std::vector<Error> errors;
  for (const auto& text : args.codes) {
    if (errors.size() >= kMostErrors) break;
    auto found = named(code_like(text), all);
    if (found.empty()) errors.push_back(unknown_code(code_like(text), all));
    for (auto& rule : found)
      if (!among(chosen, rule)) chosen.push_back(std::move(rule));
  }
  if (!errors.empty()) return combined(std::move(errors));
  return chosen;
}

Result<Output> run(const ToolContext&, const Args& args) {
  auto chosen = choose(args);
  if (!chosen) return chosen.error();
  Output out;
  out.chosen = std::move(*chosen);
  out.list = args.list || args.codes.empty() || out.chosen.size() > 3 * args.codes.size();
  for (const auto& rule : out.chosen) out.rules.push_back(out.list ? line_of(rule) : page_of(rule));
  out.summary = out.chosen.size() == 1 ? std::string(out.chosen.front().code) + ": " + std::string(out.chosen.front().summary)
                                       : std::to_string(out.chosen.size()) + " rules";
  return out;
}

std::string text(const Output& out, const Style& style) {
  return out.list ? validate::render::rule_list(out.chosen, style) : validate::render::rule_pages(out.chosen, style);
}

}  // namespace

AnyTool explain_rule() {
  return Tool<Args, Output>{
      {"explain_rule",
       "explain",
       "Explain a rule",
       "What does a rule of validate_config mean: its condition, why it hurts, what to do, what Megatron prints, and the upstream "
       "check it was read from. Without a code: the list of all rules.",
       {.read_only = true, .destructive = false, .idempotent = true, .open_world = false}},
      Args{{"ACT-PP"}, false},
      &run,
      &text};
}

}  // namespace spillway::catalog
