#include "tools/config_input.hpp"

#include <algorithm>
#include <iterator>
#include <memory>

#include "base/text.hpp"
#include "tools/config/overrides.hpp"
#include "tools/config/reader.hpp"
#include "tools/config/shell/words.hpp"
#include "tools/config/tables/tables.hpp"
#include "tools/gpu_names.hpp"
#include "tools/json.hpp"
#include "tools/locate.hpp"
#include "tools/sizes.hpp"

namespace spillway {
namespace {

using config::ReadContext;
using config::Reading;

std::optional<std::string> launcher_spelling(std::string_view text) {
  const auto launcher = config::parse_launcher(text);
  if (!launcher) return std::nullopt;
  return std::string(config::name(*launcher));
}

/// The entry scripts whose options are known.
const std::vector<std::string_view>& scripts() {
  static const std::vector<std::string_view> names = {"gpt", "hybrid", "bert",   "t5",  "vlm",    "mimo",
                                                      "rl",  "flex",   "static", "inf", "offline"};
  return names;
}

/// Also the file: `pretrain_gpt.py`; `mamba` is the former name of hybrid.
std::optional<std::string> script_spelling(std::string_view text) {
  std::string name = lower(trim(text));
  name = name.substr(name.rfind('/') + 1);
  if (name.ends_with(".py")) name.resize(name.size() - 3);
  if (name.starts_with("pretrain_")) name.erase(0, 9);
  return name == "mamba" ? "hybrid" : name;
}

std::optional<std::string> core_spelling(std::string_view text) {
  const auto core = config::parse_core(text);
  if (!core) return std::nullopt;
  return std::string(config::profile(*core).name);
}

std::optional<std::string> version_spelling(std::string_view text) {
  if (!Version::parse(trim(text))) return std::nullopt;
  return std::string(trim(text));
}

/// A version of Transformer Engine, or `none` where it is not installed.
std::optional<std::string> te_spelling(std::string_view text) {
  return lower(trim(text)) == "none" ? std::optional<std::string>("none") : version_spelling(text);
}

/// The members that a site file may state: what is the same for every run on one cluster.
struct Site {
  std::string te, gpu, gpu_memory, host_memory, mcore, launcher;
  std::optional<std::int64_t> ranks_per_node;
  Pairs env;
};

void run_fields(Fields& f, ConfigInput& in) {
  f("launcher", in.launcher, "Who interprets the configuration. Follows from its form when not given.")
      .one_of({"bridge", "megatron-lm", "megatron-lm-yaml", "megatron-core"})
      .reads(launcher_spelling)
      .takes("NAME");
  f("script", in.script, "Megatron-LM entry script, pretrain_NAME.py for most; gpt when not given.")
      .one_of(scripts())
      .reads(script_spelling)
      .takes("NAME");
  f("mcore", in.mcore, "Megatron-Core version: main, dev, bridge-pin, or a release such as 0.17.")
      .reads(core_spelling, "a known version: main, dev, bridge-pin, 0.15, 0.16, 0.17, 0.18 or 0.19")
      .takes("VERSION");
  f("te", in.te, "Transformer Engine version, e.g. 2.14; none where it is not installed.")
      .reads(te_spelling, "a version such as 2.14, or none")
      .takes("VERSION");
  f("world_size", in.world_size, "Number of GPUs of the run.").at_least(1).at_most(10'000'000).takes("N");
  f("gpu", in.gpu, "GPU model: a100-40g, a100-80g, h100-80g, h200, b200, gb200, gb300, gh200, …; the driver's name is understood too.")
      .reads(gpu_spelling, "a known GPU (state the memory of another as gpu_memory)")
      .takes("NAME");
  f("gpu_memory", in.gpu_memory, "Memory of one GPU, e.g. 80GB; overrides what the model has.")
      .reads(size_spelling, "a size such as 80GB")
      .takes("SIZE");
  f("ranks_per_node", in.ranks_per_node, "Processes on one host.").at_least(1).at_most(1024).takes("N");
  f("host_memory", in.host_memory, "Memory of one host, e.g. 2TB.").reads(size_spelling, "a size such as 2TB").takes("SIZE");
  f("env", in.env, "Environment variables of the training process, by name.").takes("NAME=VALUE");
  f("site", in.site, "JSON file with what is the same for every run on a cluster: te, gpu, gpu_memory, ranks_per_node, host_memory, env.")
      .takes("FILE");
}

}  // namespace

void fields(Fields& f, ConfigInput& in) {
  f("sources", in.sources,
    "Files that hold a configuration: YAML, JSON, an argument list, a launch script, a Python recipe, a run's log, or a checkpoint folder. "
    "Several stack; the later one wins.")
      .positional("SOURCE");
  f("config_text", in.config_text, "The text of a configuration in any of those forms, instead of a file.").no_flag();
  f("recipe", in.recipe, "Megatron-Bridge recipe that gives the base values.").takes("NAME");
  f("overrides", in.overrides, "Hydra overrides on top: a.b=c, +a.b=c, ++a.b=c, ~a.b.").as_flag("set").takes("TOKEN").words();
  f("args", in.args, "Megatron-LM arguments as one text, e.g. \"--tensor-model-parallel-size 2 --bf16\".").takes("TEXT").words();
  run_fields(f, in);
  f("resume_from", in.resume_from,
    "The checkpoint that the run resumes from: its folder (the run_config.yaml in it is read) or a file with the configuration of the run "
    "that saved it. What may not change between the two runs is checked.")
      .takes("CHECKPOINT");
}

namespace {

void fields(Fields& f, Site& site) {
  f("launcher", site.launcher, "").reads(launcher_spelling, "a launcher");
  f("mcore", site.mcore, "").reads(core_spelling, "a Megatron-Core version");
  f("te", site.te, "").reads(te_spelling, "a version or none");
  f("gpu", site.gpu, "").reads(gpu_spelling, "a known GPU");
  f("gpu_memory", site.gpu_memory, "").reads(size_spelling, "a size");
  f("ranks_per_node", site.ranks_per_node, "").at_least(1).at_most(1024);
  f("host_memory", site.host_memory, "").reads(size_spelling, "a size");
  f("env", site.env, "");
}

/// Reads everything that an input names, collecting all errors.
class InputReader {
 public:
  InputReader(const ConfigInput& input, const ToolContext& context) : input_(input), context_(context) {}

