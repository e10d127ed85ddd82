#include <algorithm>

#include "tools/config/shell/syntax.hpp"

namespace spillway::config::shell {

std::optional<Assignment> as_assignment(const Word& word) {
  if (word.pieces.empty() || word.pieces[0].kind != Piece::Kind::kLiteral || word.pieces[0].quoted) return std::nullopt;
  const std::string& text = word.pieces[0].text;
  std::size_t name = 0;
  while (name < text.size() && is_name_char(text[name])) ++name;
  if (name == 0 || (text[0] >= '0' && text[0] <= '9')) return std::nullopt;
  std::size_t equals = name;
  if (text[name] == '[') equals = std::min(text.find(']', name), text.size() - 1) + 1;
  Assignment out;
  out.name = text.substr(0, name);
  if (equals > name) out.index = text.substr(name + 1, equals - name - 2);
  out.append = equals < text.size() && text[equals] == '+';
  if (out.append) ++equals;
  if (equals >= text.size() || text[equals] != '=') return std::nullopt;
  Word value = word;
  value.pieces[0].text.erase(0, equals + 1);
  value.pieces[0].offset += equals + 1;
  value.offset = value.pieces[0].offset;
  if (value.pieces[0].text.empty()) value.pieces.erase(value.pieces.begin());
  out.words.push_back(std::move(value));
  return out;
}

}  // namespace spillway::config::shell
