#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/validate/rule.hpp"
#include "tools/validate/upstream/python_source.hpp"

namespace spillway::validate::upstream {

/// A line of a file below a tree.
struct Spot {
  std::string file;
  int line = 0;
};

/// What became of one text that a rule was read from.
struct TextDrift {
  enum class State { kFound, kMoved, kGone };
  State state = State::kGone;
  std::string text;
  std::string file = {};          ///< Where the rule says it stands; empty: anywhere in its package.
  std::optional<Spot> now = {};   ///< Where it stands, unless it is gone.
  std::optional<Spot> near = {};  ///< Of a text that is gone: the place of the one that is most like it.
  std::string near_text = {};
};

/// What became of the texts of one rule.
struct RuleDrift {
  std::string code;
  std::vector<TextDrift> texts;  ///< At least one.
  bool gone() const;             ///< None of them is there any more.
};

/// The package a file of upstream's belongs to: `megatron/core`, `megatron/training`, `megatron/bridge` or `transformer_engine`; empty for
/// others. A leading `src/` does not count.
std::string_view package_of(std::string_view file);

/// The packages there are.
inline constexpr std::string_view kPackages[] = {"megatron/core", "megatron/training", "megatron/bridge", "transformer_engine"};

/// Looks for the texts of rules in files that are shown one after the other.
/// What is looked for: messages that upstream writes itself (not those that Python, argparse or Hydra make), and for a rule without any the
/// condition, where it is quoted as code.
class Search {
 public:
  /// Rules of packages that are not among the given ones, and texts that the version does not have, are not looked for.
  Search(const std::vector<Rule>& rules, Core core, const std::set<std::string_view>& packages);

  /// Shape: `file` below its tree with forward slashes, `megatron/core/x.py`.
  /// Cost: linear in the text, whatever it holds.
  void read(std::string_view file, std::string_view text);

  std::vector<RuleDrift> result() const;
  /// Codes of the rules that nothing could be looked for of.
  const std::vector<std::string>& not_looked_for() const { return left_out_; }

 private:
  /// A text that is looked for.
  struct Wanted {
    std::string code;
    std::string text;
    std::vector<std::string> files;  ///< Where it may stand; the first one is said.
    std::vector<std::string> parts;  ///< Of its wording, between the holes; of code, its statements.
    std::size_t anchor = 0;          ///< The longest of them.
    bool is_code = false;
    std::optional<Spot> here = {}, elsewhere = {};
  };
  /// A string of a file that a wanted text may stand in.
  struct Known {
    Spot spot;
    std::string text;
  };

  void want(const Rule& rule, const std::set<std::string_view>& packages, Core core);
  void add(Wanted wanted);
  void match(std::string_view file, std::string_view text, int line);
  void match_code(std::string_view file, const PythonSource& source);
  bool is_expected(const Wanted& wanted, std::string_view file) const;
  void note(Wanted& wanted, std::string_view file, int line);
  TextDrift drift_of(const Wanted& wanted) const;
  void find_near(const Wanted& wanted, TextDrift& drift) const;

  std::vector<Wanted> wanted_;
  std::unordered_multimap<std::uint64_t, std::size_t> anchors_;  ///< First bytes of the anchors.
  std::vector<bool> beginnings_;                                 ///< Which of them occur, by hash.
  std::map<std::string, std::vector<Known>, std::less<>> known_;
  std::vector<std::string> left_out_;
};

}  // namespace spillway::validate::upstream
