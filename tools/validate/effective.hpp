#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/validate/facts.hpp"
#include "tools/validate/scenario.hpp"

namespace spillway::validate {

/// One value of a run as upstream works with it.
struct Effective {
  std::optional<config::Value> value;   ///< Nothing when nobody states it and no default is known; Unknown when it cannot be resolved.
  std::optional<config::Origin> given;  ///< Where the user states it, if at all.

  /// The same to upstream: however a number, a type or a set of names is written.
  bool same(const Effective& other) const;
};

/// The key has no value of its own: it is another spelling of one that has.
bool is_spelling(std::string_view key);

/// Every effective value of one run, each under one key however it was spelt: deprecated aliases, environment variables given in the
/// configuration and values that upstream copies are read where upstream reads them.
/// Lifetime: refers to the Question it was made from.
class EffectiveValues {
 public:
  explicit EffectiveValues(const Question& question) : scenario_(question), facts_(scenario_) {}

  /// The keys under which something is given or derived, in byte order. A default has its value too, under any other key.
  std::vector<std::string> keys() const;
  Effective at(std::string_view key);
  config::Core core() const { return scenario_.core; }

 private:
  std::optional<config::Value> value(std::string_view key);
  std::optional<config::Origin> origin(std::string_view key) const;

  const Scenario scenario_;
  Facts facts_;
};

}  // namespace spillway::validate
