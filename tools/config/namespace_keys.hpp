#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "tools/config/reader.hpp"
#include "tools/config/tables/tables.hpp"

namespace spillway::config {

/// The names of Megatron-LM's argument namespace (`args.NAME`, argparse's dest) and the canonical keys behind them.
/// Lifetime: refers to the context.
class NamespaceKeys {
 public:
  explicit NamespaceKeys(const ReadContext& context) : context_(context) {}

  struct Target {
    std::string key;
    bool inverted = false;  ///< The name says no where the key says yes: `no_load_optim`, `checkpoint.load_optim`.
  };
  /// Nothing for a name that no option of the version and entry script has.
  std::optional<Target> find(std::string_view name);
  /// The name behind a canonical key, if an option writes it.
  std::optional<std::string> name_of(std::string_view key) const;
  /// Every name, for suggestions.
  std::vector<std::string_view> names();

 private:
  const std::map<std::string, tables::Flag, std::less<>>& all();

  const ReadContext& context_;
  std::map<std::string, tables::Flag, std::less<>> flags_;  ///< Filled on first need: most names are spelled as their option.
};

}  // namespace spillway::config
