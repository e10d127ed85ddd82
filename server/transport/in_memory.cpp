#include "server/transport/in_memory.hpp"

namespace spillway::transport {

std::optional<Incoming> InMemory::read() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return closed_ || !to_server_.empty(); });
  if (to_server_.empty()) return std::nullopt;
  Incoming incoming{std::move(to_server_.front()), false};
  to_server_.pop_front();
  if (incoming.text.size() > kMaxMessageBytes) incoming = {"", true};
  return incoming;
}

void InMemory::write(std::string_view message) {
  const std::lock_guard lock(mutex_);
  to_client_.emplace_back(message);
  changed_.notify_all();
}

void InMemory::send(std::string message) {
  const std::lock_guard lock(mutex_);
  to_server_.push_back(std::move(message));
  changed_.notify_all();
}

std::optional<std::string> InMemory::receive(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, patience, [&] { return !to_client_.empty(); })) return std::nullopt;
  std::string message = std::move(to_client_.front());
  to_client_.pop_front();
  return message;
}

void InMemory::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

}  // namespace spillway::transport
