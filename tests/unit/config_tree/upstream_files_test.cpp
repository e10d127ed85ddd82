#include "support.hpp"

namespace spillway::config {
namespace {

/// Reads a file in the form it is recognised as, writes it, reads that, and compares.
Reading expect_round_trip(const std::filesystem::path& path, std::string_view form) {
  SCOPED_TRACE(path.filename().string());
  const std::string text = slurp(path);
  const auto reading = read_source(text, context(path.filename().string()));
  if (!reading) {
    ADD_FAILURE() << reading.error().message;
    return {};
  }
  EXPECT_EQ(reading->form, form);
  const auto written = reader(form).write(reading->settings, context());
  if (!written)
    ADD_FAILURE() << written.error().message;
  else
    EXPECT_EQ(facts(read(form, *written)), facts(*reading));
  return *reading;
}

TEST(UpstreamFiles, DumpsOfRecipesReadAndWriteBack) {
  const auto files = shared_files("data/bridge_yaml");
  if (files.empty()) GTEST_SKIP() << "no ../shared/data/bridge_yaml beside the checkout";
  for (const auto& file : files) {
    const Reading reading = expect_round_trip(file, "bridge-dump");
    for (const auto& found : reading.remarks) ADD_FAILURE() << file << " remark on " << found.subject << " " << found.detail;
  }
}

TEST(UpstreamFiles, FunctionalTestsReadAndWriteBack) {
  const auto files = shared_files("data/megatron_lm_configs");
  if (files.empty()) GTEST_SKIP() << "no ../shared/data/megatron_lm_configs beside the checkout";
  std::size_t written = 0;
  for (const auto& file : files) {
    SCOPED_TRACE(file.filename().string());
    const auto reading = read_source(slurp(file), context());
    ASSERT_TRUE(reading.ok()) << reading.error().message;
    ASSERT_EQ(reading->form, "functional-test");
    EXPECT_FALSE(reading->settings.empty());
    const auto text = reader("functional-test").write(reading->settings, context());
    if (!text.ok()) {
      EXPECT_EQ(text.error().code, "not-expressible");
      continue;
    }
    ++written;
    EXPECT_EQ(facts(read("functional-test", *text)), facts(*reading));
  }
  EXPECT_GT(written * 10, files.size() * 9) << "all but a few hold nothing but known, expressible values";
}

TEST(UpstreamFiles, OverrideFilesOfFieldCasesReadWithoutRemarks) {
  const auto files = shared_files("field");
  if (files.empty()) GTEST_SKIP() << "no ../shared/field beside the checkout";
  for (const auto& file : files) {
    for (const auto& found : expect_round_trip(file, "bridge-yaml").remarks) ADD_FAILURE() << file << " remark on " << found.subject;
  }
}

}  // namespace
}  // namespace spillway::config
