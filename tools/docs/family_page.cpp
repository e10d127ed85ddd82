#include <algorithm>
#include <iterator>

#include "tools/docs/markdown.hpp"
#include "tools/docs/pages.hpp"

namespace spillway::docs {
namespace {

using validate::Rule;
using validate::Severity;

struct Family {
  std::string_view name;
  std::string_view subject;
};

/// What the families are about; one that is not here goes without.
constexpr Family kFamilies[] = {{"ACT", "layer-level activation offload"},
                                {"BATCH", "batch sizes"},
                                {"BRG", "Megatron-Bridge alone"},
                                {"CG", "CUDA graphs"},
                                {"CKPT", "checkpoints"},
                                {"CSO", "optimizer-state offload in chunks"},
                                {"DATA", "data"},
                                {"DOPT", "the distributed optimizer"},
                                {"DWG", "delayed weight gradients"},
                                {"FGO", "fine-grained activation offload"},
                                {"FORM", "how the configuration is written"},
                                {"FSDP", "Megatron's FSDP"},
                                {"FSDP2", "PyTorch's FSDP2"},
                                {"MFSDP1", "Megatron's FSDP, version 1"},
                                {"MFSDP2", "Megatron's FSDP, version 2"},
                                {"MHC", "hyper-connections"},
                                {"MOE", "mixture of experts"},
                                {"MP", "model parallelism"},
                                {"OPT", "optimizer offload"},
                                {"PAO", "the precision-aware optimizer"},
                                {"PAR", "how the ranks are divided"},
                                {"PEFT", "fine-tuning with adapters"},
                                {"PIPE", "pipelines"},
                                {"RC", "activation recompute"},
                                {"STASH", "paged stashing"}};

std::string titled(std::string_view family) {
  const auto found = std::find_if(std::begin(kFamilies), std::end(kFamilies), [&](const Family& each) { return each.name == family; });
  return std::string(family) + (found == std::end(kFamilies) ? "" : ": " + std::string(found->subject));
}

std::size_t count(std::string_view family, const std::vector<Rule>& rules, Severity severity) {
  return static_cast<std::size_t>(
      std::count_if(rules.begin(), rules.end(), [&](const Rule& rule) { return family_of(rule) == family && rule.severity == severity; }));
}

std::string number(std::size_t count) { return count == 0 ? "" : std::to_string(count); }

std::vector<std::string_view> families(const std::vector<Rule>& rules) {
  std::vector<std::string_view> names;
  for (const auto& rule : rules) names.push_back(family_of(rule));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

std::string_view family_of(const Rule& rule) { return rule.code.substr(0, rule.code.find('-')); }

std::string family_page(std::string_view family, const std::vector<Rule>& rules) {
  std::string out = std::string(kMark) + "\n\n# " + titled(family) + "\n\nThe page of a rule is `CODE.md` in this folder.\n\n";
  out += "| rule | severity | stage | what |\n|---|---|---|---|\n";
  for (const auto& rule : rules)
    if (family_of(rule) == family)
      out += "| `" + std::string(rule.code) + "` | " + std::string(name(rule.severity)) + " | " + std::string(name(rule.stage)) + " | " +
             cell(rule.summary) + " |\n";
  return out;
}

std::string families_page(const std::vector<Rule>& rules) {
  std::string out = std::string(kMark) + "\n\n# Rules\n\nWhat `spillway validate` checks, " + std::to_string(rules.size()) +
                    " rules. The index of a family is `FAMILY.md` in this folder, the page of a rule `CODE.md`; "
                    "`spillway explain CODE` says the same.\n\n";
  out += "An error stops the run; a warning lets it run differently from what was asked; a note is good to know.\n\n";
  out += "| family | errors | warnings | notes |\n|---|---|---|---|\n";
  for (const auto family : families(rules))
    out += "| " + titled(family) + " | " + number(count(family, rules, Severity::kError)) + " | " +
           number(count(family, rules, Severity::kWarning)) + " | " + number(count(family, rules, Severity::kInfo)) + " |\n";
  return out;
}

}  // namespace spillway::docs
