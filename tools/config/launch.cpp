#include "tools/config/launch.hpp"

#include <algorithm>

#include "tools/config/key_paths.hpp"
#include "tools/config/overrides.hpp"
#include "tools/config/tables/tables.hpp"

namespace spillway::config {
namespace {

using Kind = Launch::Kind;

struct Entry {
  std::string_view name;  ///< File without `.py`, or the last part of a module.
  Kind kind;
  std::string_view script;
};

/// Of a script's names the first one is the one to write.
constexpr Entry kEntries[] = {
    {"pretrain_gpt", Kind::kMegatronLm, "gpt"},
    {"pretrain_hybrid", Kind::kMegatronLm, "hybrid"},
    {"pretrain_mamba", Kind::kMegatronLm, "hybrid"},
    {"pretrain_bert", Kind::kMegatronLm, "bert"},
    {"pretrain_t5", Kind::kMegatronLm, "t5"},
    {"train_rl", Kind::kMegatronLm, "rl"},
    {"pretrain_vlm", Kind::kMegatronLm, "vlm"},
    {"pretrain_hybrid_flex", Kind::kMegatronLm, "flex"},
    {"gpt_static_inference", Kind::kMegatronLm, "static"},
    {"gpt_dynamic_inference", Kind::kMegatronLm, "inf"},
    {"offline_inference", Kind::kMegatronLm, "offline"},
    {"run_recipe", Kind::kRecipe, ""},
    {"setup_experiment", Kind::kSubmission, ""},
    {"launch_with_nemo_run", Kind::kSubmission, ""},
    {"run_script", Kind::kPerformance, ""},
};

constexpr std::string_view kLauncherModules[] = {"torch.distributed.run", "torch.distributed.launch", "accelerate.commands.launch",
                                                 "accelerate.commands.accelerate_cli"};

/// Options that only a training run has: what decides about scripts of unknown names.
constexpr std::string_view kTrainingOptions[] = {
    "--tensor-model-parallel-size", "--pipeline-model-parallel-size", "--micro-batch-size",         "--global-batch-size",
    "--optimizer-cpu-offload",      "--use-distributed-optimizer",    "--cpu-offloading-num-layers"};

template <class T, std::size_t N>
bool among(const T (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

std::string_view file_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view stem(std::string_view path) {
  std::string_view name = file_of(path);
  if (name.ends_with(".py") || name.ends_with(".sh")) return name.substr(0, name.size() - 3);
  return name.substr(name.rfind('.') + 1);
}

bool is_override(const Token& token) {
  const std::size_t length = override_key_length(token.text);
  if (length == 0) return false;
  const std::string_view path = std::string_view(token.text).substr(0, length);
  const std::string_view key = path.substr(std::min(path.find_first_not_of("+~"), path.size()));
  return is_foreign_path(key) || key_facts(canonical_key(key), Core::kBridgePin).known;
}

bool takes_overrides(const std::vector<Token>& arguments) { return std::any_of(arguments.begin(), arguments.end(), is_override); }

bool takes_training_options(const std::vector<Token>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(), [](const Token& token) {
    return among(kTrainingOptions, std::string_view(token.text).substr(0, token.text.find('=')));
  });
}

/// Decides what the script is from its name, else from its arguments; false when it starts no training.
bool classify(Launch& launch) {
  const std::string_view path = launch.entry.text, name = stem(path);
  for (const auto& entry : kEntries)
    if (entry.name == name) {
      launch.kind = entry.kind;
      launch.script = entry.script;
      if (path.find("performance/") != std::string_view::npos && entry.kind != Kind::kMegatronLm) launch.kind = Kind::kPerformance;
      return true;
    }
  if (path.ends_with("mimo/train.py")) launch.script = "mimo";
  if (path.ends_with("scripts/training/train.sh") || (path.ends_with(".sh") && option_value(launch.arguments, {"--recipe"}))) {
    launch.kind = Kind::kSubmission;
    return true;
  }
  launch.certain = launch.script == "mimo";
  if (launch.certain) return true;
  if (path.ends_with(".sh")) return false;
  launch.kind = Kind::kOverrides;
  if (takes_overrides(launch.arguments)) return true;
  launch.kind = Kind::kMegatronLm;
  return takes_training_options(launch.arguments);
}

/// The command of a front end that begins at a word: `swift megatron sft`.
CommandFound command_at(const std::vector<Token>& words, std::size_t at) {
  constexpr std::size_t kLongest = 4;
  std::vector<std::string_view> names = {file_of(words[at].text)};
  for (std::size_t next = at + 1; next < words.size() && names.size() < kLongest; ++next) names.push_back(words[next].text);
  return find_command(names);
}

bool is_script(std::string_view word) {
  return (word.ends_with(".py") || word.ends_with(".sh")) && word.find_first_of(" \t\n=") == std::string_view::npos;
}

Launch cut(const std::vector<Token>& words, std::size_t entry) {
  Launch launch;
  launch.entry = words[entry];
  launch.arguments.assign(words.begin() + static_cast<std::ptrdiff_t>(entry) + 1, words.end());
  return launch;
}

/// How many processes and nodes the words in front of the script ask for.
void read_size(Launch& launch, const std::vector<Token>& wrappers) {
  const std::string_view first = wrappers.empty() ? std::string_view{} : file_of(wrappers.front().text);
  const bool mpi = first == "mpirun" || first == "mpiexec";
  launch.nproc_per_node = option_value(wrappers, {"--nproc-per-node"});
  if (!launch.nproc_per_node && !launch.torchrun)
    launch.nproc_per_node = option_value(wrappers, mpi ? std::vector<std::string_view>{"--npernode", "-npernode", "-N"}
                                                       : std::vector<std::string_view>{"--ntasks-per-node"});
  launch.nnodes =
      option_value(wrappers, mpi ? std::vector<std::string_view>{"--nnodes"} : std::vector<std::string_view>{"--nnodes", "--nodes", "-N"});
  if (!launch.torchrun) launch.world_size = option_value(wrappers, {"-np", "--np", "-n", "--ntasks"});
}

void read_exports(Launch& launch, const Token& list) {
  std::string_view rest = list.text;
  while (!rest.empty()) {
    const std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(item.size() + 1, rest.size()));
    const auto equals = item.find('=');
    if (equals == std::string_view::npos) continue;
    Token value = list;
    value.text = item.substr(equals + 1);
    launch.environment.emplace_back(std::string(item.substr(0, equals)), std::move(value));
  }
}

void read_environment(Launch& launch, const std::vector<Token>& wrappers) {
  if (const auto list = option_value(wrappers, {"--export"})) read_exports(launch, *list);
  for (const auto& word : wrappers) {
    const auto equals = word.text.find('=');
    const std::string name = word.text.substr(0, equals);
    if (equals == std::string::npos || name.empty() ||
        name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos)
      continue;
    Token value = word;
    value.text.erase(0, equals + 1);
    launch.environment.emplace_back(name, std::move(value));
  }
}

std::string canonical_option(std::string_view word) {
  std::string out(word.substr(0, word.find('=')));
  for (std::size_t at = 2; at < out.size(); ++at)
    if (out[at] == '_') out[at] = '-';
  return out;
}

}  // namespace

std::optional<Token> option_value(const std::vector<Token>& words, const std::vector<std::string_view>& options) {
  std::optional<Token> found;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string& word = words[at].text;
    if (word.empty() || word[0] != '-') continue;
    const std::string option = canonical_option(word);
    if (std::find(options.begin(), options.end(), option) == options.end()) continue;
    const auto equals = word.find('=');
    if (equals == std::string::npos && at + 1 == words.size()) break;
    found = equals == std::string::npos ? words[at + 1] : words[at];
    if (equals != std::string::npos) found->text.erase(0, equals + 1);
  }
  return found;
}

