#include "tools/installed.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <vector>

#include "base/files.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "tools/json.hpp"

namespace spillway {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxMetadata = 1u << 20;  // Bytes; the longest known holds a long description of some 100 KiB.
constexpr std::size_t kMaxEntries = 100'000;    // Of one folder.

/// A member of Installed, the packages that stand for it, the better one first, and where its sources keep their version.
struct Wanted {
  std::optional<InstalledPackage> Installed::*member;
  std::array<std::string_view, 4> names;
  std::array<std::string_view, 3> sources;
};
constexpr Wanted kWanted[] = {
    {&Installed::core,
     {"megatron-core"},
     {"megatron/core/package_info.py", "3rdparty/Megatron-LM/megatron/core/package_info.py", "src/megatron/core/package_info.py"}},
    {&Installed::bridge, {"megatron-bridge"}, {"megatron/bridge/package_info.py", "src/megatron/bridge/package_info.py"}},
    {&Installed::te, {"transformer-engine", "transformer-engine-torch", "transformer-engine-cu12", "transformer-engine-cu13"}, {}},
    {&Installed::torch, {"torch"}, {}},
};

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

/// What stands in a folder, in the order of the names; nothing where it cannot be read.
std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end && out.size() < kMaxEntries; it.increment(error))
    out.push_back(it->path());
  std::sort(out.begin(), out.end());
  return out;
}

/// Folders of packages in an environment: of a virtual environment, of conda, and of Debian's Python.
std::vector<fs::path> package_folders(const fs::path& folder) {
  std::vector<fs::path> out = {folder};
  const auto add = [&](const fs::path& path) {
    if (is_folder(path)) out.push_back(path);
  };
  for (const auto* prefix : {"", ".venv", "venv"})
    for (const auto* library : {"lib", "lib64"})
      for (const auto& python : entries(folder / prefix / library)) {
        if (!python.filename().string().starts_with("python3")) continue;
        add(python / "site-packages");
        add(python / "dist-packages");
      }
  add(folder / "site-packages");
  return out;
}

/// `Name: value` of the headers, which end at a blank line.
std::string header(std::string_view text, std::string_view name) {
  for (const auto line : split(text, '\n')) {
    if (trim(line).empty()) break;
    const auto colon = line.find(':');
    if (colon != std::string_view::npos && iequals(line.substr(0, colon), name)) return std::string(trim(line.substr(colon + 1)));
  }
  return {};
}

std::string text_of_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  auto text = read_file(path.string(), kMaxMetadata);
  return text ? std::move(*text) : std::string();
}

/// `MAJOR = 0` and its like; a name that stands twice has its last value.
std::string assigned(std::string_view text, std::string_view name) {
  std::string found;
  for (const auto line : split(text, '\n')) {
    const auto equals = line.find('=');
    if (equals == std::string_view::npos || trim(line.substr(0, equals)) != name) continue;
    auto value = trim(line.substr(equals + 1, line.find('#', equals) - equals - 1));
    while (!value.empty() && (value.front() == '"' || value.front() == '\'')) value.remove_prefix(1);
    while (!value.empty() && (value.back() == '"' || value.back() == '\'')) value.remove_suffix(1);
    found = value;
  }
  return found;
}

/// The version that the sources of a package state.
std::optional<InstalledPackage> in_sources(const fs::path& folder, const Wanted& wanted) {
  for (const auto source : wanted.sources) {
    if (source.empty()) continue;
    const std::string text = text_of_file(folder / source);
    const std::string major = assigned(text, "MAJOR"), minor = assigned(text, "MINOR"), patch = assigned(text, "PATCH");
    if (major.empty() || minor.empty()) continue;
    return InstalledPackage{major + "." + minor + (patch.empty() ? "" : "." + patch) + assigned(text, "PRE_RELEASE"),
                            (folder / source).string()};
  }
  return std::nullopt;
}

/// `%20` is a blank.
std::string url_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto hex = text[i] == '%' && i + 2 < text.size() ? text.substr(i + 1, 2) : std::string_view();
    const bool coded =
        !hex.empty() && std::isxdigit(static_cast<unsigned char>(hex[0])) && std::isxdigit(static_cast<unsigned char>(hex[1]));
    out += coded ? static_cast<char>(std::stoi(std::string(hex), nullptr, 16)) : text[i];
    i += coded ? 2 : 0;
  }
  return out;
}

