#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "tools/config/arguments.hpp"
#include "tools/config/shell/text.hpp"

namespace spillway::config::shell {

/// A stretch of a value: characters that stand side by side in the file, or something that the script does not say.
struct Fragment {
  std::string text;        ///< When open: the expansion as written.
  std::size_t offset = 0;  ///< In the file.
  std::string reason;      ///< Why it is not certain; empty when it is.
  bool open = false;       ///< The characters themselves are not known (as opposed to: whether they are there at all).
};

/// One word, or the value of a variable.
using Field = std::vector<Fragment>;

std::string text_of(const Field& field);
/// The first fragment that is not certain, or nullptr.
const Fragment* uncertain(const Field& field);
/// The field as a word of a command line. `offset` places a field without characters.
Token token_of(const Field& field, std::size_t offset, const Lines& lines);
/// The characters of a field with their places.
Text script_of(const Field& field);

struct Variable {
  std::vector<Field> elements;  ///< One for a plain variable.
  bool array = false;
  bool exported = false;

  /// The value without its index: of an array the first element.
  const Field& scalar() const;
  /// Number of fragments: what a copy costs.
  std::size_t weight() const;
};

/// A value that is either of the two, depending on a condition: what both begin and end with is certain, the rest is not.
/// `line` tells where the condition stands, for the reason.
Variable either(const Variable& a, const Variable& b, const std::string& reason);

/// The variables of a script. Branches work on layers of their own, so that nothing has to be copied to try them out.
class Variables {
 public:
  Variables() : layers_(1) {}

  const Variable* find(std::string_view name) const;
  void set(const std::string& name, Variable value);
  void unset(const std::string& name);
  void mark_exported(const std::string& name);

  using Layer = TextMap<std::optional<Variable>>;  ///< Nothing: unset there.
  void push() { layers_.emplace_back(); }
  /// Ends the innermost layer and gives what was assigned in it.
  Layer pop();
  /// Takes a layer over as it is.
  void apply(Layer layer);

  /// The exported variables, sorted by name; bash exports no arrays.
  std::vector<std::pair<std::string, const Variable*>> exported() const;

 private:
  std::vector<Layer> layers_;
};

}  // namespace spillway::config::shell
