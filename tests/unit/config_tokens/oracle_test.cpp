#include <zlib.h>

#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/text.hpp"
#include "tests/unit/config_tokens/support.hpp"
#include "tools/config/key_paths.hpp"
#include "tools/config/overrides.hpp"
#include "tools/config/shell/words.hpp"

/// The readers against recorded verdicts of upstream's own parsers, where the recordings lie beside the checkout.
namespace spillway::config {
namespace {

std::string unzipped(const std::string& path) {
  std::string out;
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return out;
  char buffer[1 << 16];
  for (int read = gzread(file, buffer, sizeof buffer); read > 0; read = gzread(file, buffer, sizeof buffer))
    out.append(buffer, static_cast<std::size_t>(read));
  gzclose(file);
  return out;
}

std::vector<nlohmann::json> rows(const std::string& name) {
  const std::string text = unzipped(SPILLWAY_SOURCE_DIR "/../shared/data/" + name);
  std::vector<nlohmann::json> out;
  for (const auto line : split(text, '\n'))
    if (!line.empty()) out.push_back(nlohmann::json::parse(line));
  return out;
}

Core core_of(const std::string& tree) { return tree == "head" ? Core::kMain : tree == "pin" ? Core::kBridgePin : Core::k0_17; }

Reading read_row(const nlohmann::json& row) {
  ReadContext context;
  context.core = core_of(row["tree"]);
  context.script = row["input"]["script"];
  std::string text;
  for (const auto& word : row["input"]["argv"]) text += shell::quoted_word(word.get<std::string>()) + " ";
  return read_with("megatron-arguments", text, context);
}

/// The message argparse would print, as far as the remarks tell it.
std::string message(const Reading& reading) {
  std::string unrecognised;
  for (const auto& remark : reading.remarks) {
    const std::string argument = "argument " + remark.subject + ": ";
    using Kind = Remark::Kind;
    if (remark.kind == Kind::kMissingValue) return argument + "expected " + remark.detail;
    if (remark.kind == Kind::kBadValue) return argument + "invalid " + remark.expected + " value: '" + remark.detail + "'";
    if (remark.kind == Kind::kBadChoice) return argument + "invalid choice: '" + remark.detail + "'";
    if (stops_parsing(remark)) return argument + "ignored explicit argument '" + remark.detail + "'";
    if (remark.kind == Kind::kFlagValue) unrecognised += " " + remark.detail;
    if (remark.kind == Kind::kUnknownFlag)
      unrecognised += " " + remark.subject + (remark.detail.empty() || remark.detail[0] == '=' ? "" : " ") + remark.detail;
  }
  return unrecognised.empty() ? "" : "unrecognized arguments:" + unrecognised;
}

/// An unknown graph module ends the parser with a traceback; the reader keeps the word for a rule to judge.
bool is_key_error(const nlohmann::json& verdict) { return verdict.value("type", "") == "KeyError"; }

/// The recorded options give the mimo script the choices that --model-provider has in the inference scripts.
bool is_known_gap(const nlohmann::json& row) { return row["input"]["script"] == "mimo"; }

TEST(OracleArguments, TheFirstComplaintIsArgparses) {
  const auto all = rows("oracle_l2.jsonl.gz");
  if (all.empty()) GTEST_SKIP() << "no recordings beside the checkout";
  int parse = 0, agreed = 0, clean = 0, clean_agreed = 0, number = 0;
  for (const auto& row : all) {
    const auto& verdict = row["verdict"];
    // Accepted lists are many and alike; every tenth will do.
    if (verdict.value("stage", "") != "parse" && row["kind"] == "mutation" && ++number % 10 != 0) continue;
    if (row.contains("env_failure") || verdict.contains("env_failure") || is_key_error(verdict) || is_known_gap(row)) continue;
    const bool fails = !verdict["ok"].get<bool>() && verdict["stage"] == "parse";
    const std::string said = message(read_row(row)), wanted = fails ? verdict["msg"].get<std::string>() : "";
    // A list of choices is printed differently from one Python to the next.
    const bool choice = said.find("invalid choice") != std::string::npos;
    const bool same = fails && choice ? wanted.starts_with(said) : wanted == said;
    ++(fails ? parse : clean);
    if (same)
      ++(fails ? agreed : clean_agreed);
    else
      ADD_FAILURE() << row["id"] << "\n  wanted: " << wanted.substr(0, 200) << "\n  said:   " << said.substr(0, 200);
  }
  std::cout << "refused by the parser: " << agreed << " of " << parse << " with the same words; accepted by it: " << clean_agreed << " of "
            << clean << "\n";
}

TEST(OracleArguments, EveryReadListIsWrittenBack) {
  const auto all = rows("oracle_l2.jsonl.gz");
  if (all.empty()) GTEST_SKIP() << "no recordings beside the checkout";
  int count = 0;
  for (const auto& row : all) {
    if (row["kind"] != "functional_test" || row["tree"] != "head" || is_known_gap(row) || !row["verdict"]["ok"].get<bool>()) continue;
    ReadContext context;
    context.script = row["input"]["script"];
    const Reading reading = read_row(row);
    EXPECT_TRUE(reading.remarks.empty() || listed(reading.remarks)[0].starts_with("duplicate")) << row["id"] << listed(reading.remarks)[0];
    const auto written = reader_named("megatron-arguments").write(reading.settings, context);
    ASSERT_TRUE(written.ok()) << row["id"] << written.error().message;
    EXPECT_EQ(listed(read_with("megatron-arguments", *written, context).settings), listed(reading.settings)) << row["id"];
    ++count;
  }
  std::cout << count << " lists of functional tests written and read again\n";
}

/// A key of another model style is a mistake only for a certain recipe, which a list of words does not name.
bool needs_recipe(const std::string& message) {
  return message.find("transformer") != std::string::npos || message.find("'model.") != std::string::npos ||
         message.find("env_vars") != std::string::npos;
}

bool complains(const Reading& reading) {
  using Kind = Remark::Kind;
  for (const auto& remark : reading.remarks) {
    if (remark.kind == Kind::kSyntax || remark.kind == Kind::kUnknownKey || remark.kind == Kind::kAddExisting) return true;
    if (remark.kind == Kind::kDeletedKey && !key_facts(remark.subject, Core::kBridgePin).known) return true;
  }
  return false;
}

TEST(OracleOverrides, AreAcceptedAndRefusedAsByHydra) {
  const auto all = rows("oracle_l3.jsonl.gz");
  if (all.empty()) GTEST_SKIP() << "no recordings beside the checkout";
  int refused = 0, refused_agreed = 0, accepted = 0, accepted_agreed = 0;
  for (const auto& row : all) {
    if (!row["input"].contains("overrides") || row["input"]["overrides"].empty()) continue;
    const auto& verdict = row["verdict"];
    const bool fails = !verdict["ok"].get<bool>() && verdict["stage"] == "override";
    const std::string said = fails ? verdict["msg"].get<std::string>() : "";
    std::string text;
    for (const auto& word : row["input"]["overrides"]) text += shell::quoted_word(word.get<std::string>()) + "\n";
    const Reading reading = read_with("bridge-overrides", text);
    const bool same = complains(reading) == fails;
    ++(fails ? refused : accepted);
    if (same)
      ++(fails ? refused_agreed : accepted_agreed);
    else if (!fails || !needs_recipe(said))
      ADD_FAILURE() << row["id"] << " " << text << "\n  " << said.substr(0, 200) << "\n  "
                    << (reading.remarks.empty() ? "" : listed(reading.remarks)[0]);
  }
  std::cout << "refused by Hydra: " << refused_agreed << " of " << refused
            << " (the others need the recipe); accepted by it: " << accepted_agreed << " of " << accepted << "\n";
}

TEST(FieldFiles, AreRecognised) {
  for (const char* name : {"03-fp8-param-none-type/args.txt", "23-second-step-growth/args.txt", "13-resume-weights-only/overrides.txt",
                           "25-expandable-vs-memory-pool/overrides.txt"}) {
    std::ifstream file(SPILLWAY_SOURCE_DIR "/../shared/field/" + std::string(name));
    if (!file) GTEST_SKIP() << "no field cases beside the checkout";
    std::stringstream text;
    text << file.rdbuf();
    const auto reading = read_source(text.str(), {});
    ASSERT_TRUE(reading.ok()) << name;
    EXPECT_EQ(reading->form, std::string(name).find("args") != std::string::npos ? "megatron-arguments" : "bridge-overrides");
    EXPECT_THAT(listed(reading->remarks), testing::IsEmpty()) << name;
  }
}

}  // namespace
}  // namespace spillway::config
