#include "support.hpp"

#include "base/text.hpp"

namespace spillway::config {
namespace {

struct Case {
  std::string name;
  std::string form;
  std::string text;
  std::string message;  ///< `FILE:LINE:COLUMN: what`, or a part of it.
};

void PrintTo(const Case& given, std::ostream* out) { *out << given.name; }

std::string repeated(std::string_view part, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += part;
  return out;
}

/// Each level holds ten of the one before: ten to the ninth values from some 500 bytes.
std::string alias_bomb() {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int level = 1; level < 9; ++level) {
    const std::string name = "a" + std::to_string(level), before = "*a" + std::to_string(level - 1);
    text += name + ": &" + name + " [" + repeated(before + ", ", 9) + before + "]\n";
  }
  return text;
}

std::string deep_block(int levels) {
  std::string text;
  for (int level = 0; level < levels; ++level) text += std::string(static_cast<std::size_t>(level), ' ') + "a:\n";
  return text;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"BinaryYaml", "bridge-yaml", std::string("model:\n  a: \0b\n", 15), "f:2:6: a NUL byte"},
      {"BinaryJson", "json", std::string("{\"a\": \0}", 8), "f:1:7: a NUL byte"},
      {"Latin1", "bridge-yaml", "model:\n  name: caf\xE9\n", "f:2:12: bytes that are not UTF-8"},
      {"Latin1Python", "python-recipe", "# caf\xE9\n", "f:1:6: bytes that are not UTF-8"},
      {"TabIndent", "bridge-yaml", "model:\n\tcpu_offloading: true\n", "f:2:"},
      {"UnterminatedSingle", "bridge-yaml", "model:\n  name: 'open\n", "f:2:9: a quoted text that is never closed"},
      {"UnterminatedWithProperties", "bridge-yaml", "model:\n  name: &a !!str 'it''s\n", "f:2:9: a quoted text that is never closed"},
      {"UnterminatedDouble", "bridge-yaml", "model: \"open\\\"\nx: 1\n", "f:1:8: a quoted text that is never closed"},
      {"UnterminatedKey", "bridge-yaml", "\"model: 1\n", "f:1:1: "},
      {"UnclosedFlow", "bridge-yaml", "model: {a: 1\n", "f:"},
      {"BadIndent", "bridge-yaml", "model:\n  a: 1\n b: 2\n", "f:3:2: "},
      {"UnknownAnchor", "bridge-yaml", "a: *nowhere\n", "f:1:4: "},
      {"AliasInItself", "bridge-yaml", "a: &a\n  b: *a\n", "f:2:6: an alias inside the value it stands for"},
      {"MergeOfAScalar", "bridge-yaml", "a:\n  <<: 1\n", "f:2:3: a merge key needs a mapping"},
      {"KeyThatIsAList", "bridge-yaml", "? [a, b]\n: 1\n", "a list or mapping as a key"},
      {"LongKey", "bridge-yaml", std::string(300, 'k') + ": 1\n", "f:1:1: a key longer than 200 bytes"},
      {"DeepFlowYaml", "bridge-yaml", "a: " + std::string(10'000, '['), "f:1:204: nested deeper than 200 levels"},
      {"DeepFlowMaps", "bridge-yaml", repeated("{a: ", 10'000) + std::string(10'000, '}'), "nested deeper than 200 levels"},
      {"DeepBlockYaml", "bridge-yaml", deep_block(1'000), "nested deeper than 200 levels"},
      {"DeepDashes", "bridge-yaml", "a:\n" + repeated("- ", 10'000) + "x\n", "nested deeper than 200 levels"},
      {"DeepJson", "json", "{\"a\": " + std::string(10'000, '['), "f:1:206: nested deeper than 200 levels"},
      {"AliasBomb", "bridge-yaml", alias_bomb(), "more than 1000000 values once aliases are expanded"},
      {"AliasBombTest", "functional-test", alias_bomb() + "MODEL_ARGS: *a8\n", "once aliases are expanded"},
      {"ManyValues", "json", "[" + repeated("1,", 1'000'001) + "1]", "more than 1000000 values"},
      {"RootIsAList", "bridge-yaml", "- a\n- b\n", "f:1:1: the whole text is one value"},
      {"RootIsText", "bridge-dump", "hello\n", "f:1:1: the whole text is one value"},
      {"JsonTrailingComma", "json", "{\"model\": {\"a\": 1,}}", "f:1:19: "},
      {"JsonTwoValues", "json", "{} {}", "f:1:4: "},
      {"JsonOpenString", "json", "{\n  \"model", "f:2:"},
      {"JsonNan", "json", "{\"model\":\n NaN}", "f:2:2: "},
      {"ArgumentsAreText", "functional-test", "MODEL_ARGS: --bf16\n", "f:1:13: MODEL_ARGS is no mapping"},
      {"PythonOpenTriple", "python-recipe", "x = 1\ny = '''abc\n\n", "f:2:5: a string that is never closed"},
  };
  return all;
}

class BadInput : public testing::TestWithParam<Case> {};

TEST_P(BadInput, IsRefusedWithItsPlace) {
  const Case& given = GetParam();
  ReadContext with = context("f");
  const auto reading = reader(given.form).read(given.text, with);
  ASSERT_FALSE(reading.ok());
  EXPECT_EQ(reading.error().code, "bad-syntax");
  EXPECT_THAT(reading.error().message, testing::HasSubstr(given.message));
  for (const auto& any : readers::all()) {
    EXPECT_GE(any.recognise(given.text), 0) << any.name;
    const auto ignored = any.read(given.text.substr(0, 100'000), with);
    if (!ignored.ok()) {
      EXPECT_FALSE(ignored.error().message.empty()) << any.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, BadInput, testing::ValuesIn(cases()), [](const auto& one) { return one.param.name; });

TEST(OddInput, ByteOrderMarkWindowsLinesAndNoFinalNewline) {
  const Reading yaml = read("bridge-yaml", "\xEF\xBB\xBFmodel:\r\n  cpu_offloading: true\r\n  recompute_method: 'uniform'");
  EXPECT_EQ(value(yaml, "model.cpu_offloading"), Value(true));
  EXPECT_EQ(origin(yaml, "model.recompute_method"), "3:3 model.recompute_method");
  EXPECT_EQ(value(yaml, "model.recompute_method"), Value("uniform"));
  const Reading json = read("json", "\xEF\xBB\xBF{\r\n \"model\": {\"num_layers\": 2}}");
  EXPECT_EQ(origin(json, "model.num_layers"), "2:12 model.num_layers");
  const Reading python = read("python-recipe",
                              "\xEF\xBB\xBF"
                              "cfg.model.num_layers = 2\r\ncfg.model.cpu_offloading = \\\r\n  True\r\n");
  EXPECT_EQ(value(python, "model.cpu_offloading"), Value(true));
}

TEST(OddInput, OnlyTheFirstDocumentCounts) {
  const Reading reading = read("bridge-yaml", "---\nmodel:\n  num_layers: 2\n---\nmodel:\n  num_layers: 3\n");
  EXPECT_EQ(value(reading, "model.num_layers"), Value(2));
  ASSERT_NE(remark(reading, Remark::Kind::kIgnored), nullptr);
}

TEST(OddInput, EmptyTextsAreNamedAsSuch) {
  for (const std::string_view text : {"", "\n", "# only a comment\n", "---\n", "null\n"}) {
    const auto reading = reader("bridge-yaml").read(text, context());
    ASSERT_FALSE(reading.ok()) << text;
    EXPECT_EQ(reading.error().code, "empty-source") << text;
  }
}

TEST(OddInput, AHugeTextUnderManyAliasesIsRefusedCheaply) {
  const std::string text = "a: &a \"" + std::string(1'000'000, 'x') + "\"\nb: [" + repeated("*a, ", 1'000) + "1]\n";
  const auto reading = reader("bridge-yaml").read(text, context("f"));
  ASSERT_FALSE(reading.ok());
  EXPECT_THAT(reading.error().message, testing::HasSubstr("once aliases are expanded"));
}

TEST(OddInput, AHugeFileIsRefused) {
  const std::string text(kMaxSourceBytes + 1, ' ');
  for (const auto& any : readers::all())
    if (any.name == "bridge-yaml" || any.name == "json" || any.name == "python-recipe") {
      const auto reading = any.read(text, context());
      ASSERT_FALSE(reading.ok());
      EXPECT_EQ(reading.error().code, "file-too-large");
    }
}

}  // namespace
}  // namespace spillway::config
