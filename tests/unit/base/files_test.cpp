#include "base/files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace spillway {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr std::size_t kLimit = 1 << 20;

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("spillway_files_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

TEST_F(Files, EachReasonHasItsOwnRemedy) {
  fs::create_symlink("circle", folder_ / "circle");
  const auto circle = read_file(path("circle"), kLimit), nameless = read_file("", kLimit), missing = read_file(path("no"), kLimit),
             folder = read_file(folder_.string(), kLimit), endless = read_file(std::string(5000, 'a'), kLimit);
  for (const auto* failed : {&circle, &nameless, &missing, &folder, &endless}) {
    ASSERT_FALSE(*failed);
    EXPECT_FALSE(failed->error().hint.empty()) << failed->error().message;
    EXPECT_THAT(failed->error().hint, ::testing::Not(HasSubstr("permissions")));
  }
  EXPECT_THAT(circle.error().hint, HasSubstr("circle"));
  EXPECT_THAT(nameless.error().message, HasSubstr("empty"));
}

TEST_F(Files, APipeIsWaitedForUntilSomebodyWrites) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    std::ofstream(path("pipe")) << "model:\n";
  });
  const auto text = read_file(path("pipe"), kLimit);
  writer.join();
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(*text, "model:\n");
}

TEST_F(Files, APipeThatNobodyWritesToIsNoEmptyFile) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const auto text = read_file(path("pipe"), kLimit);
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().message, HasSubstr("nobody writes to"));
}

TEST_F(Files, WhatHasNoEndIsTooLarge) {
  const auto text = read_file("/dev/zero", kLimit);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, "file-too-large");
}

}  // namespace
}  // namespace spillway
