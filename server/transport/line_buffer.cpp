#include "server/transport/line_buffer.hpp"

#include "base/text.hpp"

namespace spillway::transport {

void LineBuffer::append(std::string_view bytes) {
  compact();
  if (dropping_) {
    const auto end = bytes.find('\n');
    if (end == std::string_view::npos) return;
    bytes.remove_prefix(end);  // The line end itself closes the dropped line.
  }
  buffer_ += bytes;
}

std::optional<Incoming> LineBuffer::next() {
  for (;;) {
    const auto end = buffer_.find('\n', scanned_);
    if (end == std::string::npos) break;
    if (auto line = take(end)) return line;
  }
  scanned_ = buffer_.size();
  if (buffer_.size() - begin_ > limit_) {
    dropping_ = true;
    buffer_ = {};
    begin_ = scanned_ = 0;
  }
  return std::nullopt;
}

std::optional<Incoming> LineBuffer::rest() { return take(buffer_.size()); }

std::optional<Incoming> LineBuffer::take(std::size_t end) {
  const std::string_view line = trim(std::string_view(buffer_).substr(begin_, end - begin_));
  Incoming incoming{std::string(line.size() > limit_ ? std::string_view{} : line), dropping_ || line.size() > limit_};
  begin_ = scanned_ = std::min(end + 1, buffer_.size());
  dropping_ = false;
  if (incoming.text.empty() && !incoming.too_long) return std::nullopt;
  return incoming;
}

/// Moves what is left to the front, and gives the memory of a large message back.
void LineBuffer::compact() {
  if (begin_ == 0) return;
  buffer_.erase(0, begin_);
  if (buffer_.capacity() > (1u << 20) && buffer_.size() < (1u << 16)) buffer_ = std::string(buffer_);
  scanned_ -= begin_;
  begin_ = 0;
}

}  // namespace spillway::transport
