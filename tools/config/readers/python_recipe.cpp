#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "tools/config/edit_python.hpp"
#include "tools/config/python_program.hpp"
#include "tools/config/reader.hpp"
#include "tools/config/scalars.hpp"
#include "tools/config/targets.hpp"
#include "tools/config/top_level_keys.hpp"
#include "tools/config/tree_writing.hpp"

namespace spillway::config::readers {
namespace {

constexpr std::string_view kName = "python-recipe";

constexpr std::string_view kExample = R"(cfg = qwen3_30b_a3b_pretrain_config()
cfg.model.recompute_granularity = None
cfg.model.cpu_offloading_num_layers = 4
cfg.optimizer.optimizer_cpu_offload = True
cfg.optimizer.optimizer_offload_fraction = 0.5
setattr(cfg.ddp, "overlap_grad_reduce", True)
)";

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/// `name.name = ` with blanks around the sign, as nobody writes it in a shell or on a Hydra command line.
bool is_assignment(std::string_view line) {
  const auto end = std::find_if(line.begin(), line.end(), [](char c) { return !is_word(c) && c != '.'; });
  const auto left = line.substr(0, static_cast<std::size_t>(end - line.begin()));
  const auto right = line.substr(left.size());
  return left.find('.') != std::string_view::npos && !left.starts_with(".") && right.starts_with(" = ");
}

/// How much a line speaks for Python: what only Python has, what Python shares with others, nothing.
int weight(std::string_view line) {
  for (const std::string_view root : {"cfg.", "config.", "recipe."})
    if (line.starts_with(root) && is_assignment(line)) return 3;
  if (line.starts_with("from ") && line.find(" import ") != std::string_view::npos) return 3;
  if (line.starts_with("def ") && line.ends_with(":")) return 3;
  if (line.starts_with("class ") && line.ends_with(":")) return 3;
  if (line.starts_with("setattr(")) return 3;
  if (is_assignment(line)) return 2;
  const auto bracket = line.find('(');
  const bool constructs =
      bracket != std::string_view::npos && (line.substr(0, bracket).ends_with("Config") || line.substr(0, bracket).ends_with("Provider"));
  const bool makes = line.find(" = ") != std::string_view::npos && line.find("_config(") != std::string_view::npos;
  if (constructs || makes) return 2;
  return line.starts_with("import ") ? 1 : 0;
}

int recognise(std::string_view text) {
  text = beginning(text);
  if (text.starts_with("#!")) return text.substr(0, text.find('\n')).find("python") != std::string_view::npos ? 80 : 0;
  int total = 0;
  for (int lines = 0; !text.empty() && lines < 4000 && total < 6; ++lines) {
    const auto end = std::min(text.find('\n'), text.size());
    total += weight(trim(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return total >= 6 ? 80 : total >= 3 ? 70 : total >= 2 ? 50 : 0;
}

/// Nothing when a part is Unknown.
std::optional<std::string> python_text(const Value& value) {
  if (value.is_unknown()) return std::nullopt;
  if (const auto* text = value.string()) return is_dtype_name(*text) ? *text : double_quoted(*text);
  if (const double* real = value.real(); real != nullptr && !std::isfinite(*real)) return "float(\"" + value.repr() + "\")";
  if (value.list() != nullptr || value.map() != nullptr) return flow_text(value, python_text, double_quoted);
  return value.repr();
}

bool is_identifier(std::string_view part) {
  constexpr std::string_view kReserved[] = {"and",   "as",     "assert",   "break", "class", "continue", "def",   "del",    "elif",
                                            "else",  "except", "finally",  "for",   "from",  "global",   "if",    "import", "in",
                                            "is",    "lambda", "nonlocal", "not",   "or",    "pass",     "raise", "return", "try",
                                            "while", "with",   "yield",    "True",  "False", "None"};
  return !part.empty() && (part.front() < '0' || part.front() > '9') && std::all_of(part.begin(), part.end(), is_word) &&
         std::find(std::begin(kReserved), std::end(kReserved), part) == std::end(kReserved);
}

/// `cfg.model.x`, `cfg.env_vars["NAME"]`; empty for a key that Python cannot spell.
std::string left_side(std::string_view key) {
  if (key.starts_with("env_vars.")) return "cfg.env_vars[" + double_quoted(key.substr(9)) + "]";
  for (const auto part : split(key, '.'))
    if (!is_identifier(part)) return {};
  return "cfg." + std::string(key);
}

Result<std::string> write(const std::vector<Setting>& settings, const ReadContext&) {
  std::string out;
  for (const auto& setting : winners(settings)) {
    const std::string left = left_side(setting.key);
    const auto right = python_text(setting.value);
    if (!right) return not_expressible(setting, "its value is not known");
    if (left.empty() || setting.key.starts_with("env.") || setting.key.starts_with("args."))
      return not_expressible(setting, "it is no attribute of the configuration");
    out += left + " = " + *right + "\n";
  }
  return out;
}

}  // namespace

Reader python_recipe() { return {kName, "Python recipe lines", kExample, recognise, read_python, write, edit_python}; }

}  // namespace spillway::config::readers