  Result<validate::Question> read() {
    read_site();
    state_run();
    read_sources();
    read_args();
    read_overrides();
    name_recipe();
    judge_environment();
    read_saved();
    if (errors_.empty() && nothing_given()) errors_.push_back(nothing_to_read());
    if (!errors_.empty()) return combined(std::move(errors_));
    return std::move(question_);
  }

 private:
  static Error nothing_to_read() {
    return {"nothing-to-read", "no configuration was given",
            "name a file, or give a recipe (--recipe NAME), overrides (--set a.b=c) or args (--args \"--flags …\")"};
  }

  bool nothing_given() const {
    return input_.sources.empty() && input_.config_text.empty() && input_.recipe.empty() && input_.overrides.empty() && input_.args.empty();
  }

  void read_site() {
    if (input_.site.empty()) return;
    const auto text = read_named(input_.site, context_);
    if (!text) return errors_.push_back(text.error());
    const auto value = parse_json(text->text);
    if (!value || !value->map())
      return errors_.push_back({"bad-site",
                                input_.site + ": " + (value ? "not an object" : value.error().message),
                                "a site file is one JSON object",
                                {},
                                input_.site});
    Fields members;
    fields(members, site_);
    for (auto& error : decode(*value->map(), members, Wire::kJson).errors)
      errors_.push_back({error.code, input_.site + ": " + error.message, error.hint, {}, input_.site});
  }

  /// What is stated in the question itself wins over the site file.
  static const std::string& either(const std::string& stated, const std::string& otherwise) { return stated.empty() ? otherwise : stated; }

  void state_run() {
    const std::string& launcher = either(input_.launcher, site_.launcher);
    const std::string& core = either(input_.mcore, site_.mcore);
    const std::string& te = either(input_.te, site_.te);
    if (!launcher.empty()) question_.launcher = config::parse_launcher(launcher);
    if (!core.empty()) question_.core = config::parse_core(core);
    question_.te_absent = te == "none";
    if (!te.empty()) question_.te = Version::parse(te);
    if (!input_.script.empty()) question_.script = input_.script;
    if (input_.world_size) question_.world_size = static_cast<int>(*input_.world_size);
    const auto ranks = input_.ranks_per_node ? input_.ranks_per_node : site_.ranks_per_node;
    if (ranks) question_.ranks_per_node = static_cast<int>(*ranks);
    question_.gpu = either(input_.gpu, site_.gpu);
    for (const auto& [name, value] : site_.env) question_.env[name] = value;
    for (const auto& [name, value] : input_.env) question_.env[name] = value;
    question_.env_stated = !question_.env.empty();
  }

  ReadContext reading(std::string name) const { return read_context(question_, std::move(name)); }

  /// Not every reader knows what its text is called.
  static Error placed(Error error, const std::string& name) {
    if (error.message.find(name) == std::string::npos) error.message = name + ": " + error.message;
    if (error.where.empty()) error.where = name;
    return error;
  }

  void stack(std::string name, std::string text, Result<Reading> result) {
    if (!result) return errors_.push_back(placed(result.error(), name == "-" ? "standard input" : name));
    question_.config.stack({std::move(name), std::move(text), {}}, std::move(*result));
  }

  void read_sources() {
    for (const auto& source : input_.sources) {
      auto file = read_named(source, context_);
      if (!file) {
        errors_.push_back(file.error());
        continue;
      }
      auto result = config::read_source(file->text, reading(file->name == "-" ? "standard input" : file->name));
      stack(std::move(file->name), std::move(file->text), std::move(result));
    }
    if (!input_.config_text.empty())
      stack("config_text", input_.config_text, config::read_source(input_.config_text, reading("config_text")));
  }

