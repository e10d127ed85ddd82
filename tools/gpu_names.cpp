#include "tools/gpu_names.hpp"

#include "base/text.hpp"

namespace spillway {
namespace {

/// One model of a family. Of several with one family the first is what the family alone means.
struct GpuName {
  std::string_view name;
  std::string_view family;
  std::string_view size;  ///< Gigabytes that tell it from its siblings; empty when it has none.
};

constexpr GpuName kGpus[] = {
    {"a100-80g", "a100", "80"}, {"a100-40g", "a100", "40"}, {"a800-80g", "a800", ""},   {"h100-80g", "h100", "80"},
    {"h100-94g", "h100", "94"}, {"h100-96g", "h100", "96"}, {"h800-80g", "h800", ""},   {"h20-96g", "h20", "96"},
    {"h20-141g", "h20", "141"}, {"h200", "h200", ""},       {"gh200", "gh200", ""},     {"b200", "b200", ""},
    {"b300", "b300", ""},       {"gb200", "gb200", ""},     {"gb300", "gb300", ""},     {"l4", "l4", ""},
    {"l40", "l40", ""},         {"l40s", "l40s", ""},       {"a40", "a40", ""},         {"a30", "a30", ""},
    {"a10", "a10", ""},         {"v100-32g", "v100", "32"}, {"v100-16g", "v100", "16"}, {"rtx-3090", "3090", ""},
    {"rtx-4090", "4090", ""},   {"rtx-5090", "5090", ""},
};

/// Letters and digits stay together, everything else separates: "H100-SXM5-80GB" gives h100, sxm5, 80gb.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens(1);
  for (const char c : lower(text)) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (word) tokens.back() += c;
    if (!word && !tokens.back().empty()) tokens.emplace_back();
  }
  return tokens;
}

bool names_size(const std::vector<std::string>& tokens, std::string_view size) {
  for (const auto& token : tokens)
    if (token == size || token == std::string(size) + "g" || token == std::string(size) + "gb") return true;
  return false;
}

bool has(const std::vector<std::string>& tokens, std::string_view word) {
  for (const auto& token : tokens)
    if (token == word) return true;
  return false;
}

}  // namespace

std::vector<std::string_view> gpu_names() {
  std::vector<std::string_view> names;
  for (const auto& gpu : kGpus) names.push_back(gpu.name);
  return names;
}

std::optional<std::string> gpu_spelling(std::string_view text) {
  const auto tokens = tokens_of(text);
  const GpuName* family = nullptr;
  for (const auto& gpu : kGpus) {
    if (!has(tokens, gpu.family)) continue;
    if (!gpu.size.empty() && names_size(tokens, gpu.size)) return std::string(gpu.name);
    if (family == nullptr) family = &gpu;
  }
  if (family == nullptr) return std::nullopt;
  return std::string(family->name);
}

}  // namespace spillway
