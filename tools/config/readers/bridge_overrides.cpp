#include "base/text.hpp"
#include "tools/config/edit_words.hpp"
#include "tools/config/overrides.hpp"
#include "tools/config/shell/words.hpp"

namespace spillway::config::readers {
namespace {

constexpr std::string_view kName = "bridge-overrides";

constexpr std::string_view kExample =
    "optimizer.optimizer_cpu_offload=true\n"
    "optimizer.optimizer_offload_fraction=0.5\n"
    "model.recompute_granularity=null\n"
    "'model.offload_modules=[core_attn,attn_proj]'\n"
    "++env_vars.NVTE_CPU_OFFLOAD_V1=1\n";

constexpr std::size_t kLookedAt = 4096;

/// Names that Python code gives to the configuration: what looks like an override there is an assignment.
constexpr std::string_view kVariables[] = {"cfg.", "config.", "conf.", "self.", "recipe.", "args."};

/// `NAME=VALUE` as it stands before a command: an environment variable.
bool is_environment(std::string_view word) {
  const auto equals = word.find('=');
  if (equals == 0 || equals == std::string_view::npos || (word[0] >= '0' && word[0] <= '9')) return false;
  return word.substr(0, equals).find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
}

bool looks_like_override(std::string_view word) {
  if (!word.empty() && (word[0] == '\'' || word[0] == '"')) word.remove_prefix(1);
  const std::size_t length = override_key_length(word);
  if (length == 0) return false;
  for (const auto variable : kVariables)
    if (word.starts_with(variable)) return false;
  return word[0] == '~' || word[0] == '+' || word.substr(0, length).find('.') != std::string_view::npos;
}

/// The share of the first words that are overrides. Blanks inside a list make words that are none.
int recognise(std::string_view text) {
  int overrides = 0, words = 0, environment = 0;
  for (auto line : split(text.substr(0, kLookedAt), '\n')) {
    line = trim(line);
    if (line.starts_with('#')) continue;
    for (const auto word : split(line, ' ')) {
      if (trim(word).empty() || trim(word) == "\\") continue;
      const bool is_override = looks_like_override(trim(word));
      if (words == environment && !is_override && !is_environment(word)) return 0;
      environment += words == environment && is_environment(word) && !is_override ? 1 : 0;
      overrides += is_override ? 1 : 0;
      ++words;
    }
  }
  const int others = words - environment;
  return overrides == 0 || overrides * 2 < others ? 0 : 85 * overrides / others;
}

/// Takes the environment variables off the front.
std::vector<Setting> environment(std::vector<Token>& tokens) {
  std::vector<Setting> out;
  std::size_t count = 0;
  for (; count < tokens.size() && is_environment(tokens[count].text); ++count) {
    const Token& token = tokens[count];
    const std::string name = token.text.substr(0, token.text.find('='));
    Value value = token.text.substr(name.size() + 1);
    if (token.unknown) value = Unknown{value.str(), token.unknown->reason};
    out.push_back({"env." + name, std::move(value), token.origin});
    out.back().origin.spelling = name;
  }
  tokens.erase(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(count));
  return out;
}

Result<Reading> read(std::string_view text, const ReadContext& context) {
  auto tokens = shell::split_words(text, context.max_nodes);
  if (!tokens) return tokens.error();
  auto settings = environment(*tokens);
  Reading reading = read_overrides(*tokens, context);
  std::move(reading.settings.begin(), reading.settings.end(), std::back_inserter(settings));
  reading.settings = std::move(settings);
  reading.form = kName;
  return reading;
}

/// An environment variable can only stand in front of all overrides.
bool leads(const Setting& setting) {
  return setting.key.starts_with("env.") && setting.value.string() != nullptr && is_environment(setting.key.substr(4) + "=");
}

Result<std::string> write(const std::vector<Setting>& settings, const ReadContext& context) {
  std::string out;
  bool leading = true;
  for (const auto& setting : settings) {
    leading = leading && leads(setting);
    if (leading) {
      out += setting.key.substr(4) + "=" + shell::quoted_word(*setting.value.string()) + "\n";
      continue;
    }
    auto words = write_overrides({setting}, context);
    if (!words) return words.error();
    std::string& word = words->front();
    if (is_environment(word)) word.insert(0, "++");
    out += shell::quoted_word(word) + "\n";
  }
  return out;
}

}  // namespace

Reader bridge_overrides() { return {kName, "Megatron-Bridge override words (Hydra)", kExample, recognise, read, write, edit_words}; }

}  // namespace spillway::config::readers
