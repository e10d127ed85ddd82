#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/style.hpp"
#include "tools/validate/upstream/search.hpp"

namespace spillway::validate::upstream {

/// What the texts of the rules have become in one tree.
struct TreeDrift {
  std::string directory;
  std::vector<std::string> packages;  ///< Of kPackages, those it holds.
  std::string version;                ///< Of Megatron-Core, as the tree states it; may be empty.
  Core core = Core::kMain;            ///< The version whose checks were looked for.
  std::vector<RuleDrift> rules;       ///< Those that were looked for.
  std::vector<std::string> not_looked_for;
  std::vector<std::string> skipped;  ///< Files that could not be read, each with the reason.
};

/// Reads a checkout of Megatron-LM, Megatron-Bridge or Transformer Engine, or a folder that they are installed in, and looks for the rules'
/// texts in it. Links to folders inside it are not followed.
/// Errors: `no-upstream-tree` where none of the packages is there.
/// Cost: about a second for all three; files above 4 MiB are skipped.
Result<TreeDrift> drift_of(const std::string& directory, const std::vector<Rule>& rules);

/// The report for a reader: what is gone and what has moved, tree by tree.
std::string drift_text(const std::vector<TreeDrift>& trees, const Style& style);

/// The rules among these that were looked for in the trees of their packages and found in none.
std::vector<std::string> gone_everywhere(const std::vector<TreeDrift>& trees);

}  // namespace spillway::validate::upstream
