#pragma once

#include <string>
#include <string_view>

namespace spillway {

/// What the place where a text will be read can show.
struct Style {
  bool colour = false;   ///< ANSI colours.
  bool details = false;  ///< Everything, unfolded.
};

enum class Ink { kPlain, kBold, kRed, kYellow, kGreen, kBlue, kFaint };

/// The text in a colour, or as it is where there are none.
inline std::string paint(const Style& style, Ink ink, std::string_view text) {
  constexpr std::string_view kCodes[] = {"", "\x1b[1m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;32m", "\x1b[1;34m", "\x1b[2m"};
  if (!style.colour || ink == Ink::kPlain) return std::string(text);
  return std::string(kCodes[static_cast<int>(ink)]) + std::string(text) + "\x1b[0m";
}

}  // namespace spillway
