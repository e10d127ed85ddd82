#include "tools/validate/render/sarif.hpp"

#include <array>
#include <set>

#include "tests/support/golden.hpp"

namespace spillway::validate::render {
namespace {

using config::Value;

/// A configuration of one source.
config::TrainConfig source(std::string name, std::string text) {
  config::TrainConfig config;
  config.sources.push_back({std::move(name), std::move(text), "bridge-yaml"});
  return config;
}

Finding finding(std::string code, std::string message, std::optional<config::Origin> location = {}) {
  Finding out;
  out.code = std::move(code);
  out.message = std::move(message);
  out.location = std::move(location);
  out.keys = {"model.cpu_offloading"};
  return out;
}

Answer answer(std::vector<Finding> findings) {
  Answer out;
  out.verdict = "error";
  out.summary = "errors";
  out.context = {{"launcher", "bridge"}};
  out.findings = std::move(findings);
  return out;
}

/// The member that a path of names and indices leads to; a null value where there is none.
Value at(const Value& root, const std::string& path) {
  const Value* value = &root;
  for (std::size_t begin = 0; value != nullptr && begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string name = path.substr(begin, end - begin);
    if (value->list() != nullptr) {
      const std::size_t index = std::stoul(name);
      value = index < value->list()->size() ? &(*value->list())[index] : nullptr;
    } else {
      value = value->find(name);
    }
    begin = end + 1;
  }
  return value == nullptr ? Value() : *value;
}

const config::TrainConfig kConfig = source("/repo/jobs/run one.yaml", "model:\n  größe: 𝔸 cpu_offloading\n  other: 1\n");
const SarifContext kContext = {"1.2.3", "/repo"};

Value log_of(std::vector<Finding> findings, const config::TrainConfig& config = kConfig, const SarifContext& context = kContext) {
  return sarif(answer(std::move(findings)), config, context);
}

TEST(Sarif, HasTheMembersThatCodeScanningRequires) {
  const Value log = log_of({finding("ACT-PP", "no", config::Origin{0, 3, 3, ""}), finding("ACT-RECOMPUTE", "nor this")});
  EXPECT_EQ(at(log, "version"), Value("2.1.0"));
  EXPECT_NE(at(log, "$schema").str().find("sarif-2.1.0"), std::string::npos);
  ASSERT_EQ(at(log, "runs").list()->size(), 1u);
  EXPECT_EQ(at(log, "runs/0/tool/driver/name"), Value("spillway"));
  EXPECT_EQ(at(log, "runs/0/tool/driver/semanticVersion"), Value("1.2.3"));
  EXPECT_EQ(at(log, "runs/0/columnKind"), Value("utf16CodeUnits"));
  EXPECT_EQ(at(log, "runs/0/invocations/0/executionSuccessful"), Value(true));
  EXPECT_EQ(at(log, "runs/0/properties/verdict"), Value("error"));
  for (const std::string rule : {"runs/0/tool/driver/rules/0", "runs/0/tool/driver/rules/1"})
    for (const std::string member :
         {"/id", "/name", "/shortDescription/text", "/fullDescription/text", "/help/text", "/help/markdown", "/defaultConfiguration/level"})
      EXPECT_FALSE(at(log, rule + member).str().empty()) << member;
  EXPECT_EQ(at(log, "runs/0/tool/driver/rules/0/name"), Value("ActPp"));
  for (const std::string result : {"runs/0/results/0", "runs/0/results/1"}) {
    const auto index = at(log, result + "/ruleIndex");
    EXPECT_EQ(at(log, "runs/0/tool/driver/rules/" + index.str() + "/id"), at(log, result + "/ruleId"));
    EXPECT_EQ(at(log, result + "/locations/0/physicalLocation/artifactLocation/uri"), Value("jobs/run%20one.yaml"));
    EXPECT_EQ(at(log, result + "/locations/0/physicalLocation/artifactLocation/uriBaseId"), Value("%SRCROOT%"));
    EXPECT_EQ(at(log, result + "/level"), Value("error"));
  }
}

TEST(Sarif, ARuleIsDescribedOnce) {
  const Value log = log_of({finding("ACT-PP", "a"), finding("ACT-RECOMPUTE", "b"), finding("ACT-PP", "c")});
  EXPECT_EQ(at(log, "runs/0/tool/driver/rules").list()->size(), 2u);
  EXPECT_EQ(at(log, "runs/0/results/2/ruleIndex"), Value(0));
}

TEST(Sarif, CountsColumnsInUtf16) {
  // Bytes before the word: 2 blanks, grö(4)ße(3): blank, 𝔸(4), blank.
  const Value log = log_of({finding("ACT-PP", "no", config::Origin{0, 2, 17, ""})});
  const std::string region = "runs/0/results/0/locations/0/physicalLocation/region";
  EXPECT_EQ(at(log, region + "/startLine"), Value(2));
  EXPECT_EQ(at(log, region + "/startColumn"), Value(13));
}

TEST(Sarif, NamesFilesRelativeToWhereItRan) {
  const std::vector<std::array<std::string, 2>> cases = {{"run.yaml", "run.yaml"},
                                                         {"./a/../run.yaml", "run.yaml"},
                                                         {"/repo/x/run.yaml", "x/run.yaml"},
                                                         {"/else/run.yaml", "file:///else/run.yaml"},
                                                         {"../run.yaml", "file:///run.yaml"},
                                                         {"a:b#c?.yaml", "a%3Ab%23c%3F.yaml"},
                                                         {"größe.yaml", "gr%C3%B6%C3%9Fe.yaml"}};
  for (const auto& [name, uri] : cases)
    EXPECT_EQ(
        at(log_of({finding("ACT-PP", "no")}, source(name, "x\n")), "runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri"),
        Value(uri));
}

TEST(Sarif, WithoutAPlaceItStandsAtTheFirstFileAndSaysSo) {
  config::TrainConfig config = source("--set", "a=1");
  config.sources.push_back({"run.yaml", "model: {}\n", "bridge-yaml"});
  const Value log = log_of({finding("ACT-PP", "no", config::Origin{0, 1, 1, ""})}, config);
  EXPECT_EQ(at(log, "runs/0/results/0/locations/0/physicalLocation/region/startLine"), Value(1));
  EXPECT_EQ(at(log, "runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri"), Value("run.yaml"));
  EXPECT_THAT(at(log, "runs/0/invocations/0/toolConfigurationNotifications/0/message/text").str(),
              ::testing::HasSubstr("line 1 of run.yaml"));
}

TEST(Sarif, WithoutAnyFileAResultHasNoLocation) {
  const Value log = log_of({finding("ACT-PP", "no", config::Origin{0, 1, 1, ""})}, source("--args", "--bf16"));
  EXPECT_EQ(at(log, "runs/0/results/0/locations").list()->size(), 0u);
  EXPECT_THAT(at(log, "runs/0/invocations/0/toolConfigurationNotifications/0/message/text").str(), ::testing::HasSubstr("no location"));
}

TEST(Sarif, FingerprintsOutliveLinesAndTellLikeFindingsApart) {
  const auto print = [](const Value& log, const std::string& result) {
    return at(log, "runs/0/results/" + result + "/partialFingerprints").map()->front().second.str();
  };
  const auto on_line = [&](int line) { return print(log_of({finding("ACT-PP", "no", config::Origin{0, line, 1, ""})}), "0"); };
  EXPECT_EQ(on_line(1), on_line(3));
  const Value log = log_of({finding("ACT-PP", "a"), finding("ACT-PP", "b"), finding("ACT-RECOMPUTE", "c")});
  EXPECT_EQ((std::set<std::string>{print(log, "0"), print(log, "1"), print(log, "2")}.size()), 3u);
}

TEST(Sarif, SaysWhatIsMissingAndUndecided) {
  Answer open = answer({});
  open.missing = {{"the recipe", {}, "--recipe NAME"}};
  open.unchecked = {"ACT-PP", "ACT-V1-ENV"};
  const Value log = sarif(open, kConfig, kContext);
  const std::string notes = "runs/0/invocations/0/toolConfigurationNotifications";
  EXPECT_EQ(at(log, notes + "/0/message/text"), Value("missing: the recipe; --recipe NAME"));
  EXPECT_EQ(at(log, notes + "/1/level"), Value("note"));
  EXPECT_THAT(at(log, notes + "/1/message/text").str(), ::testing::HasSubstr("ACT-PP, ACT-V1-ENV"));
}

TEST(Sarif, AFixReplacesWholeLines) {
  Finding broken = finding("ACT-PP", "no", config::Origin{0, 2, 1, ""});
  broken.fixes = {{Fix::Safety::kSafe, "remove it", {{Edit::Kind::kRemove, "model.b", {}}}}};
  SarifContext context = kContext;
  const auto fixed = [&](std::string before, std::string after) {
    context.changes = [=](const Fix&) { return std::vector<TextChange>{{"run.yaml", before, after}}; };
    return at(log_of({broken}, kConfig, context), "runs/0/results/0/fixes/0/artifactChanges/0/replacements/0");
  };
  const auto region = [](int line, int column, int end_line, int end_column) {
    return Value(config::Map{{"startLine", line}, {"startColumn", column}, {"endLine", end_line}, {"endColumn", end_column}});
  };
  const Value removed = fixed("a: 1\nb: 2\nc: 3\n", "a: 1\nc: 3\n");
  EXPECT_EQ(at(removed, "deletedRegion"), region(2, 1, 3, 1));
  EXPECT_EQ(at(removed, "insertedContent/text"), Value(""));
  const Value changed = fixed("a: 1\nb: 22\nc: 3\n", "a: 1\nb: 32\nc: 3\n");
  EXPECT_EQ(at(changed, "deletedRegion"), region(2, 1, 3, 1));
  EXPECT_EQ(at(changed, "insertedContent/text"), Value("b: 32\n"));
  const Value last = fixed("a: 1\nb: 2", "a: 1\nb: 3");
  EXPECT_EQ(at(last, "deletedRegion"), region(2, 1, 2, 5));
  EXPECT_EQ(at(last, "insertedContent/text"), Value("b: 3"));
  EXPECT_TRUE(fixed("a: 1\nhf_token: x\n", "b: 1\nhf_token: x\nc: 1\n").is_null()) << "it would spell a secret";
}

TEST(Sarif, NothingInAMessageIsALinkOrASecret) {
  const Value log = log_of({finding("ACT-PP", "see [this](http://x) hf_token=abcdefgh")});
  const std::string text = at(log, "runs/0/results/0/message/text").str();
  EXPECT_EQ(text.find("]("), std::string::npos);
  EXPECT_EQ(text.find("abcdefgh"), std::string::npos);
}

TEST(Sarif, SurvivesPlacesThatDoNotExist) {
  for (const auto& origin : {config::Origin{5, 1, 1, ""}, config::Origin{0, 99, 9999, ""}, config::Origin{-1, 0, 0, ""},
                             config::Origin{0, 2, 9999, ""}, config::Origin{0, 0, 7, ""}})
    (void)log_of({finding("ACT-PP", "no", origin)});
  (void)log_of({finding("NO-SUCH", "no")}, {});
}

}  // namespace
}  // namespace spillway::validate::render
