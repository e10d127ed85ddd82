#include "tools/validate/upstream/drift.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/files.hpp"
#include "base/text.hpp"

namespace spillway::validate::upstream {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = 4u << 20;  // Bytes; the largest of upstream's files has 0.3 MB.
constexpr int kDeepest = 40;                    // Folders; upstream's go 8 deep.
constexpr std::size_t kMostFiles = 50'000;
constexpr std::size_t kMostSkipped = 20;

/// Where packages stand below a checkout or an installation.
constexpr std::string_view kBases[] = {"", "src", "3rdparty/Megatron-LM"};

struct Package {
  std::string_view name;
  fs::path folder;
};

std::vector<Package> packages_in(const fs::path& directory) {
  std::vector<Package> found;
  std::error_code ignored;
  for (const auto name : kPackages)
    for (const auto base : kBases)
      if (const fs::path folder = directory / base / name; fs::is_directory(folder, ignored)) {
        found.push_back({name, folder});
        break;
      }
  return found;
}

Error no_tree(const std::string& directory) {
  std::error_code ignored;
  if (!fs::is_directory(directory, ignored)) return {"no-upstream-tree", directory + ": no such folder", "check the path", {}, directory};
  std::vector<std::string> names(std::begin(kPackages), std::end(kPackages));
  return {"no-upstream-tree",
          directory + " holds none of " + join(names, ", "),
          "name a checkout of Megatron-LM, Megatron-Bridge or TransformerEngine, or the site-packages folder they are installed in",
          {},
          directory};
}

/// `0.17.0rc0`, from the assignments of package_info.py.
std::string stated_version(const fs::path& core) {
  const auto text = read_file((core / "package_info.py").string(), kLargestFile);
  if (!text) return "";
  std::map<std::string, std::string> values;
  for (const auto line : split(*text, '\n')) {
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const auto value = trim(line.substr(equals + 1));
    const auto quoted = value.find_first_not_of("'\"");
    values.emplace(trim(line.substr(0, equals)),
                   quoted == std::string_view::npos ? "" : value.substr(quoted, value.find_last_not_of("'\"") + 1 - quoted));
  }
  if (values["MAJOR"].empty() || values["MINOR"].empty()) return "";
  return values["MAJOR"] + "." + values["MINOR"] + "." + values["PATCH"] + values["PRE_RELEASE"];
}

/// A release that is known; everything else is judged as the main branch.
Core core_of(const std::string& version) {
  const bool release = version.find_first_not_of("0123456789.") == std::string::npos;
  return release && !version.empty() ? config::parse_core(version).value_or(Core::kMain) : Core::kMain;
}

class Reader {
 public:
  Reader(Search& search, TreeDrift& tree) : search_(search), tree_(tree) {}

  void read(const Package& package) {
    std::error_code failed;
    fs::recursive_directory_iterator each(package.folder, fs::directory_options::skip_permission_denied, failed);
    for (; !failed && each != fs::recursive_directory_iterator(); each.increment(failed)) {
      if (each.depth() > kDeepest || each->path().filename().string().starts_with('.')) each.disable_recursion_pending();
      if (each->path().extension() == ".py") read(each->path(), package);
      if (files_ > kMostFiles) return skip(package.folder.string(), "more than " + std::to_string(kMostFiles) + " files");
    }
    if (failed) skip(package.folder.string(), failed.message());
  }

 private:
  void read(const fs::path& path, const Package& package) {
    std::error_code failed;
    if (fs::is_directory(path, failed)) return;
    if (!fs::is_regular_file(path, failed)) return skip(path.string(), failed ? failed.message() : "no regular file");
    ++files_;
    const auto text = read_file(path.string(), kLargestFile);
    if (!text) return skip(path.string(), text.error().message);
    search_.read(std::string(package.name) + "/" + path.lexically_relative(package.folder).generic_string(), *text);
  }

  void skip(const std::string& path, const std::string& reason) {
    if (tree_.skipped.size() < kMostSkipped) tree_.skipped.push_back(reason.starts_with(path) ? reason : path + ": " + reason);
  }

  Search& search_;
  TreeDrift& tree_;
  std::size_t files_ = 0;
};

}  // namespace

Result<TreeDrift> drift_of(const std::string& directory, const std::vector<Rule>& rules) {
  const auto packages = packages_in(directory);
  if (packages.empty()) return no_tree(directory);
  TreeDrift out;
  out.directory = directory;
  std::set<std::string_view> names;
  for (const auto& package : packages) {
    names.insert(package.name);
    out.packages.emplace_back(package.name);
    if (package.name == "megatron/core") out.version = stated_version(package.folder);
  }
  out.core = core_of(out.version);
  Search search(rules, out.core, names);
  for (const auto& package : packages) Reader(search, out).read(package);
  out.rules = search.result();
  out.not_looked_for = search.not_looked_for();
  return out;
}

std::vector<std::string> gone_everywhere(const std::vector<TreeDrift>& trees) {
  std::map<std::string, bool> gone;
  for (const auto& tree : trees)
    for (const auto& rule : tree.rules) {
      const auto [entry, fresh] = gone.emplace(rule.code, rule.gone());
      entry->second = entry->second && rule.gone();
    }
  std::vector<std::string> codes;
  for (const auto& [code, is_gone] : gone)
    if (is_gone) codes.push_back(code);
  return codes;
}

}  // namespace spillway::validate::upstream
