#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/validate/facts.hpp"
#include "tools/validate/finding.hpp"

namespace spillway::validate {

struct Rule;

/// Collects what one rule finds. A finding made after an unknown value was read is dropped, and the rule counts as undecided:
/// read what is certain first.
class Report {
 public:
  Report(const Rule& rule, const Facts& facts) : rule_(rule), facts_(facts) {}

  /// The finding being described; every call adds to it.
  class Draft {
   public:
    Draft(Report& report, Finding* finding) : report_(&report), finding_(finding) {}
    /// Canonical keys involved, the decisive one first; the first that the user wrote gives the location.
    Draft& keys(std::initializer_list<std::string_view> keys);
    /// The values for the `{}` of the upstream text.
    Draft& with(std::initializer_list<std::string> values);
    /// Chooses another of the rule's raises than the first that applies (by index in Rule::raises).
    Draft& raise(std::size_t index, std::initializer_list<std::string> values = {});
    /// Replaces the sequence of the raise taken, where the position in the user's text decides and not upstream's code.
    Draft& sequence(int position);
    /// An exception of Python itself (TypeError, KeyError) instead of the rule's own text. Implies stops().
    Draft& natural(std::string type, std::string message);
    /// Upstream's code has no way on from here, also none that a later version could take: what the same code checks afterwards is
    /// left undecided instead of guessed.
    Draft& stops();
    Draft& severity(Severity severity);
    Draft& stage(Stage stage);
    Draft& fix(Fix::Safety safety, std::string summary, std::vector<Edit> edits = {});
    Draft& at(const config::Origin& origin);

   private:
    Report* report_;
    Finding* finding_;  // nullptr: dropped
  };

  /// Starts a finding with the rule's code, severity, stage and the first raise that applies to launcher and version.
  Draft add(std::string message);

  std::vector<Finding> findings;
  /// For each finding the raise it took, or -1: decides the order.
  std::vector<int> raised;
  /// For each finding the sequence that replaces its raise's, where one does.
  std::vector<std::optional<int>> sequences;
  /// For each finding whether upstream's code cannot go on after it.
  std::vector<bool> stopping;

 private:
  friend class Draft;
  int applicable_raise() const;
  void apply_raise(Finding& finding, int index, const std::vector<std::string>& values);

  const Rule& rule_;
  const Facts& facts_;
};

/// Shorthands for edits.
Edit set(std::string_view key, config::Value value);
Edit remove(std::string_view key);

}  // namespace spillway::validate
