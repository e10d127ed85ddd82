#include "tools/schema.hpp"

#include "tools/json.hpp"

namespace spillway {
namespace {

struct Part {
  std::string name;
  std::optional<std::int64_t> bytes;
};
void fields(Fields& f, Part& p) {
  f("name", p.name, "Its name.");
  f("bytes", p.bytes, "Its size.");
}

struct Whole {
  std::string mode = "fast";
  std::int64_t count = 2;
  std::vector<std::string> files;
  std::optional<Part> one;
  std::vector<Part> parts;
  Pairs env;
  config::Map free;
};
void fields(Fields& f, Whole& w) {
  f("mode", w.mode, "How.").one_of({"fast", "slow"});
  f("count", w.count, "How many.").at_least(1);
  f("files", w.files, "Files | folders.").positional("FILE").required();
  f("one", w.one, "A part.");
  f("parts", w.parts, "All parts.");
  f("env", w.env, "Variables.");
  f("free", w.free, "Anything.").optional();
}

TEST(Schema, OfAnInput) {
  Whole w;
  EXPECT_EQ(to_json(*input_schema(fields_of(w)).find("properties")->find("mode")),
            R"({"type":"string","description":"How.","enum":["fast","slow"],"default":"fast"})");
  EXPECT_EQ(to_json(*input_schema(fields_of(w)).find("properties")->find("count")),
            R"({"type":"integer","description":"How many.","minimum":1,"default":2})");
  EXPECT_EQ(to_json(*input_schema(fields_of(w)).find("required")), R"(["files"])");
}

TEST(Schema, OfAnOutputRequiresWhatCannotBeAbsent) {
  Whole w;
  const auto schema = output_schema(fields_of(w));
  EXPECT_EQ(to_json(*schema.find("required")), R"(["mode","count","files","parts","env"])");
  EXPECT_EQ(
      to_json(*schema.find("properties")->find("parts")),
      R"({"type":"array","description":"All parts.","items":{"type":"object","properties":{"name":{"type":"string","description":"Its name."},"bytes":{"type":"integer","description":"Its size."}},"required":["name"]}})");
}

TEST(Schema, GivesADocumentationTable) {
  Whole w;
  const std::string table = input_table(fields_of(w));
  EXPECT_THAT(table, ::testing::HasSubstr("| `mode` | `--mode VALUE` | How. (one of fast, slow) |\n"));
  EXPECT_THAT(table, ::testing::HasSubstr("| `files` | `FILE…` | Files \\| folders. |\n"));
}

}  // namespace
}  // namespace spillway
