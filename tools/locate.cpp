#include "tools/locate.hpp"

#include <algorithm>
#include <filesystem>

#include "base/files.hpp"
#include "base/text.hpp"
#include "tools/config/reader.hpp"

namespace spillway {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRunConfig = "run_config.yaml";
/// Written by Megatron-LM and Megatron-Bridge beside the iterations.
constexpr std::string_view kTracker = "latest_checkpointed_iteration.txt";
constexpr std::size_t kMaxListed = 10;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end && names.size() < 10'000; it.increment(error))
    names.push_back(it->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// The folder of the iteration that a run would load: `iter_0000020`, or `release`; empty when the folder does not say.
std::string tracked_iteration(const fs::path& folder) {
  const auto tracker = read_file((folder / kTracker).string(), 1024);
  const std::string iteration = tracker ? std::string(trim(*tracker)) : "";
  if (iteration == "release" || iteration.empty()) return iteration;
  if (iteration.size() > 7 || iteration.find_first_not_of("0123456789") != std::string::npos) return "";
  return "iter_" + std::string(7 - iteration.size(), '0') + iteration;
}

/// The `run_config.yaml` of a checkpoint: in the folder itself, or in the latest iteration below it.
fs::path config_in(const fs::path& folder, const std::vector<std::string>& names) {
  std::error_code error;
  if (fs::is_regular_file(folder / kRunConfig, error)) return folder / kRunConfig;
  const std::string tracked = tracked_iteration(folder);
  if (!tracked.empty() && fs::is_regular_file(folder / tracked / kRunConfig, error)) return folder / tracked / kRunConfig;
  for (auto name = names.rbegin(); name != names.rend(); ++name)
    if (name->starts_with("iter_") && fs::is_regular_file(folder / *name / kRunConfig, error)) return folder / *name / kRunConfig;
  return {};
}

Error no_config(const std::string& name, const std::vector<std::string>& names) {
  std::string listed;
  for (std::size_t i = 0; i < names.size() && i < kMaxListed; ++i) listed += (listed.empty() ? "" : ", ") + names[i];
  if (names.size() > kMaxListed) listed += ", … (" + std::to_string(names.size()) + " in all)";
  return {"no-config-in-folder",
          name + " is a folder without a " + std::string(kRunConfig),
          listed.empty() ? "it is empty; name a configuration file" : "name a file inside it: " + listed,
          {},
          name};
}

Error not_allowed(const std::string& name) {
  return {"files-not-allowed", "files cannot be read here, and " + name + " is one", "give the text itself as config_text", {}, name};
}

Error no_standard_input() {
  return {"files-not-allowed", "standard input cannot be read here", "give the text itself as config_text", {}, "-"};
}

/// What has no end of its own, a pipe or a device, belongs to those who may name standard input.
bool is_stream(const fs::path& path) {
  std::error_code error;
  const auto kind = fs::status(path, error).type();
  return kind == fs::file_type::fifo || kind == fs::file_type::character || kind == fs::file_type::socket;
}

Error no_stream(const std::string& name) {
  return {"not-a-file", name + " is not a regular file", "name a file, or give the text itself as config_text", {}, name};
}

}  // namespace

Result<NamedText> read_named(const std::string& name, const ToolContext& context) {
  if (name == "-" && !context.may_read_standard_input) return no_standard_input();
  if (name != "-" && !context.may_read_files) return not_allowed(name);
  if (name.find('\0') != std::string::npos) return Error{"file-not-found", "a file name cannot hold a NUL byte", "check the path"};
  fs::path path = name == "-" || context.directory.empty() ? fs::path(name) : fs::path(context.directory) / name;
  std::string called = name;
  std::error_code error;
  if (name != "-" && fs::is_directory(path, error)) {
    const auto names = names_in(path);
    const fs::path found = config_in(path, names);
    if (found.empty()) return no_config(name, names);
    called = (fs::path(name) / fs::relative(found, path, error)).string();
    path = found;
  }
  if (!context.may_read_standard_input && is_stream(path)) return no_stream(name);
  auto text = read_file(path.string(), config::kMaxSourceBytes);
  if (!text) return text.error();
  return NamedText{std::move(called), std::move(*text)};
}

}  // namespace spillway
