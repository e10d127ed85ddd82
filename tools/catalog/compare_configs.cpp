#include "base/text.hpp"
#include "tools/config_input.hpp"
#include "tools/report.hpp"
#include "tools/revision.hpp"
#include "tools/tool.hpp"
#include "tools/validate/comparison.hpp"
#include "tools/validate/render/comparison.hpp"

namespace spillway::catalog {
namespace {

/// What may differ between the sides besides the source.
struct Versions {
  std::string mcore;
  std::string te;
  std::string from_env;
  bool operator==(const Versions&) const = default;
};

struct Args : ConfigInput {
  std::string before, after;
  std::string before_text, after_text;
  Versions before_versions, after_versions;
  std::string detail = "normal";
};

/// A member of the common input under another name: it takes the same values.
void add_again(Fields& f, const ConfigInput& common, std::string_view member, std::string_view name, std::string& slot,
               std::string_view doc) {
  ConfigInput copy = common;
  Fields all;
  fields_around_sources(all, copy);
  const Field& like = *all.find(member);
  f(name, slot, doc).reads(like.spelling, like.expects).takes(like.value_name);
}

void fields(Fields& f, Args& args) {
  f("before", args.before,
    "The configuration before the change: a file in any form validate takes, a checkpoint folder, or REV:path, the file as it was in a "
    "git revision (HEAD~1:configs/job.yaml).")
      .positional("BEFORE");
  f("after", args.after, "The configuration after the change, likewise. When not given, the same as before, judged for other versions.")
      .positional("AFTER");
  f("before_text", args.before_text, "The text of the configuration before, instead of a file.").no_flag();
  f("after_text", args.after_text, "The text of the configuration after, instead of a file.").no_flag();
  add_again(f, args, "mcore", "before_mcore", args.before_versions.mcore, "Megatron-Core version before; else that of mcore.");
  add_again(f, args, "te", "before_te", args.before_versions.te, "Transformer Engine version before; else that of te.");
  add_again(f, args, "mcore", "after_mcore", args.after_versions.mcore, "Megatron-Core version after; else that of mcore.");
  add_again(f, args, "te", "after_te", args.after_versions.te, "Transformer Engine version after; else that of te.");
  add_again(f, args, "from_env", "before_from_env", args.before_versions.from_env, "Environment before; else that of from_env.");
  add_again(f, args, "from_env", "after_from_env", args.after_versions.from_env, "Environment after; else that of from_env.");
  fields_around_sources(f, args);
  f("detail", args.detail, "full: the text names everything, however long it gets.").one_of({"normal", "full"}).takes("HOW");
}

struct ChangedReport {
  std::string key;
  std::optional<std::string> before;
  std::optional<std::string> after;
  std::optional<LocationReport> location_before;
  std::optional<LocationReport> location_after;
};

void fields(Fields& f, ChangedReport& changed) {
  f("key", changed.key, "Canonical key; or what is judged for: launcher, mcore, te, script, recipe.");
  f("before", changed.before, "Effective value, as Python prints it; absent where it is not stated and no default is known.");
  f("after", changed.after, "Likewise.");
  f("location_before", changed.location_before, "Where it stands.");
  f("location_after", changed.location_after, "Where it stands.");
}

/// What is no longer there needs no remedy.
struct GoneReport {
  std::string code;
  std::string severity;
  std::string message;
  std::optional<LocationReport> location;
};

void fields(Fields& f, GoneReport& gone) {
  f("code", gone.code, "Rule code.");
  f("severity", gone.severity, "error, warning or info.");
  f("message", gone.message, "What was wrong.");
  f("location", gone.location, "Where it stood.");
}

struct Output {
  std::string verdict;
  validate::Comparison comparison;
  validate::Question before, after;  ///< For the lines that the text shows.
  std::vector<ChangedReport> changed;
  std::vector<FindingReport> appeared;
  std::vector<GoneReport> gone;
  std::int64_t same = 0;
  Pairs context;
  std::vector<MissingReport> missing;
  std::vector<Next> next;
  std::vector<std::string> understood;
  bool details = false;
};

void fields(Fields& f, Output& out) {
  f("verdict", out.verdict, "error: a new error; unknown: a missing value decides; warning: a new warning; ok: nothing got worse.")
      .one_of({"ok", "warning", "error", "unknown"});
  f("summary", out.comparison.summary, "The conclusion in one sentence.");
  f("context", out.context, "What the configuration after the change was judged for.");
  f("changed", out.changed, "Effective values that differ, the most telling first; another spelling or a default written out is none.");
  f("appeared", out.appeared, "Findings that only the configuration after has.");
  f("gone", out.gone, "Findings that only the configuration before has.");
  f("same", out.same, "Number of findings that both have.");
  f("missing", out.missing, "Values that nobody gave and that decide something.");
  f("assumptions", out.comparison.assumptions, "What was taken where nothing was stated.");
  f("next", out.next, "What helps next.");
  f("understood", out.understood, "Arguments that were taken for something else than what was written.");
}

/// One side as the config tools are asked.
struct Side {
  std::string_view role;  ///< `before` or `after`, as the user calls it.
  const std::string& source;
  const std::string& text;
  const Versions& versions;
  bool stated() const { return !source.empty() || !text.empty(); }
};

Result<std::vector<NamedText>> texts_of(const Side& side, const ToolContext& context) {
  std::vector<NamedText> out;
  if (!side.source.empty()) {
    auto text = read_version(side.source, context);
    if (!text) return text.error();
    out.push_back(std::move(*text));
  }
  if (!side.text.empty()) out.push_back({std::string(side.role) + "_text", side.text});
  return out;
}

Result<validate::Question> question_of(const Args& args, const Versions& versions, std::vector<NamedText> texts,
                                       const ToolContext& context) {
  ConfigInput input = args;
  input.texts = std::move(texts);
  if (!versions.mcore.empty()) input.mcore = versions.mcore;
  if (!versions.te.empty()) input.te = versions.te;
  if (!versions.from_env.empty()) input.from_env = versions.from_env;
  return read_input(input, context);
}

Error nothing_to_compare() {
  return {"nothing-to-compare", "both sides are the same",
          "give BEFORE and AFTER, or one of them with versions to compare: --before-mcore 0.17 --after-mcore main"};
}

std::optional<Error> refused(const Args& args) {
  const bool one_source = args.after.empty() && args.after_text.empty();
  if (one_source && args.before_versions == args.after_versions) return nothing_to_compare();
  if (args.before == "-" && args.after == "-")
    return Error{"bad-value", "standard input can be one of the sides, not both", "write one of them to a file", {}, "-"};
  return std::nullopt;
}

/// Both errors, once where they are the same.
Error both(const Error& a, const Error& b) { return a.message == b.message ? a : combined({a, b}); }

Output report_of(validate::Question before, validate::Question after) {
  Output out;
  out.comparison = validate::compare(before, after);
  const auto& all = out.comparison;
  const auto text = [](const std::optional<config::Value>& value) {
    return value ? std::optional<std::string>(validate::shown(value)) : std::nullopt;
  };
  for (const auto& change : all.changed)
    out.changed.push_back({change.key, text(change.before), text(change.after),
                           change.before_at ? place_of(*change.before_at, before.config) : std::nullopt,
                           change.after_at ? place_of(*change.after_at, after.config) : std::nullopt});
  for (const auto& finding : all.appeared) out.appeared.push_back(spillway::report_of(finding, all.after, after.config));
  for (const auto& finding : all.gone)
    out.gone.push_back({finding.code, std::string(name(finding.severity)), finding.message,
                        finding.location ? place_of(*finding.location, before.config) : std::nullopt});
  for (const auto& missing : all.missing) out.missing.push_back({missing.what, missing.keys, missing.command});
  out.same = static_cast<std::int64_t>(all.same.size());
  out.verdict = all.verdict;
  out.context = all.after.context;
  validate::Answer rest = all.after;
  rest.findings = all.appeared;
  out.next = next_steps(rest);
  out.before = std::move(before);
  out.after = std::move(after);
  return out;
}

Result<Output> run(const ToolContext& context, const Args& args) {
  if (auto error = refused(args)) return std::move(*error);
  const Side before{"before", args.before, args.before_text, args.before_versions};
  const Side after{"after", args.after, args.after_text, args.after_versions};
  auto old = texts_of(before, context);
  auto now = after.stated() ? texts_of(after, context) : old;
  if (!old && !now) return both(old.error(), now.error());
  if (!old || !now) return old ? now.error() : old.error();
  auto was = question_of(args, before.versions, std::move(*old), context);
  auto is = question_of(args, after.versions, std::move(*now), context);
  if (!was && !is) return both(was.error(), is.error());
  if (!was || !is) return was ? is.error() : was.error();
  Output out = report_of(std::move(*was), std::move(*is));
  out.details = args.detail == "full";
  return out;
}

std::string text(const Output& out, const Style& style) {
  return validate::render::comparison(out.comparison, out.before, out.after, out.understood, {style.colour, style.details || out.details}) +
         next_text(out.next, style);
}

Args example() {
  Args args;
  args.args = "--num-layers 8 --hidden-size 1024 --num-attention-heads 8 --cpu-offloading-num-layers 4 --cuda-graph-impl full_iteration";
  args.before_versions.mcore = "0.17";
  args.after_versions.mcore = "main";
  return args;
}

}  // namespace

AnyTool compare_configs() {
  return Tool<Args, Output>{
      {"compare_configs",
       "diff",
       "Compare two configurations",
       "What does a change of a configuration, or an update of Megatron-Core or Transformer Engine, do to CPU offloading: which effective "
       "values differ, which errors and warnings appeared and which went? For \"this commit changed the configuration and the run now "
       "dies\": give the files before and after (or REV:path of a git repository); for \"the new container broke it\": one configuration "
       "and two versions. Respelling and defaults written out are no change.",
       {.read_only = true, .destructive = false, .idempotent = true, .open_world = false}},
      example(),
      &run,
      &text};
}

}  // namespace spillway::catalog
