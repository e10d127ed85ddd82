#include "tools/validate/upstream/python_source.hpp"

#include <chrono>

namespace spillway::validate::upstream {
namespace {

using ::testing::ElementsAre;

/// The strings of a file as they are compared, holes as `{}`.
std::vector<std::string> texts(std::string_view python) {
  std::vector<std::string> out;
  for (const auto& string : read_python(python).strings) {
    std::string text = wording(string.text);
    for (std::size_t at = 0; (at = text.find(kHole, at)) != std::string::npos; at += 2) text.replace(at, 1, "{}");
    out.push_back(std::move(text));
  }
  return out;
}

TEST(PythonSource, JoinsAdjacentLiterals) {
  EXPECT_THAT(texts("raise ValueError(\n    \"one \"  # why\n    'two '\n    r\"three\"\n)\n"), ElementsAre("one two three"));
  EXPECT_THAT(texts("x = 'one ' + \"two\"\n"), ElementsAre("one two"));
  EXPECT_THAT(texts("x = 'one ' \\\n    'two'\n"), ElementsAre("one two"));
  EXPECT_THAT(texts("'one'\n'two'\n"), ElementsAre("one", "two")) << "two statements";
  EXPECT_THAT(texts("f('one', 'two')"), ElementsAre("one", "two"));
  EXPECT_THAT(texts("'one' + name + 'two'"), ElementsAre("one", "two"));
}

TEST(PythonSource, PlaceholdersAreHoles) {
  EXPECT_THAT(texts(R"(f"layers {self.n!r:>{width}} of {d['a']} and {', '.join(f'{x}' for x in y)}.")"),
              ElementsAre("layers {} of {} and {}."));
  EXPECT_THAT(texts(R"(f"{{literal}} {x}")"), ElementsAre("{} {}"));
  EXPECT_THAT(texts(R"("a {name} %s and %(other)d, 50% off".format(name=1))"), ElementsAre("a {} {} and {}, 50% off"));
  EXPECT_THAT(texts("f'{a}{b}'"), ElementsAre("{}"));
  EXPECT_THAT(texts("f'({self.size=}, {a==b})'"), ElementsAre("(self.size={}, {})"));
  EXPECT_THAT(texts("f'''{\n  a\n}\n b'''"), ElementsAre("{} b"));
}

TEST(PythonSource, ReadsEscapesAndRawStrings) {
  EXPECT_THAT(texts(R"('it\'s' "a \"b\"")"), ElementsAre("it'sa \"b\""));
  EXPECT_THAT(texts(R"(r"a\d" 'one\
two' "x\ny")"),
              ElementsAre("a\\donetwox y"));
  EXPECT_THAT(texts(R"("""a "quoted" word""")"), ElementsAre("a \"quoted\" word"));
}

TEST(PythonSource, KeepsLines) {
  const auto source = read_python("# 'no'\nx = (\n  'one '\n  'two')\n\nif a and \\\n   b: y = 'three'\n");
  ASSERT_EQ(source.strings.size(), 2u);
  EXPECT_EQ(source.strings[0].line, 3);
  EXPECT_EQ(source.strings[1].line, 7);
  EXPECT_EQ(source.line_at(source.code.find("ifaandb")), 6);
}

TEST(PythonSource, CodeIsFreeOfLayout) {
  EXPECT_EQ(squeezed("if self.a and (\n    self.b  == 'c'  # why\n):"), "ifself.aand(self.b==\"c\"):");
}

TEST(PythonSource, SurvivesWhatIsNoPython) {
  for (const std::string_view text :
       {"'", "\"\"\"", "f'{", "f'{a", "f\"{'\"", "\\", "'\\", "f'''{{{", "}}}]])))", "+'", "r'\\", "x='''a", "%(", "{"}) {
    (void)texts(text);
    (void)texts(std::string(text) + "\n" + std::string(text) + "\xff\x00\x01");
  }
}

/// Work that grows with the square of a text would take minutes.
TEST(PythonSource, IsLinear) {
  const auto start = std::chrono::steady_clock::now();
  for (const std::string_view piece :
       {"(", "{", "f'{", "f\"{(", "'", "\"", "\\'", "f'{\\'", "\"\"\"", "%(", "'%(", "f'''{'", "'a'+", "'a' ", "#\n", "f'{{"}) {
    std::string text;
    while (text.size() < 200'000) text += piece;
    (void)texts(text);
    (void)texts("f'''" + text);
    (void)texts("x = '''" + text + "'''");
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

}  // namespace
}  // namespace spillway::validate::upstream
