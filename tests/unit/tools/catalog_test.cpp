// What every tool must keep, whoever wrote it.
#include "tools/catalog.hpp"

#include <set>

#include "tests/support/golden.hpp"
#include "tools/encode.hpp"
#include "tools/json.hpp"
#include "tools/schema.hpp"

namespace spillway {
namespace {

using config::Value;
using ::testing::MatchesRegex;

class EveryTool : public ::testing::TestWithParam<std::string> {
 protected:
  const std::vector<AnyTool> tools_ = catalog::all();
  const AnyTool& tool() const { return *catalog::find(tools_, GetParam()); }
};

std::vector<std::string> tool_names() {
  std::vector<std::string> names;
  for (const auto& tool : catalog::all()) names.emplace_back(tool.info().name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryTool, ::testing::ValuesIn(tool_names()), [](const auto& tested) { return tested.param; });

TEST_P(EveryTool, HasANameThatEveryClientTakes) {
  EXPECT_THAT(GetParam(), MatchesRegex("[a-z][a-z_]*"));
  EXPECT_LE(GetParam().size(), 40u) << "with a server prefix some clients allow 60";
  EXPECT_THAT(std::string(tool().info().command), MatchesRegex("[a-z]+"));
}

TEST_P(EveryTool, SaysWhatItIsFor) {
  EXPECT_FALSE(tool().info().title.empty());
  EXPECT_GE(tool().info().description.size(), 60u);
  EXPECT_LE(tool().info().description.size(), 1000u) << "some clients cut";
}

TEST_P(EveryTool, StatesHintsThatAgree) {
  const Hints& hints = tool().info().hints;
  EXPECT_FALSE(hints.read_only && hints.destructive);
}

/// No combinators, no references, no type lists, no bare `true`: one such schema makes some gateways refuse the whole list.
void expect_plain(const Value& schema, const std::string& where) {
  ASSERT_NE(schema.map(), nullptr) << where;
  for (const auto& [key, value] : *schema.map()) {
    static const std::set<std::string> kAllowed = {"type", "description", "properties", "required", "items",
                                                   "enum", "default",     "minimum",    "maximum",  "additionalProperties"};
    EXPECT_TRUE(kAllowed.count(key)) << where << " has " << key;
  }
  ASSERT_NE(schema.find("type"), nullptr) << where << " has no type";
  ASSERT_NE(schema.find("type")->string(), nullptr) << where;
  const std::string type = *schema.find("type")->string();
  if (type == "array") {
    ASSERT_NE(schema.find("items"), nullptr) << where;
    expect_plain(*schema.find("items"), where + "[]");
  }
  if (const Value* names = schema.find("enum")) {
    EXPECT_EQ(type, "string") << where;
    for (const auto& name : *names->list()) EXPECT_NE(name.string(), nullptr);
  }
  if (const Value* properties = schema.find("properties"))
    for (const auto& [name, property] : *properties->map()) {
      expect_plain(property, where + "." + name);
      EXPECT_NE(property.find("description"), nullptr) << where << "." << name << " has no description";
    }
}

TEST_P(EveryTool, WritesItsFormats) {
  const auto call = tool().ask_example();
  ASSERT_FALSE(call->run({}));
  for (const auto format : tool().formats()) EXPECT_FALSE(call->written(format).empty()) << format;
  EXPECT_TRUE(call->written("no-such-format").empty());
}

TEST_P(EveryTool, HasPlainSchemas) {
  const auto call = tool().ask();
  const Value input = input_schema(call->input()), output = output_schema(call->output());
  expect_plain(input, "input");
  expect_plain(output, "output");
  ASSERT_NE(input.find("additionalProperties"), nullptr);
  EXPECT_EQ(*input.find("additionalProperties"), Value(false));
  for (const auto& [name, property] : *input.find("properties")->map())
    EXPECT_TRUE(*property.find("type") != Value("object") || property.find("properties") == nullptr) << name << ": inputs are flat";
}

/// The value has the shape of the schema: required members there, no member it does not name, types right.
void expect_valid(const Value& value, const Value& schema, const std::string& where) {
  const std::string type = *schema.find("type")->string();
  EXPECT_TRUE(type != "string" || value.string()) << where;
  EXPECT_TRUE(type != "boolean" || value.boolean()) << where;
  EXPECT_TRUE(type != "integer" || value.integer()) << where;
  EXPECT_TRUE(type != "number" || value.integer() || value.real()) << where;
  if (const Value* names = schema.find("enum")) {
    EXPECT_NE(std::find(names->list()->begin(), names->list()->end(), value), names->list()->end()) << where << " is " << value.str();
  }
  if (type == "array") {
    ASSERT_NE(value.list(), nullptr) << where;
    for (const auto& item : *value.list()) expect_valid(item, *schema.find("items"), where + "[]");
  }
  if (type != "object") return;
  ASSERT_NE(value.map(), nullptr) << where;
  if (const Value* required = schema.find("required")) {
    for (const auto& name : *required->list()) EXPECT_NE(value.find(*name.string()), nullptr) << where << " lacks " << *name.string();
  }
  if (const Value* properties = schema.find("properties"))
    for (const auto& [name, member] : *value.map()) {
      const Value* property = properties->find(name);
      ASSERT_NE(property, nullptr) << where << "." << name << " is not in the schema";
      expect_valid(member, *property, where + "." + name);
    }
}

TEST_P(EveryTool, HasAnExampleThatRuns) {
  const auto example = tool().ask_example(), blank = tool().ask();
  const auto arguments = encode_stated(example->input(), blank->input());
  EXPECT_FALSE(arguments.empty());
  const Reply reply = call(tool(), arguments, Wire::kJson, {}, {});
  ASSERT_TRUE(reply.ok()) << text_of(reply.errors, {});
  EXPECT_FALSE(reply.text.empty());
  EXPECT_LT(reply.text.size(), 20u * 1024) << "a text stays small unless details are asked for";
  expect_valid(Value(reply.structured), output_schema(blank->output()), "answer");
}

TEST_P(EveryTool, RefusesUnknownArgumentsByName) {
  const Reply reply = call(tool(), {{"no_such_argument", Value(1)}}, Wire::kJson, {}, {});
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.errors[0].code, "unknown-argument");
}

TEST(Catalog, NamesAreUnique) {
  std::set<std::string_view> seen;
  for (const auto& tool : catalog::all()) {
    EXPECT_TRUE(seen.insert(tool.info().name).second);
    EXPECT_TRUE(seen.insert(tool.info().command).second);
  }
}

}  // namespace
}  // namespace spillway
