#include "tools/config_input.hpp"
#include "tools/report.hpp"
#include "tools/tool.hpp"
#include "tools/validate/render/text.hpp"
#include "tools/validate/validate.hpp"

namespace spillway::catalog {
namespace {

struct Args : ConfigInput {
  std::string detail = "normal";
};

void fields(Fields& f, Args& args) {
  spillway::fields(f, static_cast<ConfigInput&>(args));
  f("detail", args.detail, "full: the text names every finding in full, however long it gets.").one_of({"normal", "full"}).takes("HOW");
}

struct Output {
  std::string verdict;
  ValidationReport report;
  std::vector<Next> next;
  std::vector<std::string> understood;
  validate::Answer answer;     ///< For the text.
  config::TrainConfig config;  ///< For the lines that the text shows.
  bool details = false;
};

void fields(Fields& f, Output& out) {
  spillway::fields(f, out.report);
  f("next", out.next, "What helps next.");
  f("understood", out.understood, "Arguments that were taken for something else than what was written.");
}

Result<Output> run(const ToolContext& context, const Args& input) {
  auto question = read_input(input, context);
  if (!question) return question.error();
  Output out;
  out.answer = validate::validate(*question);
  out.report = report_of(out.answer, question->config);
  out.verdict = out.answer.verdict;
  out.next = next_steps(out.answer);
  out.config = std::move(question->config);
  out.details = input.detail == "full";
  return out;
}

std::string text(const Output& out, const Style& style) {
  return validate::render::text(out.answer, out.config, out.understood, {style.colour, style.details || out.details}) +
         next_text(out.next, style);
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
                            &text};
}

}  // namespace spillway::catalog
