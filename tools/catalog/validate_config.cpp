#include <filesystem>

#include "base/text.hpp"
#include "tools/about.hpp"
#include "tools/changes.hpp"
#include "tools/config_input.hpp"
#include "tools/json.hpp"
#include "tools/report.hpp"
#include "tools/tool.hpp"
#include "tools/unified_diff.hpp"
#include "tools/upstream_note.hpp"
#include "tools/validate/fixing.hpp"
#include "tools/validate/render/edit_words.hpp"
#include "tools/validate/render/sarif.hpp"
#include "tools/validate/render/text.hpp"
#include "tools/validate/validate.hpp"

namespace spillway::catalog {
namespace {

struct Args : ConfigInput {
  std::string detail = "normal";
  bool diff = false;
  bool fix = false;
  bool unsafe_fixes = false;
  std::vector<std::string> upstream;

  bool wants_fixes() const { return diff || fix || unsafe_fixes; }
};

void fields(Fields& f, Args& args) {
  spillway::fields(f, static_cast<ConfigInput&>(args));
  f("detail", args.detail, "full: the text names every finding in full, however long it gets.").one_of({"normal", "full"}).takes("HOW");
  f("upstream", args.upstream,
    "A tree that the run uses: a checkout of Megatron-LM, Megatron-Bridge or TransformerEngine, or a site-packages folder. Says which "
    "rules' checks are not in it.")
      .takes("DIR");
  f("diff", args.diff, "Show what the safe fixes would change, as a unified diff; nothing is written.");
  f("fix", args.fix, "Write the safe fixes into the files, all comments and the layout kept.").flag_only();
  f("unsafe_fixes", args.unsafe_fixes,
    "Also those that change speed, memory or numerics; shown, and written together with fix. What a person must choose is never taken.");
}

/// A fix that was taken.
struct TakenReport {
  std::string code;
  std::string safety;
  std::string summary;
};

void fields(Fields& f, TakenReport& taken) {
  f("code", taken.code, "Rule whose finding it silences.");
  f("safety", taken.safety, "safe or unsafe.").one_of({"safe", "unsafe"});
  f("summary", taken.summary, "What was done.");
}

/// What no file could hold.
struct ByHandReport {
  std::string change;
  std::string why;
};

void fields(Fields& f, ByHandReport& by_hand) {
  f("change", by_hand.change, "The change to make.");
  f("why", by_hand.why, "Why it is not written.");
}

/// What fixing comes to.
struct FixingReport {
  std::vector<TakenReport> taken;
  std::vector<ChangeReport> changes;
  std::vector<ByHandReport> by_hand;
  ApplyReport apply;
  std::string verdict_after;
};

void fields(Fields& f, FixingReport& fixing) {
  f("taken", fixing.taken, "The fixes, in the order taken.");
  f("changes", fixing.changes, "Sources whose text changes.");
  f("by_hand", fixing.by_hand, "Changes that no given file can hold.");
  f("apply", fixing.apply, "All changes as one would type them.");
  f("verdict_after", fixing.verdict_after, "The verdict on the changed configuration, checked.")
      .one_of({"ok", "warning", "error", "unknown"});
}

struct Output {
  std::string verdict;
  ValidationReport report;
  std::vector<Next> next;
  std::optional<FixingReport> fixes;
  std::vector<std::string> understood;
  validate::Answer answer;      ///< For the text.
  validate::Question question;  ///< For the lines that the text shows, and for the fixes of other formats.
  std::string directory;        ///< Where the caller is.
  bool details = false;
};

void fields(Fields& f, Output& out) {
  spillway::fields(f, out.report);
  f("next", out.next, "What helps next.");
  f("fixes", out.fixes, "The fixes taken, where they were asked for.");
  f("understood", out.understood, "Arguments that were taken for something else than what was written.");
}

/// Fixes the configuration; the question becomes that of the changed files when they are written.
Result<FixingReport> fix_all(validate::Question& question, const Args& input) {
  using validate::Fix;
  const auto fixing = validate::fix(question, input.unsafe_fixes ? Fix::Safety::kUnsafe : Fix::Safety::kSafe);
  Changes changes = changes_of(question, fixing.edits);
  FixingReport out;
  for (const auto& taken : fixing.taken) out.taken.push_back({taken.code, std::string(name(taken.fix.safety)), taken.fix.summary});
  for (std::size_t i = 0; i < changes.by_hand.size(); ++i) {
    const auto words = validate::render::edit_words({{}, {}, {changes.by_hand[i]}}, fixing.answer);
    out.by_hand.push_back({join(words, " "), changes.reasons[i]});
  }
  const auto launcher = config::parse_launcher(fixing.answer.context.front().second);
  out.apply = apply_of(fixing.edits, question, launcher.value_or(config::Launcher::kBridge));
  out.verdict_after = fixing.answer.verdict;
  if (!input.fix) {
    out.changes = show_changes(changes);
    return out;
  }
  auto written = write_changes(changes);
  if (!written) return written.error();
  out.changes = std::move(*written);
  question = std::move(changes.after);
  return out;
}

Result<Output> run(const ToolContext& context, const Args& input) {
  auto question = read_input(input, context);
  if (!question) return question.error();
  Output out;
  if (input.wants_fixes()) {
    auto fixed = fix_all(*question, input);
    if (!fixed) return fixed.error();
    out.fixes = std::move(*fixed);
  }
  out.answer = validate::validate(*question);
  if (auto error = note_upstream(input.upstream, context, out.answer)) return *error;
  out.report = report_of(out.answer, question->config);
  out.verdict = out.answer.verdict;
  out.next = next_steps(out.answer);
  out.question = std::move(*question);
  out.directory = context.directory;
  out.details = input.detail == "full";
  return out;
}

/// What was or would be done, then the texts.
std::string fixes_text(const FixingReport& fixes, const Style& style) {
  std::string out, diffs;
  if (fixes.taken.empty()) return "\n" + paint(style, Ink::kBold, "fixes") + "\n  - none that could be taken without a choice of yours\n";
  bool written = false;
  for (const auto& change : fixes.changes) {
    diffs += "\n" + painted_diff(change.diff, style);
    written = written || change.written;
  }
  for (const auto& taken : fixes.taken)
    out += "  - " + taken.code + ": " + taken.summary + (taken.safety == "unsafe" ? " (unsafe)" : "") + "\n";
  for (const auto& hand : fixes.by_hand) out += "  - by hand: " + hand.change + " (" + hand.why + ")\n";
  return "\n" + paint(style, Ink::kBold, written ? "fixed" : "fixes") + ", after them the verdict is " + fixes.verdict_after + "\n" + out +
         diffs;
}

std::string text(const Output& out, const Style& style) {
  return validate::render::text(out.answer, out.question.config, out.understood, {style.colour, style.details || out.details}) +
         (out.fixes ? fixes_text(*out.fixes, style) : "") + next_text(out.next, style);
}

/// The files that one fix changes; nothing when a part of it can stand in none.
std::vector<validate::render::TextChange> fix_texts(const validate::Question& question, const validate::Fix& fix) {
  const Changes changes = changes_of(question, fix.edits);
  std::vector<validate::render::TextChange> out;
  if (!changes.by_hand.empty()) return out;
  for (const auto& source : changes.sources) {
    if (!source.is_file) return {};
    out.push_back({source.file, source.before, source.after});
  }
  return out;
}

std::string sarif(const Output& out) {
  std::error_code failed;
  const std::string here = std::filesystem::current_path(failed).string();
  const auto changes = [&](const validate::Fix& fix) { return fix_texts(out.question, fix); };
  const auto log = validate::render::sarif(out.answer, out.question.config,
                                           {std::string(program_version()), out.directory.empty() ? here : out.directory, changes});
  return to_json(log, true) + "\n";
}

Args example() {
  Args input;
  input.args = "--num-layers 8 --hidden-size 1024 --num-attention-heads 8 --cpu-offloading-num-layers 4 --pipeline-model-parallel-size 2";
  input.launcher = "megatron-lm";
  return input;
}

}  // namespace

AnyTool validate_config() {
  return Tool<Args, Output>{{"validate_config",
                             "validate",
                             "Check an offloading configuration",
                             "Is this Megatron-Bridge or Megatron-LM configuration legal, and which of its settings have no effect or "
                             "hurt? Checks CPU offloading of "
                             "activations and optimizer state against the checks that Megatron itself makes, without running anything: "
                             "every violation at once, the one a "
                             "run would stop at marked, each with the exact upstream message, the place in the source, and a fix. Give "
                             "files, text, a recipe name, overrides "
                             "or an argument list; they stack, the later one wins.",
                             {.read_only = true, .destructive = false, .idempotent = true, .open_world = false}},
                            example(),
                            &run,
                            &text,
                            {{"sarif", &sarif}}};
}

}  // namespace spillway::catalog