  void read_args() {
    if (input_.args.empty()) return;
    const ReadContext context = reading("--args");
    const auto tokens = config::shell::split_words(input_.args, context.max_nodes);
    if (!tokens) return errors_.push_back(placed(tokens.error(), "--args"));
    Reading result = config::read_arguments(*tokens, context);
    result.form = "megatron-arguments";
    stack("--args", input_.args, std::move(result));
  }

  /// Each override stands on a line of its own.
  void read_overrides() {
    if (input_.overrides.empty()) return;
    std::vector<config::Token> tokens;
    for (const auto& word : input_.overrides) tokens.push_back({word, {-1, static_cast<int>(tokens.size()) + 1, 1, word}, std::nullopt});
    Reading result = config::read_overrides(tokens, reading("--set"));
    result.form = "bridge-overrides";
    if (launcher(result) != config::Launcher::kBridge) note_strangers(result, name(launcher(result)));
    stack("--set", join(input_.overrides, "\n"), std::move(result));
  }

  config::Launcher launcher(const Reading& last) const {
    const auto stated = question_.launcher ? question_.launcher : question_.config.launcher;
    return stated.value_or(last.launcher.value_or(config::Launcher::kBridge));
  }

  /// Elsewhere nothing but the configuration keys that are known has a meaning as an override.
  static void note_strangers(Reading& reading, std::string_view launcher) {
    using Kind = config::Remark::Kind;
    for (auto& remark : reading.remarks) {
      if (remark.kind != Kind::kUnknownKey && remark.kind != Kind::kAddedKey && remark.kind != Kind::kSyntax) continue;
      const std::string near = remark.suggestions.empty() ? "" : "; did you mean " + join(remark.suggestions, " or ") + "?";
      remark.subject = "the override " + remark.origin.spelling;
      remark.detail = "it names no setting of " + std::string(launcher) + near;
      remark.kind = Kind::kIgnored;
    }
  }

  /// Names that no process can have, and texts where the variable holds a number.
  void judge_environment() {
    constexpr std::string_view kNumbers[] = {"OMP_NUM_THREADS", "CUDA_DEVICE_MAX_CONNECTIONS", "WORLD_SIZE", "LOCAL_WORLD_SIZE"};
    for (const auto& [name, value] : question_.env) {
      const bool is_name = !name.empty() && name.find_first_of("= \t\n") == std::string::npos && (name[0] < '0' || name[0] > '9');
      const bool number = std::find(std::begin(kNumbers), std::end(kNumbers), name) != std::end(kNumbers);
      const bool digits = !value.empty() && value.find_first_not_of("0123456789,") == std::string::npos;  // OpenMP takes one a level
      if (!is_name)
        errors_.push_back({"bad-value", "env: \"" + name + "\" is no name of a variable", "write NAME=VALUE", {}, "env"});
      else if (number && !digits)
        errors_.push_back(
            {"bad-value", "env: " + name + " is \"" + value + "\", not a whole number", "give it as " + name + "=8", {}, "env"});
    }
  }

  void name_recipe() {
    if (input_.recipe.empty()) return;
    if (!config::tables::find_recipe(input_.recipe)) {
      const auto near = nearest(input_.recipe, config::tables::recipe_names());
      return errors_.push_back(
          {"unknown-recipe",
           "no recipe is called " + input_.recipe,
           near.empty() ? "give its dumped configuration (run_config.yaml) as a source" : "did you mean " + join(near, " or ") + "?",
           {},
           "recipe"});
    }
    question_.config.recipe = config::Setting{"recipe", config::Value(input_.recipe), {-1, 0, 0, "--recipe"}};
  }

  /// The run that saved the checkpoint is a run of the same kind, unless its form says otherwise.
  void read_saved() {
    if (input_.resume_from.empty()) return;
    const auto fail = [&](const Error& error) { errors_.push_back({error.code, "--resume-from: " + error.message, error.hint}); };
    auto file = read_named(input_.resume_from, context_);
    if (!file) return fail(file.error());
    auto result = config::read_source(file->text, reading(file->name));
    if (!result) return fail(result.error());
    auto saved = std::make_shared<validate::Question>();
    saved->core = question_.core;
    saved->te = question_.te;
    saved->script = question_.script;
    if (!result->launcher) saved->launcher = question_.launcher;
    saved->config.stack({std::move(file->name), std::move(file->text), {}}, std::move(*result));
    question_.saved = std::move(saved);
  }

  const ConfigInput& input_;
  const ToolContext& context_;
  Site site_;
  validate::Question question_;
  std::vector<Error> errors_;
};

}  // namespace

config::ReadContext read_context(const validate::Question& question, std::string name) {
  ReadContext reading;
  reading.name = std::move(name);
  reading.core = question.core.value_or(question.launcher == config::Launcher::kBridge ? config::Core::kBridgePin : config::Core::kMain);
  if (!question.script.empty()) reading.script = question.script;
  reading.launcher = question.launcher;
  return reading;
}

Result<validate::Question> read_input(const ConfigInput& input, const ToolContext& context) { return InputReader(input, context).read(); }

}  // namespace spillway
