#include "base/text.hpp"
#include "tools/config/arguments.hpp"
#include "tools/config/edit_words.hpp"
#include "tools/config/shell/words.hpp"

namespace spillway::config::readers {
namespace {

constexpr std::string_view kName = "megatron-arguments";

constexpr std::string_view kExample =
    "# one node, eight GPUs\n"
    "--num-layers 24 --hidden-size 2048 --num-attention-heads 16 --seq-length 4096\n"
    "--micro-batch-size 1 --global-batch-size 64 --bf16\n"
    "--use-distributed-optimizer --use-precision-aware-optimizer\n"
    "--optimizer-cpu-offload --optimizer-offload-fraction 0.5\n";

/// The text from its first word on.
std::string_view past_comments(std::string_view text) {
  for (text = trim(text); text.starts_with('#') || text.starts_with('\\'); text = trim(text))
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  return text;
}

int recognise(std::string_view text) {
  text = past_comments(text);
  if (text.starts_with('\'') || text.starts_with('"')) text.remove_prefix(1);
  if (!text.starts_with("--") || text.size() < 3) return 0;
  const bool letter = (text[2] >= 'a' && text[2] <= 'z') || (text[2] >= 'A' && text[2] <= 'Z');
  const std::string_view first = text.substr(0, text.find_first_of(" \t\r\n"));
  return !letter ? 0 : first.ends_with(':') ? 10 : 90;
}

Result<Reading> read(std::string_view text, const ReadContext& context) {
  const auto tokens = shell::split_words(text, context.max_nodes);
  if (!tokens) return tokens.error();
  Reading reading = read_arguments(*tokens, context);
  reading.form = kName;
  return reading;
}

/// One option a line, its values beside it.
Result<std::string> write(const std::vector<Setting>& settings, const ReadContext& context) {
  std::string out;
  for (const auto& setting : settings) {
    auto words = write_arguments({setting}, context);
    if (!words) return words.error();
    for (auto& word : *words) word = shell::quoted_word(word);
    out += join(*words, " ") + "\n";
  }
  return out;
}

}  // namespace

Reader megatron_arguments() { return {kName, "Megatron-LM argument list", kExample, recognise, read, write, edit_words}; }

}  // namespace spillway::config::readers
