#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "tools/docs/pages.hpp"

namespace spillway::docs {

/// Of each rule the first failing case below `root`/tests/golden/rules that is short and that the command line finds fault with; none
/// outside the source tree.
Examples read_examples(const std::string& root, const std::vector<validate::Rule>& rules, const std::vector<AnyTool>& tools);

/// How the files below a tree differ from the pages.
struct Difference {
  std::vector<std::string> missing, stale;
  std::vector<std::string> superfluous;  ///< Generated once, by their first line, and no page any more.
  bool none() const { return missing.empty() && stale.empty() && superfluous.empty(); }
};
Difference compare(const std::string& root, const std::vector<Page>& pages);

/// Makes the files what the pages are. Files that are not generated stay.
/// Errors: those of write_file, and `file-not-written` for a folder or a removal.
std::optional<Error> write(const std::string& root, const std::vector<Page>& pages, const Difference& difference);

}  // namespace spillway::docs
