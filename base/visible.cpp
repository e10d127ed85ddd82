#include "base/visible.hpp"

#include <algorithm>
#include <iterator>

#include "base/text.hpp"

namespace spillway {
namespace {

struct Range {
  char32_t first, last;
};

/// Controls and format characters. Source: Unicode 15, general categories Cc, Cf, Zl and Zp, as far as they steer what is around them.
constexpr Range kHidden[] = {{0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},       {0x61C, 0x61C},
                             {0x180E, 0x180E}, {0x200B, 0x200F}, {0x2028, 0x202E},   {0x2060, 0x206F},
                             {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};

/// Source: Unicode 15, EastAsianWidth W and F, in whole blocks.
constexpr Range kWide[] = {{0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0xA4CF},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},  {0xFE30, 0xFE4F},
                           {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

/// Source: Unicode 15, the blocks of combining marks and variation selectors.
constexpr Range kCombining[] = {{0x300, 0x36F}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};

template <std::size_t N>
bool among(const Range (&ranges)[N], char32_t code) {
  return std::any_of(std::begin(ranges), std::end(ranges), [&](Range range) { return range.first <= code && code <= range.last; });
}

std::string hexadecimal(std::uint32_t number, std::size_t digits) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (; number != 0 || out.size() < digits; number >>= 4) out.insert(out.begin(), kDigits[number & 0xF]);
  return out;
}

std::string spelled_out(char32_t code) { return code < 0x80 ? "\\x" + hexadecimal(code, 2) : "\\u{" + hexadecimal(code, 1) + "}"; }

/// Printable ASCII needs no look at tables.
bool is_plain(char c) { return c >= 0x20 && c < 0x7F; }

std::string shown(std::string_view text, bool one_line) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::size_t length = is_plain(c) ? 1 : utf8_length(text, at);
    if (length == 0)
      out += "\\x" + hexadecimal(static_cast<unsigned char>(c), 2);
    else if (c == '\n' || c == '\t')
      out += !one_line ? std::string(1, c) : c == '\t' ? " " : "\\n";
    else if (const char32_t code = is_plain(c) ? U' ' : code_point(text, at, length); is_hidden(code))
      out += spelled_out(code);
    else
      out += text.substr(at, length);
    at += std::max<std::size_t>(1, length);
  }
  return out;
}

}  // namespace

bool is_hidden(char32_t code) { return among(kHidden, code); }

char32_t code_point(std::string_view text, std::size_t at, std::size_t length) {
  constexpr unsigned char kLead[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t code = static_cast<unsigned char>(text[at]) & kLead[length];
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3F);
  return code;
}

std::string clipped(std::string_view text, std::size_t room) {
  if (text.size() <= room) return std::string(text);
  while (room > 0 && (static_cast<unsigned char>(text[room]) & 0xC0) == 0x80) --room;
  return std::string(text.substr(0, room)) + "…";
}

std::string visible(std::string_view text) { return shown(text, false); }

std::string visible_line(std::string_view text) { return shown(text, true); }

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text, at));
    const char32_t code = length == 1 ? U' ' : code_point(text, at, length);
    count += among(kWide, code) ? 2 : among(kCombining, code) ? 0 : 1;
    at += length;
  }
  return count;
}

}  // namespace spillway
