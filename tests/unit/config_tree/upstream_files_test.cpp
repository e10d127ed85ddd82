#include "support.hpp"

namespace spillway::config {
namespace {

/// Reads a file in the form it is recognised as, writes it, reads that, and compares.
void expect_round_trip(const std::filesystem::path& path, std::string_view form) {
  SCOPED_TRACE(path.filename().string());
  const std::string text = slurp(path);
  const auto reading = read_source(text, context(path.filename().string()));
  ASSERT_TRUE(reading.ok()) << reading.error().message;
  ASSERT_EQ(reading->form, form);
  const auto written = reader(form).write(reading->settings, context());
  ASSERT_TRUE(written.ok()) << written.error().message;
  const auto again = reader(form).read(*written, context());
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(facts(*again), facts(*reading));
}

TEST(UpstreamFiles, DumpsOfRecipesReadAndWriteBack) {
  const auto files = shared_files("data/bridge_yaml");
  if (files.empty()) GTEST_SKIP() << "no ../shared/data/bridge_yaml beside the checkout";
  for (const auto& file : files) {
    expect_round_trip(file, "bridge-dump");
    const Reading reading = read("bridge-dump", slurp(file));
    for (const auto& found : reading.remarks) ADD_FAILURE() << file << " remark on " << found.subject << " " << found.detail;
  }
}

TEST(UpstreamFiles, OverrideFilesOfFieldCasesReadWithoutRemarks) {
  const auto files = shared_files("field");
  if (files.empty()) GTEST_SKIP() << "no ../shared/field beside the checkout";
  for (const auto& file : files) {
    expect_round_trip(file, "bridge-yaml");
    for (const auto& found : read("bridge-yaml", slurp(file)).remarks) ADD_FAILURE() << file << " remark on " << found.subject;
  }
}

}  // namespace
}  // namespace spillway::config
