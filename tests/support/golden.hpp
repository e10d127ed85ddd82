#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace spillway::testing {

inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Compares a text with a committed file, `tests/golden/NAME`. UPDATE_GOLDEN=1 writes the file instead.
inline void expect_golden(const std::string& name, const std::string& text) {
  const auto path = std::filesystem::path(SPILLWAY_SOURCE_DIR) / "tests/golden" / name;
  if (std::getenv("UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  ASSERT_TRUE(std::filesystem::exists(path)) << path << " is missing; UPDATE_GOLDEN=1 writes it";
  EXPECT_EQ(file_text(path), text) << path << " is stale; UPDATE_GOLDEN=1 rewrites it";
}

}  // namespace spillway::testing
