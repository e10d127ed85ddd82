// What a rule says upstream prints must have been seen: recorded from upstream's own checks, or quoted in the facts beside the checkout.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "base/files.hpp"
#include "base/text.hpp"
#include "tests/oracle/rows.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate {
namespace {

std::string squeezed(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::string out, word;
  while (words >> word) out += word + " ";
  return out;
}

void add_messages(const nlohmann::json& node, std::string& out) {
  if (node.is_object())
    for (const auto& [key, value] : node.items()) {
      if ((key == "msg" || key == "log") && value.is_string()) out += squeezed(value.get<std::string>()) + "\n";
      add_messages(value, out);
    }
  else if (node.is_array())
    for (const auto& item : node) add_messages(item, out);
}

/// All that was seen, each word followed by one blank.
std::string seen() {
  std::string out;
  std::set<std::string> recorded;
  for (const char* name : {"oracle_l1.jsonl.gz", "oracle_l2.jsonl.gz", "oracle_l3.jsonl.gz"})
    for (const auto& row : oracle::rows_of(oracle::shared_data(name))) {
      std::string messages;
      add_messages(row["verdict"], messages);
      recorded.insert(std::move(messages));
    }
  for (const auto& text : recorded) out += text;
  for (const char* name : {"oracle_README.md", "../spec/rules.md"})
    if (const auto text = read_file(oracle::shared_data(name), 16u << 20)) {
      // Back-ticks inside a quotation are doubled there.
      std::string prose = squeezed(*text);
      for (auto at = prose.find("``"); at != std::string::npos; at = prose.find("``", at + 1)) prose.erase(at, 1);
      out += prose;
    }
  return out;
}

/// The pieces of a text between its values that say something; what stands before a colon may be quoted apart from what follows it.
std::vector<std::string> pieces_of(std::string_view text) {
  std::vector<std::string> pieces;
  const std::string whole(text);
  for (std::size_t at = 0; at <= whole.size();) {
    const std::size_t end = std::min(whole.find("{}", at), whole.size());
    std::string piece = squeezed(std::string_view(whole).substr(at, end - at));
    if (piece.size() > 8) pieces.push_back(piece.substr(0, piece.size() - 1));
    at = end + 2;
  }
  return pieces;
}

/// In full, or with its beginning or its end left out, as prose quotes one of several alike texts.
bool is_in(const std::string& piece, const std::string& haystack) {
  const auto has = [&](const std::string& text) { return haystack.find(text) != std::string::npos; };
  return has(piece) || has(piece.substr(0, piece.size() / 2 + 1)) || has(piece.substr(piece.size() / 2));
}

TEST(UpstreamTexts, HaveBeenSeen) {
  if (!std::filesystem::exists(oracle::shared_data("oracle_l1.jsonl.gz"))) GTEST_SKIP() << "the recorded verdicts are not on this machine";
  const std::string haystack = seen();
  for (const auto& rule : rules::all())
    for (const auto& raise : rule.raises)
      for (const auto& piece : pieces_of(raise.text)) EXPECT_TRUE(is_in(piece, haystack)) << rule.code << ": " << piece;
}

}  // namespace
}  // namespace spillway::validate
