#include "tools/validate/validate.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "tools/validate/order.hpp"
#include "tools/validate/rule.hpp"
#include "tools/validate/scenario.hpp"

namespace spillway::validate {
namespace {

const std::vector<Rule>& all_rules() {
  static const std::vector<Rule> rules = rules::all();
  return rules;
}

bool applies(const Rule& rule, const Scenario& scenario) {
  return rule.launchers.has(scenario.launcher) && rule.since <= scenario.core && scenario.core <= rule.until;
}

/// A finding with the place in the run where upstream raises it.
struct Placed {
  Finding finding;
  bool raised = false;
  bool stopping = false;
  Place place = Place::kParse;
  Position position;
};

/// What running all rules gives.
struct Outcome {
  std::vector<Placed> found;
  std::vector<std::string> unchecked;
  std::vector<std::string> unknown;  ///< Keys that would have decided them.
  bool could_turn = false;           ///< An undecided rule would be an error.
  bool could_warn = false;           ///< A value that was given and cannot be resolved leaves a warning undecided.
  bool needs_saved = false;          ///< The run that saved the checkpoint would decide some.
};

void add_new(std::vector<std::string>& to, const std::vector<std::string>& from) {
  for (const auto& item : from)
    if (std::find(to.begin(), to.end(), item) == to.end()) to.push_back(item);
}

/// What the user gave decides a rule, and nobody can say how.
bool is_unresolved(const Facts& facts, const std::string& key) {
  const config::Setting* setting = facts.setting(key);
  return setting != nullptr && setting->origin.source >= 0 && setting->value.is_unknown();
}

void run(const Rule& rule, Facts& facts, Outcome& outcome) {
  facts.begin_rule();
  Report report(rule, facts);
  rule.check(facts, report);
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    Placed placed{std::move(report.findings[i]), report.raised[i] >= 0, report.stopping[i], {}, {}};
    if (placed.raised) {
      Raise raise = rule.raises[static_cast<std::size_t>(report.raised[i])];
      raise.sequence = report.sequences[i].value_or(raise.sequence);
      placed.place = raise.place;
      placed.position = position(raise, facts);
    }
    outcome.found.push_back(std::move(placed));
  }
  outcome.needs_saved = outcome.needs_saved || facts.needs_saved();
  if (facts.unknown().empty() && !facts.needs_saved()) return;
  outcome.unchecked.emplace_back(rule.code);
  if (facts.unknown().empty()) return;
  outcome.could_turn = outcome.could_turn || rule.severity == Severity::kError;
  const auto& unknown = facts.unknown();
  outcome.could_warn =
      outcome.could_warn || (rule.severity == Severity::kWarning &&
                             std::any_of(unknown.begin(), unknown.end(), [&](const auto& key) { return is_unresolved(facts, key); }));
  add_new(outcome.unknown, unknown);
}

/// The dataclass whose construction a check belongs to; parts of one class run as one piece of code.
enum class Piece { kNone, kModel, kOptimizer };

Piece piece_of(const Placed& placed) {
  if (!placed.raised) return Piece::kNone;
  if (placed.place == Place::kModelParallelConfig || placed.place == Place::kTransformerConfig) return Piece::kModel;
  return placed.place == Place::kOptimizerConfig ? Piece::kOptimizer : Piece::kNone;
}

/// What a piece of code checks after the point where it cannot go on is undecided, not wrong: it depends on how that point is put right.
void stop_pieces(Outcome& outcome) {
  const std::vector<Placed> found = std::move(outcome.found);
  outcome.found.clear();
  const auto cut_off = [&](const Placed& placed) {
    return piece_of(placed) != Piece::kNone && std::any_of(found.begin(), found.end(), [&](const Placed& other) {
             return other.stopping && piece_of(other) == piece_of(placed) && other.position < placed.position;
           });
  };
  for (const auto& placed : found) {
    if (cut_off(placed))
      add_new(outcome.unchecked, {placed.finding.code});
    else
      outcome.found.push_back(placed);
  }
}

Outcome run_all(const Scenario& scenario) {
  Outcome outcome;
  Facts facts(scenario);
  for (const auto& rule : all_rules())
    if (applies(rule, scenario)) run(rule, facts, outcome);
  stop_pieces(outcome);
  return outcome;
}

bool is_error(const Placed& placed) { return placed.finding.severity == Severity::kError; }

void mark_first(std::vector<Placed>& found) {
  Placed* first = nullptr;
  for (auto& placed : found)
    if (is_error(placed) && placed.raised && (first == nullptr || placed.position < first->position)) first = &placed;
  if (first != nullptr) first->finding.first = true;
}

/// Errors in the order a run would meet them, then warnings, then notes.
void sort(std::vector<Placed>& found) {
  std::stable_sort(found.begin(), found.end(), [](const Placed& a, const Placed& b) {
    const auto rank = [](const Placed& p) {
      return std::tuple(!p.finding.first, -static_cast<int>(p.finding.severity), p.finding.stage, !p.raised, p.position);
    };
    return rank(a) < rank(b);
  });
}

/// Nobody reads thousands of findings of one kind: the first are kept, and of the rest how many there are.
constexpr std::size_t kMostAlike = 50;

/// What stands for all the findings that are left out.
Finding surplus(const Finding& finding, std::size_t count) {
  Finding out;
  out.code = finding.code;
  out.severity = finding.severity;
  out.stage = finding.stage;
  out.message = "and " + std::to_string(count) + " more like these";
  out.location = finding.location;
  return out;
}

void fold(std::vector<Finding>& findings) {
  using Kind = std::pair<std::string, Severity>;
  std::map<Kind, std::size_t> all, seen;
  for (const auto& finding : findings) ++all[{finding.code, finding.severity}];
  std::vector<Finding> kept;
  for (auto& finding : findings) {
    const Kind kind(finding.code, finding.severity);
    const std::size_t rank = ++seen[kind];
    if (rank > kMostAlike + 1) continue;
    if (rank > kMostAlike) finding = surplus(finding, all[kind] - kMostAlike);
    kept.push_back(std::move(finding));
  }
  findings = std::move(kept);
}

std::string plural(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::size_t count(const Answer& answer, Severity severity) {
  return static_cast<std::size_t>(
      std::count_if(answer.findings.begin(), answer.findings.end(), [&](const Finding& finding) { return finding.severity == severity; }));
}

std::string verdict_of(const Answer& answer, const Outcome& outcome) {
  if (count(answer, Severity::kError) > 0) return "error";
  if (outcome.could_turn) return "unknown";
  if (count(answer, Severity::kWarning) > 0) return "warning";
  return outcome.could_warn ? "unknown" : "ok";
}

std::string summary_of(const Answer& answer) {
  const auto errors = count(answer, Severity::kError), warnings = count(answer, Severity::kWarning);
  const std::string open = answer.unchecked.empty() ? "" : "; " + plural(answer.unchecked.size(), "rule") + " could not be decided";
  if (answer.verdict == "error") {
    const Finding& head = answer.findings.front();
    return plural(errors, "error") + ", " + plural(warnings, "warning") + "; " + (head.first ? "the run would stop first at " : "first: ") +
           head.code + open;
  }
  if (answer.verdict == "unknown")
    return "not decided: values are missing" + open + (warnings > 0 ? "; " + plural(warnings, "warning") : "");
  if (answer.verdict == "warning") return "legal, with " + plural(warnings, "warning") + open;
  return "legal: no rule is broken" + open;
}

/// Which of the two numbers that make a model nobody states.
std::string unstated_shape(const Scenario& scenario) {
  const bool layers = scenario.uncertain("model.num_layers"), hidden = scenario.uncertain("model.hidden_size");
  if (layers && hidden) return "num_layers and hidden_size are";
  return layers ? "num_layers is" : "hidden_size is";
}

/// The base values, and what to give for them in the form at hand.
Missing missing_base(const Scenario& scenario, const std::vector<std::string>& keys) {
  if (!scenario.recipe_asked.empty())
    return {"the values of recipe " + scenario.recipe_asked + ", which is not in the table", keys,
            "give its dumped configuration (run_config.yaml) as a source"};
  const std::string shape = "the model: " + unstated_shape(scenario) + " not stated";
  switch (scenario.launcher) {
    case config::Launcher::kBridge:
      return {"the recipe these settings change", keys,
              "--recipe NAME, e.g. --recipe qwen3_30b_a3b_pretrain_config (or set model.num_layers and model.hidden_size)"};
    case config::Launcher::kMegatronLm:
      return {shape, keys, "--args \"--num-layers N --hidden-size N …\" (or the whole launch script as a source)"};
    case config::Launcher::kMegatronLmYaml:
      return {shape, keys, "set num_layers and hidden_size below language_model:"};
    case config::Launcher::kMegatronCore:
      break;
  }
  return {shape, keys, "set model.num_layers and model.hidden_size"};
}

/// The keys that unresolved base values leave open, as one entry.
void list_missing_base(const Scenario& scenario, const std::vector<std::string>& keys, Answer& answer) {
  if (scenario.open_ended)
    for (const auto& remark : scenario.question().config.remarks)
      if (remark.kind == config::Remark::Kind::kOpenWords)
        answer.missing.push_back({"what " + remark.subject + " stands for: " + remark.expected,
                                  {},
                                  scenario.launcher == config::Launcher::kMegatronLm
                                      ? "assign it in the script, or add its words with --args"
                                      : "state what it sets with --set KEY=VALUE"});
  if (!keys.empty() && !scenario.complete) answer.missing.push_back(missing_base(scenario, keys));
}

/// How a key is set on top of the sources, in the words of the launcher.
std::string how_to_set(const Scenario& scenario, const std::string& key) {
  const bool megatron_lm = scenario.launcher == config::Launcher::kMegatronLm;
  const auto flag = megatron_lm ? config::tables::find_flag_of_key(key, scenario.core, scenario.script) : std::nullopt;
  return flag ? "--args \"" + std::string(flag->flag) + (flag->nargs == "0" ? "\"" : " VALUE\"") : "--set " + key + "=VALUE";
}

/// The base values first: they usually decide most. Values that stand in the sources but cannot be resolved come next.
void list_missing(const Scenario& scenario, const std::vector<std::string>& unknown, Answer& answer) {
  std::vector<std::string> base;
  std::vector<Missing> others;
  for (const auto& key : unknown) {
    const config::Setting* setting = scenario.given(key);
    if (key.starts_with("saved."))
      others.push_back({"what the saved run has as " + key.substr(6), {key.substr(6)}, "--resume-from the checkpoint's folder"});
    else if (key.starts_with("env."))
      others.push_back(
          {"whether the launch sets " + key.substr(4), {key}, "--env " + key.substr(4) + "=VALUE (or the launch script as a source)"});
    else if (setting != nullptr && setting->value.is_unknown())
      others.push_back(
          {"the value of " + setting->value.unknown()->text + ": " + setting->value.unknown()->reason, {key}, how_to_set(scenario, key)});
    else
      base.push_back(key);
  }
  list_missing_base(scenario, base, answer);
  answer.missing.insert(answer.missing.end(), others.begin(), others.end());
}

void describe(const Scenario& scenario, Answer& answer) {
  const auto& profile = config::profile(scenario.core);
  const Question& question = scenario.question();
  answer.context = {{"launcher", std::string(config::name(scenario.launcher))},
                    {"mcore", std::string(profile.name)},
                    {"te", question.te_absent ? "none" : scenario.te.str()}};
  if (scenario.launcher == config::Launcher::kMegatronLm) answer.context.emplace_back("script", scenario.script);
  if (scenario.recipe) answer.context.emplace_back("recipe", std::string(scenario.recipe->name));
  if (!question.gpu.empty()) answer.context.emplace_back("gpu", question.gpu);
  if (question.world_size) answer.context.emplace_back("world_size", std::to_string(*question.world_size));
}

void assume(const Scenario& scenario, Answer& answer) {
  const auto& profile = config::profile(scenario.core);
  const Question& question = scenario.question();
  const std::string commit(profile.commit.substr(0, 10));
  if (!question.core)
    answer.assumptions.push_back("Megatron-Core " + std::string(profile.name) + " (commit " + commit + "); state another with --mcore");
  for (const auto& remark : question.config.remarks)
    if (remark.kind == config::Remark::Kind::kTakenAs) answer.assumptions.push_back(remark.subject + ": " + remark.expected);
  if (!question.te && !question.te_absent)
    answer.assumptions.push_back("Transformer Engine " + scenario.te.str() + "; state another with --te");
  if (scenario.recipe)
    answer.assumptions.push_back("values of recipe " + std::string(scenario.recipe->name) + " as of Megatron-Bridge commit " +
                                 std::string(config::tables::bridge_commit().substr(0, 10)) + ", " +
                                 std::string(config::tables::bridge_date()));
  else if (scenario.complete)
    answer.assumptions.push_back("what no source gives has the default of Megatron-Core " + std::string(profile.name) + " (commit " +
                                 commit + ")");
}

}  // namespace

Answer validate(const Question& question) {
  const Scenario scenario(question);
  Outcome outcome = run_all(scenario);
  mark_first(outcome.found);
  sort(outcome.found);

  Answer answer;
  for (auto& placed : outcome.found) answer.findings.push_back(std::move(placed.finding));
  answer.unchecked = std::move(outcome.unchecked);
  answer.verdict = verdict_of(answer, outcome);
  answer.summary = summary_of(answer);
  fold(answer.findings);
  describe(scenario, answer);
  assume(scenario, answer);
  list_missing(scenario, outcome.unknown, answer);
  if (answer.missing.size() > kMostAlike) answer.missing.resize(kMostAlike);
  if (answer.assumptions.size() > kMostAlike) answer.assumptions.resize(kMostAlike);
  if (outcome.needs_saved)
    answer.missing.push_back({"the run that saved the checkpoint", {"checkpoint.load"}, "--resume-from CHECKPOINT_DIR"});
  return answer;
}

}  // namespace spillway::validate