/// The checkout that an editable installation runs from; empty for others.
fs::path editable_folder(const fs::path& dist_info) {
  constexpr std::string_view kScheme = "file://";
  const auto value = parse_json(text_of_file(dist_info / "direct_url.json"));
  const config::Value* info = value ? value->find("dir_info") : nullptr;
  const config::Value* editable = info != nullptr ? info->find("editable") : nullptr;
  const config::Value* url = value ? value->find("url") : nullptr;
  if (editable == nullptr || !editable->truthy() || url == nullptr || url->string() == nullptr) return {};
  return url->string()->starts_with(kScheme) ? fs::path(url_decoded(url->string()->substr(kScheme.size()))) : fs::path();
}

/// Name and version of one entry of a folder of packages.
struct Metadata {
  std::string name;
  InstalledPackage package;
  fs::path checkout = {};
};

std::optional<Metadata> read_metadata(const fs::path& entry) {
  const std::string file = entry.filename().string();
  const bool dist = file.ends_with(".dist-info");
  if (!dist && !file.ends_with(".egg-info")) return std::nullopt;
  std::string text = text_of_file(dist ? entry / "METADATA" : entry / "PKG-INFO");
  if (text.empty() && !dist) text = text_of_file(entry);
  std::string name = header(text, "Name"), version = header(text, "Version");
  if (name.empty() || version.empty()) {  // The folder is called `NAME-VERSION.dist-info`.
    const auto parts = split(std::string_view(file).substr(0, file.rfind('.')), '-');
    if (parts.size() < 2) return std::nullopt;
    name = parts[0];
    version = parts[1];
  }
  return Metadata{normalised_package(name), {version, entry.string()}, dist ? editable_folder(entry) : fs::path()};
}

/// Of several packages that stand for the same thing the first name counts.
void take(const std::vector<Metadata>& found, const Wanted& wanted, Installed& out) {
  auto& member = out.*wanted.member;
  for (const auto name : wanted.names)
    for (const auto& metadata : found) {
      if (member || name.empty() || metadata.name != name) continue;
      member = metadata.package;
      // An editable installation keeps the metadata of the day it was made; what runs is the checkout.
      if (!metadata.checkout.empty())
        if (auto current = in_sources(metadata.checkout, wanted)) member = std::move(current);
    }
}

void look_into(const fs::path& folder, Installed& out) {
  std::vector<Metadata> found;
  for (const auto& entry : entries(folder))
    if (auto metadata = read_metadata(entry)) found.push_back(std::move(*metadata));
  for (const auto& wanted : kWanted) {
    take(found, wanted, out);
    if (!(out.*wanted.member)) out.*wanted.member = in_sources(folder, wanted);
  }
}

Error not_a_folder(const std::string& folder) {
  return {"not-a-folder", folder + " is not a folder", "name the folder of an environment, of its packages, or of a checkout", {}, folder};
}

Error nothing_found(const std::string& folder) {
  return {"nothing-installed",
          folder + " holds none of Megatron-Core, Megatron-Bridge, Transformer Engine and torch",
          "looked for their *.dist-info and *.egg-info in it and in lib/python3*/site-packages (dist-packages) below it, and for "
          "megatron/core/package_info.py; python -c \"import sys; print(sys.prefix)\" names the folder of an environment",
          {},
          folder};
}

}  // namespace

std::string normalised_package(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool separator = c == '-' || c == '_' || c == '.';
    if (!separator)
      out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    else if (out.empty() || out.back() != '-')
      out += '-';
  }
  return out;
}

Result<Installed> find_installed(const std::string& folder) {
  if (folder.find('\0') != std::string::npos || !is_folder(folder)) return not_a_folder(folder);
  Installed out;
  for (const auto& path : package_folders(folder)) look_into(path, out);
  if (out.empty()) return nothing_found(folder);
  return out;
}

std::optional<CoreMatch> match_core(const Installed& installed) {
  using config::Core;
  const Core newest = installed.bridge ? Core::kBridgePin : Core::kMain;
  if (!installed.core)
    return installed.bridge ? std::optional(CoreMatch{newest, "the Megatron-Core that Megatron-Bridge pins"}) : std::nullopt;
  const auto version = Version::parse(installed.core->version);
  if (!version) return std::nullopt;
  if (installed.core->version.find(".dev") != std::string::npos || *version >= Version{0, 20, 0, 0})
    return CoreMatch{newest, "newer than every release that is known"};
  if (*version < Version{0, 15, 0, 0}) return CoreMatch{Core::k0_15, "older than every release that is known"};
  const auto core = config::parse_core("0." + std::to_string(version->minor));
  if (!core) return CoreMatch{newest, "no release that is known"};
  const bool exact = version->patch == 0 && version->released != 0;
  return CoreMatch{*core, exact ? "" : "the nearest release that is known"};
}

}  // namespace spillway
