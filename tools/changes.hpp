#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "tools/fields.hpp"
#include "tools/tool.hpp"
#include "tools/validate/validate.hpp"

/// From decided edits to changed files and paste-ready text.
namespace spillway {

/// A source whose text the edits change.
struct SourceChange {
  std::string file;
  std::string before;
  std::string after;
  bool is_file = false;  ///< It can be written; else the text came from an argument or from standard input.
};

/// Edits as texts: of each source that holds one of them, and those that no source can hold.
struct Changes {
  std::vector<SourceChange> sources;
  std::vector<validate::Edit> by_hand;
  std::vector<std::string> reasons;  ///< Why, one for each of `by_hand`.
  validate::Question after;          ///< The question as the changed texts ask it, read again.
};

/// A key changes in the source whose value wins; a new one comes into the last file that can hold it.
Changes changes_of(const validate::Question& question, const std::vector<validate::Edit>& edits);

/// The edits as one would type them, for the launchers that can be told so.
struct ApplyReport {
  std::string overrides;            ///< Hydra tokens.
  std::string args;                 ///< Megatron-LM options.
  std::string yaml;                 ///< Override YAML.
  std::string python;               ///< Lines of a recipe.
  std::string environment;          ///< `export NAME=VALUE` lines, as in a batch script.
  std::vector<std::string> remove;  ///< What goes, as it is spelt for the launcher.
};
void fields(Fields& f, ApplyReport& apply);
ApplyReport apply_of(const std::vector<validate::Edit>& edits, const validate::Question& question, config::Launcher launcher);

/// One changed file for an outsider.
struct ChangeReport {
  std::string file;
  std::string diff;
  bool written = false;
};
void fields(Fields& f, ChangeReport& change);

/// The diffs are for showing: secrets in them are overwritten.
std::vector<ChangeReport> show_changes(const Changes& changes);
/// Writes the changed files; a file that is no longer what was read stays as it is.
/// Errors: `file-changed`, and those of write_file; what was written before the error stays written and says so in its report.
Result<std::vector<ChangeReport>> write_changes(const Changes& changes);

}  // namespace spillway
