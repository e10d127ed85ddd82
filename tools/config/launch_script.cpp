#include "tools/config/launch_script.hpp"

#include <algorithm>
#include <map>

#include "tools/config/launch.hpp"
#include "tools/config/overrides.hpp"
#include "tools/config/python_literals.hpp"
#include "tools/config/recipe_command.hpp"
#include "tools/config/shell/interpreter.hpp"
#include "tools/config/shell/words.hpp"

namespace spillway::config {
namespace {

using shell::Field;

constexpr std::size_t kMaxScriptBytes = 2u << 20;
constexpr std::size_t kMaxRuns = 64;

Value value_of(const Token& token) { return token.unknown ? Value(Unknown{token.text, token.unknown->reason}) : Value(token.text); }

/// A training run and what surrounds it.
struct Run {
  Launch launch;
  std::map<std::string, Token> environment;
  std::vector<Token> open_ends;  ///< `$@`: words that are only given when the script is started.
  std::string condition;
  shell::Grounds grounds;  ///< Assumptions that its arguments, its size or the environment that upstream looks at rest on.
  bool cut = false;        ///< Its words were more than is followed.
};

/// Environment variables that upstream's checks read; the others may rest on what they like.
bool matters(std::string_view name) { return name.starts_with("NVTE_") || name.starts_with("CUDA_DEVICE") || name == "OMP_NUM_THREADS"; }

bool same_place(const Origin& a, const Origin& b) { return a.line == b.line && a.column == b.column; }

class ScriptReader {
 public:
  ScriptReader(std::string_view text, const ReadContext& context)
      : text_(std::string(text)),
        lines_(text),
        context_(context),
        interpreter_(lines_, [this](const shell::Call& call) { on_call(call); }) {}

  Result<Reading> read() {
    const shell::Script script = shell::parse_script(text_);
    if (script.problem) return bad_syntax(*script.problem);
    for (const auto& directive : script.directives) read_directive(directive);
    preset_slurm_variables();
    interpreter_.run(script);
    if (runs_.empty()) return no_command();
    return describe(chosen());
  }

 private:
  Error bad_syntax(const shell::Lexer::Problem& problem) const {
    const Origin place = lines_.origin(problem.offset);
    return {"bad-syntax", context_.name + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": " + problem.what,
            "close what is open there, or give only the part that holds the arguments"};
  }

  Error no_command() const {
    if (interpreter_.exhausted())
      return {"too-complex", context_.name + " does more than is followed before it starts a training run",
              "give the arguments of the run alone"};
    return {"no-command", context_.name + " starts no training run that is understood",
            "give the script that calls torchrun, srun or python with the training script, or the arguments alone"};
  }

  void on_call(const shell::Call& call) {
    std::vector<Token> words, open_ends;
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < call.words.size(); ++at) {
      Token token = shell::token_of(call.words[at], call.offset, lines_);
      const bool open_end = token.text == "$@" || token.text == "${@}" || token.text == "$*";
      if (open_end && token.unknown && !call.environment->arguments_differ) {
        open_ends.push_back(std::move(token));
        continue;
      }
      words.push_back(std::move(token));
      places.push_back(at);
    }
    auto launch = find_launch(words, context_);
    if (!launch) return;
    ++started_[{launch->entry.origin.line, launch->entry.origin.column}];
    if (runs_.size() >= kMaxRuns) return;
    Run run{std::move(*launch), {}, std::move(open_ends), call.condition, call.around, interpreter_.exhausted()};
    read_environment(call, run);
    const std::size_t first = words.size() - run.launch.arguments.size();
    read_grounds(call, first < words.size() ? places[first] : call.words.size(), run);
    runs_.push_back(std::move(run));
  }

  void read_environment(const shell::Call& call, Run& run) {
    for (const auto& [name, variable] : call.environment->variables.exported()) {
      run.environment[name] = shell::token_of(variable->scalar(), call.offset, lines_);
      const auto grounds = call.environment->grounds_of.find(name);
      if (matters(name) && grounds != call.environment->grounds_of.end()) shell::add(run.grounds, grounds->second);
    }
    for (const auto& [name, token] : directive_exports_) run.environment[name] = token;
    for (const auto& [name, field] : call.prefix) run.environment[name] = shell::token_of(field, call.offset, lines_);
    for (const auto& [name, token] : run.launch.environment) run.environment[name] = token;
  }

  /// What its arguments rest on, and of the words in front of its script those that say how large it is.
  void read_grounds(const shell::Call& call, std::size_t first_argument, Run& run) const {
    for (const auto& [index, grounds] : call.grounds) {
      bool counts = index >= first_argument;
      const Origin origin = index < call.words.size() ? shell::token_of(call.words[index], call.offset, lines_).origin : Origin{};
      for (const auto* size : {&run.launch.nnodes, &run.launch.nproc_per_node, &run.launch.world_size})
        counts = counts || (*size && same_place((*size)->origin, origin));
      if (counts) shell::add(run.grounds, grounds);
    }
  }

