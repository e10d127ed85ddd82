// Upstream's own functional-test configurations: none that Megatron-LM accepts may be called an error.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>

#include "base/files.hpp"
#include "tests/oracle/rows.hpp"
#include "tools/config/reader.hpp"
#include "tools/validate/validate.hpp"

namespace spillway::validate {
namespace {

/// The recorded verdict of each configuration at head, with the entry script and environment it was asked with.
std::map<std::string, nlohmann::json> verdicts() {
  std::map<std::string, nlohmann::json> out;
  for (const auto& row : oracle::rows_of(oracle::shared_data("oracle_l2.jsonl.gz")))
    if (row["kind"] == "functional_test" && row["tree"] == "head" && row["section"] == "MODEL_ARGS")
      out[row["config"].get<std::string>()] = row;
  return out;
}

Answer answer_for(const std::filesystem::path& path, const nlohmann::json& input) {
  Question question;
  question.core = config::Core::kMain;
  question.te = Version{2, 16, 0};
  if (input["script"].is_string()) question.script = input["script"].get<std::string>();
  for (const auto& [name, value] : input["env"].items())
    if (value.is_string()) question.env[name] = value.get<std::string>();
  question.env_stated = true;
  config::ReadContext context;
  context.name = path.filename().string();
  if (!question.script.empty()) context.script = question.script;
  const auto text = read_file(path.string(), config::kMaxSourceBytes);
  auto reading = config::read_source(*text, context);
  EXPECT_TRUE(reading.ok()) << path;
  if (reading.ok()) question.config.stack({context.name, *text, ""}, std::move(*reading));
  return validate(question);
}

TEST(FunctionalTests, WhatUpstreamAcceptsIsNoError) {
  const std::string folder = oracle::shared_data("megatron_lm_configs");
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "upstream's configurations are not on this machine";
  const auto recorded = verdicts();
  int accepted = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto row = recorded.find(entry.path().stem().string());
    if (row == recorded.end() || !row->second["verdict"]["ok"].get<bool>()) continue;
    ++accepted;
    for (const auto& finding : answer_for(entry.path(), row->second["input"]).findings)
      EXPECT_NE(finding.severity, Severity::kError) << entry.path().filename() << ": " << finding.code << " " << finding.message;
  }
  std::cout << accepted << " accepted configurations\n";
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace spillway::validate
