#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "server/transport/connection.hpp"

namespace spillway::transport {

/// Cuts a stream of bytes into lines of at most `limit` bytes. Of a longer line only the fact is kept.
class LineBuffer {
 public:
  explicit LineBuffer(std::size_t limit) : limit_(limit) {}

  /// Takes the next bytes of the stream.
  void append(std::string_view bytes);
  /// The next complete line that is not blank, without its end.
  std::optional<Incoming> next();
  /// What is left when the stream has ended without a line end.
  std::optional<Incoming> rest();

 private:
  std::optional<Incoming> take(std::size_t end);
  void compact();

  const std::size_t limit_;
  std::string buffer_;
  std::size_t begin_ = 0;    ///< Of the bytes not yet taken.
  std::size_t scanned_ = 0;  ///< No line end before here.
  bool dropping_ = false;    ///< Inside a line that is too long.
};

}  // namespace spillway::transport
