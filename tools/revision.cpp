#include "tools/revision.hpp"

#include <filesystem>

#include "base/process.hpp"
#include "base/text.hpp"
#include "base/visible.hpp"
#include "tools/config/reader.hpp"

namespace spillway {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kPatience{20'000};  // A cold object store on a network disk takes seconds.
constexpr std::size_t kMaxComplaint = 300;              // Bytes of git's own words in a message.

/// `REV:path`, both parts there.
bool has_form(std::string_view name) {
  const auto colon = name.find(':');
  return colon != std::string_view::npos && colon > 0 && colon + 1 < name.size() && name.find('\0') == std::string_view::npos;
}

bool exists(const std::string& name, const ToolContext& context) {
  std::error_code error;
  return fs::exists(context.directory.empty() ? fs::path(name) : fs::path(context.directory) / name, error);
}

/// git's first complaint, without its `fatal: `, and the hints that stand behind it.
std::string complaint(std::string_view text) {
  std::string out;
  for (auto line : split(trim(text), '\n')) {
    if (line.starts_with("fatal: ")) line.remove_prefix(7);
    if (line.starts_with("hint: ")) line.remove_prefix(6);
    out += (out.empty() ? "" : " ") + std::string(trim(line));
  }
  return clipped(visible_line(out), kMaxComplaint);
}

Error not_read(const std::string& name, const std::string& why) {
  return {"revision-not-read",
          name + ": no such file, and as a revision git cannot show it: " + why,
          "write REV:path with a revision git knows and the path from the top of the repository (REV:./path from here)",
          {},
          name};
}

Error bad_revision(const std::string& name) {
  return {"bad-revision", name + ": a revision cannot begin with a dash", "write REV:path, e.g. HEAD~1:configs/job.yaml", {}, name};
}

std::vector<std::string> command(const std::string& name, const ToolContext& context) {
  std::vector<std::string> words = {"git", "--no-pager"};
  if (!context.directory.empty()) words.insert(words.end(), {"-C", context.directory});
  words.insert(words.end(), {"show", "--no-textconv", "--no-ext-diff", "--no-color", name, "--"});
  return words;
}

/// Nothing is fetched, asked for or locked.
const std::vector<std::string>& environment() {
  static const std::vector<std::string> quiet = {"GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C"};
  return quiet;
}

}  // namespace

Result<NamedText> read_version(const std::string& name, const ToolContext& context) {
  if (!has_form(name) || !context.may_read_files || exists(name, context)) return read_named(name, context);
  if (name.starts_with('-')) return bad_revision(name);
  auto shown = run_program(command(name, context), environment(), {config::kMaxSourceBytes, kPatience});
  if (!shown) return not_read(name, shown.error().message);
  if (shown->status != 0) return not_read(name, complaint(shown->err));
  // A folder is shown as the list of its files.
  if (shown->out.starts_with("tree " + name + "\n")) return not_read(name, "it is a folder");
  return NamedText{name, std::move(shown->out)};
}

}  // namespace spillway
