#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace spillway {

/// The text as it may be shown to a person, whoever wrote it: what steers a terminal or hides in one is spelled out. Control characters
/// become `\x1b`, characters without a picture (C1 controls, bidirectional overrides, zero-width ones, line separators) `\u{202e}`,
/// bytes that are not UTF-8 `\xff`. Line ends and tabs stay. Doing it twice changes nothing.
std::string visible(std::string_view text);

/// As visible(), for what must stay on one line: a line end becomes `\n`, a tab a blank.
std::string visible_line(std::string_view text);

/// The characters that visible() spells out, line ends and tabs apart.
bool is_hidden(char32_t code);

/// The character that a valid UTF-8 sequence of `length` bytes at `at` stands for.
char32_t code_point(std::string_view text, std::size_t at, std::size_t length);

/// The text, or its beginning of at most `room` bytes and an ellipsis. No character is cut.
std::string clipped(std::string_view text, std::size_t room);

/// The columns that a visible text takes on a terminal: two for a wide character, none for a combining one.
std::size_t columns(std::string_view text);

}  // namespace spillway
