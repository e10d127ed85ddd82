#include "server/mcp/calls.hpp"

#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <list>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace spillway::mcp {

using config::Value;

/// Shared with the threads, so that one left behind still finds it.
struct Calls::State {
  struct Open final : Ticket {
    Open(State& owner, Value request) : state(owner), id(std::move(request)) {}
    std::stop_token stop() const override { return source.get_token(); }
    void send(const std::string& message) override { state.send_if_open(*this, message, false); }
    void finish(const std::string& message) override { state.send_if_open(*this, message, true); }

    State& state;
    const Value id;
    std::stop_source source;
    std::mutex sending;
    bool closed = false;  ///< Answered or cancelled; guarded by `sending`.
    Work work;
  };

  State(std::size_t most_workers, std::size_t most_open, Send sender)
      : max_workers(most_workers), max_open(most_open), send(std::move(sender)) {}

  void send_if_open(Open& call, const std::string& message, bool last) {
    const std::lock_guard lock(call.sending);
    if (call.closed) return;
    call.closed = last;
    send(message);
  }

  static void close(Open& call) {
    call.source.request_stop();
    const std::lock_guard lock(call.sending);
    call.closed = true;
  }

  void run_one(std::unique_lock<std::mutex>& lock) {
    const std::shared_ptr<Open> call = queue.front();
    queue.pop_front();
    lock.unlock();
    call->work(*call);
    call->work = {};
    lock.lock();
    open.remove(call);
    changed.notify_all();
  }

  void work_until_closing() {
    std::unique_lock lock(mutex);
    for (;;) {
      ++idle;
      changed.wait(lock, [&] { return closing || !queue.empty(); });
      --idle;
      if (queue.empty()) return;
      run_one(lock);
    }
  }

  const std::size_t max_workers, max_open;
  const Send send;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::shared_ptr<Open>> queue;
  std::list<std::shared_ptr<Open>> open;
  std::vector<std::thread> threads;
  std::size_t idle = 0;
  bool closing = false;
};

Calls::Calls(std::size_t workers, std::size_t max_in_flight, Send send)
    : state_(std::make_shared<State>(workers, max_in_flight, std::move(send))) {}

Calls::~Calls() {
  std::vector<std::thread> threads;
  bool abandoned = false;
  {
    const std::lock_guard lock(state_->mutex);
    state_->closing = true;
    threads.swap(state_->threads);
    abandoned = !state_->open.empty();
  }
  state_->changed.notify_all();
  for (auto& thread : threads) abandoned ? thread.detach() : thread.join();
}

namespace {

/// Signals are for the thread that reads.
void block_signals() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

Calls::Start Calls::start(const Value& id, Work work) {
  State& state = *state_;
  const std::lock_guard lock(state.mutex);
  if (state.open.size() >= state.max_open) return Start::kFull;
  for (const auto& call : state.open)
    if (call->id == id) return Start::kIdInUse;
  auto call = std::make_shared<State::Open>(state, id);
  call->work = std::move(work);
  state.open.push_back(call);
  state.queue.push_back(call);
  if (state.idle < state.queue.size() && state.threads.size() < state.max_workers)
    state.threads.emplace_back([shared = state_] {
      block_signals();
      shared->work_until_closing();
    });
  state.changed.notify_all();
  return Start::kStarted;
}

void Calls::cancel(const Value& id) {
  std::shared_ptr<State::Open> found;
  {
    const std::lock_guard lock(state_->mutex);
    for (const auto& call : state_->open)
      if (call->id == id) found = call;
  }
  if (found) State::close(*found);
}

void Calls::cancel_all() {
  std::list<std::shared_ptr<State::Open>> all;
  {
    const std::lock_guard lock(state_->mutex);
    all = state_->open;
  }
  for (const auto& call : all) State::close(*call);
}

bool Calls::wait(std::chrono::milliseconds patience, const std::function<bool()>& give_up) {
  const auto end = std::chrono::steady_clock::now() + patience;
  std::unique_lock lock(state_->mutex);
  while (!state_->open.empty()) {
    const auto now = std::chrono::steady_clock::now();
    if (now >= end || (give_up && give_up())) return false;
    state_->changed.wait_until(lock, std::min(end, now + std::chrono::milliseconds(20)));
  }
  return true;
}

}  // namespace spillway::mcp
