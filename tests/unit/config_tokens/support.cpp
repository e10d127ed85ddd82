#include "tests/unit/config_tokens/support.hpp"

namespace spillway::config {
namespace {

std::string_view word(Remark::Kind kind) {
  using enum Remark::Kind;
  switch (kind) {
    case kUnknownFlag:
      return "unknown-flag";
    case kFlagValue:
      return "flag-value";
    case kMissingValue:
      return "missing-value";
    case kBadValue:
      return "bad-value";
    case kBadChoice:
      return "bad-choice";
    case kUnknownKey:
      return "unknown-key";
    case kAddedKey:
      return "added-key";
    case kAddExisting:
      return "add-existing";
    case kDeletedKey:
      return "deleted-key";
    case kSyntax:
      return "syntax";
    case kDuplicate:
      return "duplicate";
    case kUnresolved:
      return "unresolved";
    case kOpenWords:
      return "open-words";
    case kTakenAs:
      return "taken-as";
    case kNoneString:
      return "none-string";
    case kBoolString:
      return "bool-string";
    case kListString:
      return "list-string";
    case kFalseFlag:
      return "false-flag";
    case kYaml11Bool:
      return "yaml11-bool";
    case kUnknownTag:
      return "unknown-tag";
    case kIgnored:
      return "ignored";
  }
  return "?";
}

}  // namespace

const Reader& reader_named(std::string_view name) {
  static const std::vector<Reader> all = readers::all();
  for (const auto& reader : all)
    if (reader.name == name) return reader;
  ADD_FAILURE() << "no reader " << name;
  return all.front();
}

Reading read_with(std::string_view reader, std::string_view text, const ReadContext& context) {
  auto reading = reader_named(reader).read(text, context);
  if (reading) return std::move(*reading);
  ADD_FAILURE() << reading.error().code << ": " << reading.error().message;
  return {};
}

std::vector<std::string> listed(const std::vector<Setting>& settings) {
  std::vector<std::string> out;
  for (const auto& setting : settings) out.push_back(setting.key + "=" + (setting.value.is_unknown() ? "?" : "") + setting.value.repr());
  return out;
}

std::vector<std::string> listed(const std::vector<Remark>& remarks) {
  std::vector<std::string> out;
  for (const auto& remark : remarks) {
    std::string text = std::string(word(remark.kind)) + " " + remark.subject;
    if (!remark.detail.empty() || !remark.expected.empty()) text += "|" + remark.detail;
    if (!remark.expected.empty()) text += "|" + remark.expected;
    out.push_back(std::move(text));
  }
  return out;
}

Setting winner(const Reading& reading, std::string_view key) {
  for (auto setting = reading.settings.rbegin(); setting != reading.settings.rend(); ++setting)
    if (setting->key == key) return *setting;
  ADD_FAILURE() << "no setting " << key;
  return {};
}

std::string place(const Origin& origin) { return std::to_string(origin.line) + ":" + std::to_string(origin.column); }

std::vector<Token> tokens(const std::vector<std::string>& words) {
  std::vector<Token> out;
  for (const auto& word : words) out.push_back({word, {}, std::nullopt});
  return out;
}

void expect_round_trip(std::string_view reader, std::string_view text, const ReadContext& context) {
  SCOPED_TRACE(std::string(text));
  const Reading first = read_with(reader, text, context);
  const auto written = reader_named(reader).write(first.settings, context);
  ASSERT_TRUE(written.ok()) << written.error().message;
  const Reading second = read_with(reader, *written, context);
  EXPECT_EQ(listed(second.settings), listed(first.settings)) << *written;
}

}  // namespace spillway::config
