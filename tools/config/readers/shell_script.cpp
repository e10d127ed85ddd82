#include <algorithm>

#include "base/text.hpp"
#include "tools/config/edit_words.hpp"
#include "tools/config/launch_script.hpp"

namespace spillway::config::readers {
namespace {

constexpr std::string_view kName = "shell-script";

constexpr std::string_view kExample =
    "#!/bin/bash\n"
    "#SBATCH --nodes=2\n"
    "export CUDA_DEVICE_MAX_CONNECTIONS=1\n"
    "LAYERS=32\n"
    "ARGS=(\n"
    "  --num-layers $LAYERS --hidden-size 4096 --num-attention-heads 32\n"
    "  --seq-length 4096 --micro-batch-size 1 --global-batch-size 64 --bf16\n"
    "  --use-distributed-optimizer --use-precision-aware-optimizer --optimizer-cpu-offload\n"
    ")\n"
    "torchrun --nproc-per-node 8 pretrain_gpt.py \"${ARGS[@]}\"\n";

constexpr std::size_t kLookedAt = 64u << 10;

/// Words that begin the command of a training run.
constexpr std::string_view kStarters[] = {"torchrun",  "srun",   "mpirun", "mpiexec", "accelerate",
                                          "deepspeed", "sbatch", "swift",  "megatron"};
constexpr std::string_view kInterpreters[] = {"python", "python3", "uv", "bash", "sh", "exec", "nohup", "sudo", "time", "env", "numactl"};
/// Lines that begin so belong to Python.
constexpr std::string_view kPython[] = {"import", "from", "def", "class", "@dataclass"};

template <std::size_t N>
bool among(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

std::string_view first_word(std::string_view line) { return line.substr(0, line.find_first_of(" \t")); }

/// The line without the `NAME=VALUE` in front of its command.
std::string_view past_environment(std::string_view line) {
  for (;;) {
    const std::string_view word = first_word(line);
    const auto equals = word.find('=');
    if (equals == 0 || equals == std::string_view::npos || word.size() == line.size()) return line;
    if (word.substr(0, equals).find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != std::string_view::npos) return line;
    line = trim(line.substr(word.size()));
  }
}

bool names_a_script(std::string_view line) {
  return line.find(".py") != std::string_view::npos || line.find(" -m ") != std::string_view::npos ||
         line.find(".sh ") != std::string_view::npos;
}

int sign_of(std::string_view line) {
  if (line.starts_with("#SBATCH")) return 95;
  if (line.starts_with("export ") && line.find('=') != std::string_view::npos) return 75;
  const std::string_view command = past_environment(line), word = first_word(command), file = word.substr(word.rfind('/') + 1);
  if (among(kStarters, file) && command.size() > word.size()) return 90;
  if (among(kInterpreters, file) && names_a_script(command)) return 85;
  if (word.ends_with(".sh") && command.size() > word.size()) return 70;
  const auto paren = line.find("=(");
  return paren != std::string_view::npos && paren > 0 &&
                 line.substr(0, paren).find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+") ==
                     std::string_view::npos
             ? 65
             : 0;
}

/// What the first line with content says against a shell script: a key of YAML, an option, a bracket.
bool is_another_form(std::string_view line) {
  const std::string_view word = first_word(line);
  return line[0] == '{' || line[0] == '[' || line[0] == '-' || line.starts_with("---") || word.ends_with(":") || among(kPython, word);
}

int recognise(std::string_view text) {
  text = text.substr(0, kLookedAt);
  if (text.starts_with("#!")) {
    const std::string_view line = text.substr(0, text.find('\n'));
    return line.find("sh") != std::string_view::npos && line.find("python") == std::string_view::npos ? 95 : 0;
  }
  int best = 0;
  bool first = true;
  for (auto line : split(text, '\n')) {
    line = trim(line);
    if (line.empty() || (line[0] == '#' && !line.starts_with("#SBATCH"))) continue;
    if (first && is_another_form(line)) return 0;
    if (among(kPython, first_word(line)) && line.ends_with(":")) return 0;
    first = false;
    best = std::max(best, sign_of(line));
    if (best >= 90) break;
  }
  return best;
}

Result<Reading> read(std::string_view text, const ReadContext& context) {
  auto reading = read_launch_script(text, context);
  if (reading) reading->form = kName;
  return reading;
}

}  // namespace

Reader shell_script() { return {kName, "launch script (bash, sbatch)", kExample, recognise, read, write_launch_script, edit_words}; }

}  // namespace spillway::config::readers
