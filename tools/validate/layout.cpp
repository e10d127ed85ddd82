#include "tools/validate/layout.hpp"

#include <algorithm>
#include <charconv>

namespace spillway::validate {
namespace {

/// Upstream builds no model of more stages; a repetition beyond that is a slip of the pen.
constexpr std::int64_t kMostStages = 1'000'000;

/// Counts the `|` of a layout text with its repetitions written out.
class Bars {
 public:
  explicit Bars(std::string_view text) : rest_(text) {}

  std::optional<std::int64_t> count() {
    const auto bars = sequence(0);
    return rest_.empty() ? bars : std::nullopt;
  }

 private:
  std::optional<std::int64_t> sequence(int depth) {
    std::int64_t bars = 0;
    while (!rest_.empty() && rest_.front() != ')') {
      const auto item = repeated(depth);
      if (!item || (bars += *item) > kMostStages) return std::nullopt;
    }
    return bars;
  }

  std::optional<std::int64_t> repeated(int depth) {
    std::optional<std::int64_t> bars = rest_.front() == '|' ? 1 : 0;
    const bool group = rest_.front() == '(';
    rest_.remove_prefix(1);
    if (group) {
      if (depth > 20) return std::nullopt;
      bars = sequence(depth + 1);
      if (!bars || rest_.empty()) return std::nullopt;
      rest_.remove_prefix(1);
    }
    if (!rest_.starts_with('*')) return bars;
    std::int64_t times = 0;
    const auto read = std::from_chars(rest_.data() + 1, rest_.data() + rest_.size(), times);
    if (read.ec != std::errc() || times < 0 || times > kMostStages) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(read.ptr - rest_.data()));
    return *bars * times;
  }

  std::string_view rest_;
};

}  // namespace

std::optional<std::int64_t> layout_stages(const Facts& facts) {
  const auto& layout = facts.value("model.pipeline_model_parallel_layout");
  if (const auto* stages = layout.list()) return std::ssize(*stages);
  if (const auto* text = layout.string())
    if (const auto bars = Bars(*text).count()) return *bars + 1;
  return std::nullopt;
}

std::int64_t weight_shards(const Facts& facts) {
  if (facts.core() < config::Core::k0_19) return 1;
  const auto shards = facts.integer("model.tensor_parallel_num_weight_shards"),
             ranks = facts.integer("model.tensor_model_parallel_size", 1);
  return shards > ranks && ranks > 0 ? shards / ranks : 1;
}

std::int64_t model_parallel_ranks(const Facts& facts) {
  std::int64_t ranks = weight_shards(facts);
  for (const std::string_view key :
       {"model.tensor_model_parallel_size", "model.pipeline_model_parallel_size", "model.context_parallel_size"})
    ranks *= std::clamp<std::int64_t>(facts.integer(key, 1), 1, 1'000'000);
  return ranks;
}

}  // namespace spillway::validate
