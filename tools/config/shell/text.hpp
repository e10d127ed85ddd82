#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "tools/config/train_config.hpp"

/// The words of shell text, with their places: enough of bash to follow how a launch script puts its command line together.
/// Nothing here runs a process, opens a file or looks at the environment.
namespace spillway::config::shell {

/// A text and where each of its characters stands in the file that the user gave. A script inside a script (a heredoc, the
/// argument of `bash -c`) is put together from parts of the file and still knows their places.
class Text {
 public:
  Text() = default;
  /// The file itself.
  explicit Text(std::string file) : text_(std::move(file)), parts_{{0, 0}} {}

  /// Appends characters that stand side by side in the file, the first one at `offset`.
  void append(std::string_view part, std::size_t offset);
  /// Appends a stretch of another text with its places.
  void append(const Text& from, std::size_t begin, std::size_t length);

  std::string_view view() const { return text_; }
  std::size_t size() const { return text_.size(); }
  /// Where a character stands in the file. Cost: logarithmic in the number of parts.
  std::size_t origin(std::size_t at) const;
  /// How many characters from here on stand side by side in the file.
  std::size_t contiguous(std::size_t at) const;

 private:
  struct Part {
    std::size_t begin;   ///< In this text.
    std::size_t offset;  ///< In the file.
  };
  std::string text_;
  std::vector<Part> parts_;
};

/// The lines of a file: turns an offset into line and column.
class Lines {
 public:
  explicit Lines(std::string_view file);
  Origin origin(std::size_t offset, std::string spelling = {}) const;

 private:
  std::vector<std::size_t> starts_;
};

/// `bad-syntax` at a place of the file.
Error syntax_error(const Lines& lines, std::size_t offset, const std::string& what);

}  // namespace spillway::config::shell
