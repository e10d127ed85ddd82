#include "tools/validate/parallel.hpp"

#include <algorithm>
#include <charconv>

namespace spillway::validate {

namespace {

constexpr std::int64_t kMostStages = 1'000'000;

/// The number behind `*` at a place, or 1; `at` moves behind it.
std::int64_t take_times(std::string_view text, std::size_t& at) {
  if (at >= text.size() || text[at] != '*') return 1;
  std::int64_t times = 1;
  const auto end = std::from_chars(text.data() + at + 1, text.data() + text.size(), times).ptr;
  at = static_cast<std::size_t>(end - text.data());
  return std::clamp<std::int64_t>(times, 0, kMostStages);
}

/// `|` in the text, those in `(…)*n` n times over.
std::int64_t separators(std::string_view text) {
  std::int64_t count = 0;
  for (std::size_t at = 0; at < text.size() && count < kMostStages;) {
    const char c = text[at++];
    if (c == '(') {
      const auto close = text.find(')', at);
      if (close == std::string_view::npos) return count;
      const auto inner = std::count(text.begin() + static_cast<std::ptrdiff_t>(at), text.begin() + static_cast<std::ptrdiff_t>(close), '|');
      at = close + 1;
      count += inner * take_times(text, at);
    } else if (c == '|') {
      count += take_times(text, at);
    }
  }
  return count;
}

}  // namespace

std::optional<std::int64_t> data_parallel_size(const Facts& facts, std::optional<std::int64_t> context) {
  const auto world = facts.world_size();
  if (!world) return std::nullopt;
  const auto total = facts.integer("model.tensor_model_parallel_size", 1) * facts.integer("model.pipeline_model_parallel_size", 1) *
                     context.value_or(facts.integer("model.context_parallel_size", 1));
  if (total <= 0 || *world % total != 0) return std::nullopt;
  return *world / total;
}

std::int64_t stages_of(const config::Value& layout) {
  if (const auto* text = layout.string()) return text->empty() ? 0 : separators(*text) + 1;
  const auto* stages = layout.list();
  if (stages == nullptr) return 0;
  const bool one_a_stage = std::all_of(stages->begin(), stages->end(), [](const config::Value& stage) { return stage.list() != nullptr; });
  return one_a_stage ? std::ssize(*stages) : 0;
}

}  // namespace spillway::validate
