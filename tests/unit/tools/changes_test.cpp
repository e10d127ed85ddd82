#include "tools/changes.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/files.hpp"
#include "tools/config_input.hpp"

namespace spillway {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Changes, AFileWithASecretIsWrittenWithItAndShownWithout) {
  const fs::path folder = fs::temp_directory_path() / ("spillway_changes_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const std::string path = (folder / "run.yaml").string();
  std::ofstream(path) << "logger:\n  comet_api_key: zzSECRETzz\nmodel:\n  num_layers: 2\n  hidden_size: 64\n";
  ConfigInput input;
  input.sources = {path};
  const auto question = read_input(input, {});
  ASSERT_TRUE(question) << question.error().message;
  const Changes changes = changes_of(*question, {{config::Edit::Kind::kSet, "model.num_layers", config::Value(4)}});
  ASSERT_EQ(changes.sources.size(), 1u);
  const auto written = write_changes(changes);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_THAT(written->front().diff, Not(HasSubstr("SECRET")));
  EXPECT_THAT(written->front().diff, HasSubstr("+  num_layers: 4"));
  const auto after = read_file(path, 1 << 20);
  ASSERT_TRUE(after);
  EXPECT_THAT(*after, HasSubstr("comet_api_key: zzSECRETzz"));
  EXPECT_THAT(*after, HasSubstr("num_layers: 4"));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace spillway