  /// `--nodes=4` of a line `#SBATCH --nodes=4`.
  void read_directive(const shell::Script::Directive& directive) {
    const shell::Text text = [&] {
      shell::Text out;
      out.append(directive.text, directive.offset);
      return out;
    }();
    shell::Lexer lexer(text, shell::Lexer::Mode::kWords);
    for (auto lexeme = lexer.next(); lexeme.kind == shell::Lexeme::Kind::kWord; lexeme = lexer.next())
      directives_.push_back({lexeme.word.text(), lines_.origin(lexeme.offset), std::nullopt});
  }

  std::optional<Token> directive(const std::vector<std::string_view>& options) const { return option_value(directives_, options); }

  /// `--gpus-per-node=h100:8`, `--gres=gpu:8`.
  std::optional<Token> gpus_per_node() const {
    auto found = directive({"--gpus-per-node"});
    if (!found) found = directive({"--gres"});
    if (found) found->text.erase(0, found->text.rfind(':') + 1);
    return found;
  }

  /// What Slurm sets from the directives.
  void preset_slurm_variables() {
    if (const auto list = directive({"--export"})) {
      const auto launch =
          find_launch({Token{"srun", {}, {}}, Token{"--export=" + list->text, list->origin, {}}, Token{"run_recipe.py", {}, {}}}, context_);
      if (launch) directive_exports_ = launch->environment;
    }
    const auto nodes = directive({"--nodes", "-N"}), tasks = directive({"--ntasks-per-node"}), gpus = gpus_per_node();
    for (const char* name : {"SLURM_NNODES", "SLURM_JOB_NUM_NODES"}) preset(name, nodes);
    for (const char* name : {"SLURM_NTASKS_PER_NODE", "SLURM_TASKS_PER_NODE"}) preset(name, tasks);
    for (const char* name : {"SLURM_GPUS_PER_NODE", "SLURM_GPUS_ON_NODE"}) preset(name, gpus);
    const auto n = nodes ? python_int(nodes->text) : std::nullopt, t = tasks ? python_int(tasks->text) : std::nullopt;
    if (!n || !t || !n->integer() || !t->integer() || *n->integer() > 100'000 || *t->integer() > 100'000)
      return preset("SLURM_NTASKS", directive({"--ntasks", "-n"}));
    Token product = *nodes;
    product.text = std::to_string(*n->integer() * *t->integer());
    preset("SLURM_NTASKS", product);
  }

  void preset(const std::string& name, const std::optional<Token>& token) {
    if (!token) return;
    interpreter_.environment().variables.set(name, {{{{token->text, offset_of(token->origin), {}, false}}}, false, false});
  }

  std::size_t offset_of(const Origin& origin) const {
    std::size_t at = 0;
    for (int line = 1; line < origin.line; ++line) at = text_.view().find('\n', at) + 1;
    return at + static_cast<std::size_t>(std::max(origin.column, 1)) - 1;
  }

  /// The first run of a script that is known by name; else the first one that looks like a training run.
  const Run& chosen() const {
    const auto known = std::find_if(runs_.begin(), runs_.end(), [](const Run& run) { return run.launch.certain; });
    return known == runs_.end() ? runs_.front() : *known;
  }

  Reading describe(const Run& run) {
    Reading out = arguments_of(run.launch);
    std::vector<Setting> settings;
    for (const auto& [name, token] : run.environment) settings.push_back(setting("env." + name, value_of(token), token, name));
    for (auto& size : sizes(run.launch)) settings.push_back(std::move(size));
    settings.insert(settings.end(), std::make_move_iterator(out.settings.begin()), std::make_move_iterator(out.settings.end()));
    out.settings = std::move(settings);
    describe_assumptions(run, out);
    describe_others(run, out);
    for (const auto& note : interpreter_.notes())
      out.remarks.push_back(remark(Remark::Kind::kIgnored, note.what, note.why, {}, lines_.origin(note.offset)));
    if (run.cut)
      out.remarks.push_back(remark(Remark::Kind::kOpenWords, "the words after " + run.launch.entry.text, run.launch.entry.text,
                                   "they are more than is followed", run.launch.entry.origin));
    else if (interpreter_.exhausted())
      out.remarks.push_back(remark(Remark::Kind::kIgnored, "the rest of the script", "it does more than is followed", {}, {}));
    return out;
  }

