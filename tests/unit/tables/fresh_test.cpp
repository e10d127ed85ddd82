#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// The committed tables are what the generator makes of the gathered data.
TEST(Tables, AreFresh) {
  const fs::path data = fs::path(SPILLWAY_SOURCE_DIR) / ".." / "shared" / "data";
  if (!fs::exists(data / "megatron_flags.jsonl.gz")) GTEST_SKIP() << "no gathered data at " << data;
  if (std::system("python3 --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no python3";
  const fs::path tables = fs::path(SPILLWAY_SOURCE_DIR) / "tools/config/tables";
  const fs::path made = fs::path(SPILLWAY_BINARY_DIR) / "fresh_tables";
  fs::create_directories(made);
  const std::string command = "python3 '" + (tables / "generate.py").string() + "' '" + data.string() + "' '" + made.string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  for (const char* name : {"flags.tsv", "fields.tsv", "keys.tsv", "options.tsv", "recipes.tsv"})
    EXPECT_TRUE(text_of(made / name) == text_of(tables / name)) << name << " is stale: run tools/config/tables/generate.py";
}

/// Small enough to be read in a review and to be mapped without being noticed.
TEST(Tables, StaySmall) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(SPILLWAY_SOURCE_DIR) / "tools/config/tables"))
    if (entry.path().extension() == ".tsv") bytes += entry.file_size();
  EXPECT_LT(bytes, 600u * 1000);
}

}  // namespace
