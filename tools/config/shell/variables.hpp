#pragma once

#include <functional>
#include <optional>
#include <set>
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
struct Variable {
  std::vector<Field> elements;  ///< One for a plain variable.
  bool array = false;
  bool exported = false;
  bool integer = false;                ///< `declare -i`: what is assigned is calculated.
  bool keyed = false;                  ///< `declare -A`: an array whose elements have names.
  std::vector<std::string> keys = {};  ///< When keyed: of each element.
  std::size_t bytes = 0;               ///< Of all fragments; Variables::set counts them, append() keeps them.

  /// The value without its index: of an array the first element.
  const Field& scalar() const;
  /// Where the element of a key is or would be.
  std::size_t position(std::string_view key) const;
  /// Number of fragments: what a copy costs.
  std::size_t weight() const;
};

/// A value that is either of the two, depending on a condition: what both begin and end with is certain, the rest is not.
/// `line` tells where the condition stands, for the reason.
Variable either(const Variable& a, const Variable& b, const std::string& reason);

/// The variables of a script. Branches work on layers of their own, so that nothing has to be copied to try them out. A name that
/// was made a reference (`declare -n`) stands for the variable it refers to.
class Variables {
 public:
  Variables() : layers_(1) {}

  /// nullptr when the variable was never set, or is unset again.
  const Variable* find(std::string_view name) const;
  /// The script itself sees to it that the variable does not exist, whatever the environment holds.
  bool is_unset(std::string_view name) const;
  void set(const std::string& name, Variable value);
  void unset(const std::string& name);
  void export_as(const std::string& name, bool exported);
  /// The variable for changes in place, or nullptr. What lies in a layer below is copied up first.
  Variable* own(const std::string& name);
  bool owns(std::string_view name) const { return layers_.back().find(resolve(name)) != layers_.back().end(); }

  void refer(const std::string& name, std::string target) { references_[name] = std::move(target); }
  std::string_view resolve(std::string_view name) const;
  void protect(const std::string& name) { readonly_.insert(name); }
  bool is_readonly(std::string_view name) const { return readonly_.contains(resolve(name)); }

  using Layer = TextMap<std::optional<Variable>>;  ///< Nothing: unset there.
  std::size_t depth() const { return layers_.size(); }
  void push() { layers_.emplace_back(); }
  /// Ends the innermost layer and gives what was assigned in it.
  Layer pop();
  /// Takes a layer over as it is.
  void apply(Layer layer);
  /// What was assigned in all layers from `depth` on.
  Layer flattened(std::size_t depth) const;
  /// How a variable stands, to be given back to restore(): what find() gives, and whether it is surely unset.
  struct State {
    std::optional<Variable> value;
    bool unset = false;
    bool refers = false;  ///< It was made a reference since.
  };
  State state(std::string_view name) const;
  void restore(const std::string& name, State state);

  std::vector<std::string> names() const;
  /// The exported variables, sorted by name; bash exports no arrays.
  std::vector<std::pair<std::string, const Variable*>> exported() const;

 private:
  std::vector<Layer> layers_;
  TextMap<std::string> references_;
  std::set<std::string, std::less<>> readonly_;
};

}  // namespace spillway::config::shell
