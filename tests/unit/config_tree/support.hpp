#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tools/config/reader.hpp"

namespace spillway::config {

inline void PrintTo(const Value& value, std::ostream* out) { *out << value.type_name() << " " << value.repr(); }

inline Reader reader(std::string_view name) {
  static const std::vector<Reader> all = readers::all();
  for (const auto& candidate : all)
    if (candidate.name == name) return candidate;
  throw std::logic_error("no reader of that name");
}

inline ReadContext context(std::string name = "run.yaml") {
  ReadContext out;
  out.name = std::move(name);
  return out;
}

/// The reading of a text that must read; an empty one, with a failed test, where it does not.
inline Reading read(std::string_view form, std::string_view text, const ReadContext& with = context()) {
  auto reading = reader(form).read(text, with);
  if (reading) return *reading;
  ADD_FAILURE() << form << ": " << reading.error().message;
  return {};
}

/// The winning value of a key; a text that no config has where there is none.
inline Value value(const Reading& reading, std::string_view key) {
  for (auto setting = reading.settings.rbegin(); setting != reading.settings.rend(); ++setting)
    if (setting->key == key) return setting->value;
  return "(not set)";
}

inline const Setting* find(const Reading& reading, std::string_view key) {
  for (auto setting = reading.settings.rbegin(); setting != reading.settings.rend(); ++setting)
    if (setting->key == key) return &*setting;
  return nullptr;
}

/// `LINE:COLUMN SPELLING` of a key.
inline std::string origin(const Reading& reading, std::string_view key) {
  const Setting* setting = find(reading, key);
  if (setting == nullptr) return "(not set)";
  const Origin& at = setting->origin;
  return std::to_string(at.line) + ":" + std::to_string(at.column) + " " + at.spelling;
}

inline const Remark* remark(const Reading& reading, Remark::Kind kind) {
  for (const auto& candidate : reading.remarks)
    if (candidate.kind == kind) return &candidate;
  return nullptr;
}

/// Winning settings as `key = repr`, sorted: what writing and reading must preserve. (repr, because not-a-number is unequal to itself.)
inline std::vector<std::string> facts(const Reading& reading) {
  std::vector<std::string> out;
  for (const auto& setting : reading.settings)
    if (find(reading, setting.key) == &setting) out.push_back(setting.key + " = " + setting.value.repr());
  std::sort(out.begin(), out.end());
  return out;
}

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The files of a folder beside the checkout; empty where it is not there.
inline std::vector<std::filesystem::path> shared_files(const std::string& folder) {
  std::vector<std::filesystem::path> out;
  const std::filesystem::path root = std::filesystem::path(SPILLWAY_SOURCE_DIR) / ".." / "shared" / folder;
  std::error_code none;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root, none))
    if (entry.path().extension() == ".yaml") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace spillway::config
