#include "tools/words.hpp"

namespace spillway {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";

/// One word being collected; an empty pair of quotes makes an empty word.
struct Word {
  std::string text;
  bool begun = false;
};

void finish(Word& word, std::vector<std::string>& words) {
  if (word.begun) words.push_back(std::move(word.text));
  word = {};
}

/// Reads a quoted part that begins at `at` (the quote); returns the place of its end, or npos.
std::size_t read_quoted(std::string_view text, std::size_t at, Word& word) {
  const char quote = text[at];
  word.begun = true;
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == quote) return i;
    const bool escaped = quote == '"' && text[i] == '\\' && i + 1 < text.size() && std::string_view("\"\\$`\n").find(text[i + 1]) != std::string_view::npos;
    if (escaped) ++i;
    word.text += text[i];
  }
  return std::string_view::npos;
}

}  // namespace

Result<std::vector<std::string>> split_words(std::string_view text) {
  std::vector<std::string> words;
  Word word;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (kBlanks.find(text[i]) != std::string_view::npos) {
      finish(word, words);
    } else if (text[i] == '\'' || text[i] == '"') {
      const std::size_t end = read_quoted(text, i, word);
      if (end == std::string_view::npos)
        return Error{"bad-quoting", "a quote is not closed: " + std::string(text.substr(i, 40)), "close the quote, or give the words as a list"};
      i = end;
    } else if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\n') {
      ++i;  // A continued line.
    } else {
      if (text[i] == '\\' && i + 1 < text.size()) ++i;
      word.text += text[i];
      word.begun = true;
    }
  }
  finish(word, words);
  return words;
}

std::string quote_word(std::string_view word) {
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string quote_words(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : " ") + quote_word(word);
  return out;
}

}  // namespace spillway