  /// Each of them once, in the order in which the script met them.
  void describe_assumptions(const Run& run, Reading& out) {
    const auto& assumptions = interpreter_.environment().assumptions;
    const auto take = [&](const std::string& subject, const std::string& as, const Origin& origin) {
      const bool known = std::any_of(out.remarks.begin(), out.remarks.end(),
                                     [&](const Remark& old) { return old.kind == Remark::Kind::kTakenAs && old.subject == subject; });
      if (!known) out.remarks.push_back(remark(Remark::Kind::kTakenAs, subject, subject, as, origin));
    };
    if (!run.condition.empty()) take(run.launch.entry.text, "started (" + run.condition + ")", run.launch.entry.origin);
    for (const auto& token : run.open_ends) take("$@", "the script is started without words of its own", token.origin);
    for (const std::size_t index : run.grounds)
      take(assumptions[index].subject, assumptions[index].taken, lines_.origin(assumptions[index].offset));
  }

  /// A loop starts the same command again and again, and a script may start several.
  void describe_others(const Run& run, Reading& out) const {
    const Token& entry = run.launch.entry;
    if (const auto times = started_.find({entry.origin.line, entry.origin.column}); times != started_.end() && times->second > 1)
      out.remarks.push_back(remark(Remark::Kind::kIgnored, entry.text,
                                   "it is started " + std::to_string(times->second) + " times; the first one is read", {}, entry.origin));
    for (const auto& other : runs_)
      if (!same_place(other.launch.entry.origin, entry.origin))
        out.remarks.push_back(remark(Remark::Kind::kIgnored, other.launch.entry.text,
                                     "another training run of the same script; the first one is read", {}, other.launch.entry.origin));
  }

  Reading arguments_of(const Launch& launch) const {
    ReadContext context = context_;
    if (!launch.script.empty()) context.script = launch.script;
    switch (launch.kind) {
      case Launch::Kind::kMegatronLm:
        return read_arguments(launch.arguments, context);
      case Launch::Kind::kFrontEnd:
        return read_front_end_arguments(launch, context);
      case Launch::Kind::kOverrides:
        return read_overrides(only_overrides(launch.arguments), context);
      default:
        return read_recipe_command(launch, context);
    }
  }

  /// A script of its own may have options of its own.
  static std::vector<Token> only_overrides(const std::vector<Token>& words) {
    std::vector<Token> out;
    for (const auto& word : words)
      if (override_key_length(word.text) > 0) out.push_back(word);
    return out;
  }

  std::vector<Setting> sizes(const Launch& launch) const {
    std::vector<Setting> out;
    if (!launch.script.empty()) out.push_back(setting("launch.script", launch.script, launch.entry, launch.entry.text));
    const auto nodes = launch.nnodes ? launch.nnodes : directive({"--nodes", "-N"});
    auto processes = launch.nproc_per_node;
    if (!processes && !launch.torchrun) processes = directive({"--ntasks-per-node"});
    if (!processes && !launch.torchrun) processes = gpus_per_node();
    const auto world = launch.world_size ? launch.world_size : launch.torchrun ? std::nullopt : directive({"--ntasks", "-n"});
    if (nodes) out.push_back(setting("launch.nnodes", count(*nodes), *nodes, "nodes"));
    if (processes) out.push_back(setting("launch.nproc_per_node", count(*processes), *processes, "processes per node"));
    if (world && !(nodes && processes)) out.push_back(setting("launch.world_size", count(*world), *world, "processes"));
    return out;
  }

  static Value count(const Token& token) {
    if (token.unknown) return Unknown{token.text, token.unknown->reason};
    auto number = python_int(token.text);
    return number && number->integer() != nullptr ? *number : Value(Unknown{token.text, "decided when the run starts"});
  }

  static Setting setting(std::string key, Value value, const Token& token, std::string spelling) {
    Setting out{std::move(key), std::move(value), token.origin};
    out.origin.spelling = std::move(spelling);
    return out;
  }

  static Remark remark(Remark::Kind kind, std::string subject, std::string detail, std::string expected, Origin origin) {
    return {kind, std::move(subject), std::move(detail), std::move(expected), {}, std::move(origin)};
  }

  const shell::Text text_;
  const shell::Lines lines_;
  const ReadContext& context_;
  shell::Interpreter interpreter_;
  std::vector<Token> directives_;
  std::vector<std::pair<std::string, Token>> directive_exports_;
  std::vector<Run> runs_;
  std::map<std::pair<int, int>, std::size_t> started_;  ///< How often the command with its script at this line and column is started.
};

}  // namespace

Result<Reading> read_launch_script(std::string_view text, const ReadContext& context) {
  if (text.size() > kMaxScriptBytes)
    return Error{"file-too-large", context.name + " is a launch script of more than 2 MiB", "give the arguments alone"};
  return ScriptReader(text, context).read();
}

}  // namespace spillway::config