std::optional<Launch> find_launch(const std::vector<Token>& words, const ReadContext&) {
  bool torchrun = false;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string& word = words[at].text;
    const bool module = word == "-m" && at + 1 < words.size();
    if (module && among(kLauncherModules, words[at + 1].text)) torchrun = true;
    torchrun = torchrun || file_of(word) == "torchrun" || file_of(word) == "accelerate" || file_of(word) == "deepspeed";
    const CommandFound command = command_at(words, at);
    const bool entry_module = module && !among(kLauncherModules, words[at + 1].text) && words[at + 1].text.find('=') == std::string::npos;
    if (command.words == 0 && !entry_module && !is_script(word)) continue;
    Launch launch = cut(words, at + (command.words > 0 ? command.words - 1 : entry_module ? 1 : 0));
    launch.torchrun = torchrun;
    launch.front_end = command.front_end;
    if (command.words > 0) launch.kind = Kind::kFrontEnd;
    if (command.words == 0 && !classify(launch)) {
      if (is_script(word) && word.ends_with(".sh")) continue;
      return std::nullopt;
    }
    const std::vector<Token> wrappers(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at));
    read_size(launch, wrappers);
    read_environment(launch, wrappers);
    return launch;
  }
  return std::nullopt;
}

std::string_view entry_file(std::string_view script) {
  constexpr std::pair<std::string_view, std::string_view> files[] = {{"gpt", "pretrain_gpt.py"},
                                                                     {"hybrid", "pretrain_hybrid.py"},
                                                                     {"bert", "pretrain_bert.py"},
                                                                     {"t5", "pretrain_t5.py"},
                                                                     {"rl", "train_rl.py"},
                                                                     {"vlm", "pretrain_vlm.py"},
                                                                     {"mimo", "examples/mimo/train.py"},
                                                                     {"flex", "pretrain_hybrid_flex.py"},
                                                                     {"static", "gpt_static_inference.py"},
                                                                     {"inf", "gpt_dynamic_inference.py"},
                                                                     {"offline", "offline_inference.py"}};
  for (const auto& [name, file] : files)
    if (name == script) return file;
  return "";
}

}  // namespace spillway::config
