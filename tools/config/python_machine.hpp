#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/config/python_tokens.hpp"

namespace spillway::config {

/// What an expression stands for, as far as that can be told without running it.
struct PythonTerm {
  Value value = Unknown{};                 ///< Unknown unless something better is known.
  std::optional<std::string> path;         ///< It is a part of the configuration: its path from the root, "" for the root itself.
  std::string name;                        ///< It is a dotted name and nothing more.
  std::string function;                    ///< It is what a function of this (dotted) name returned.
  std::optional<std::string> within = {};  ///< It is, or holds, some part of the configuration below this path.
  std::string variable = {};               ///< It was read from this variable.
  std::string method = {};                 ///< It is a method of the container in that variable; `value` is the container.
  bool more = false;                       ///< A dictionary into which unknown entries were brought.

  /// The path below which a change of it would change the configuration.
  std::optional<std::string> reach() const { return path ? path : within; }
};

/// One argument of a call.
struct PythonArgument {
  std::string keyword;
  std::size_t stars = 0;
  std::size_t begin = 0, end = 0;  ///< Tokens.
  PythonTerm term;
};

/// The part of the configuration that objects of a class are: `optimizer` for OptimizerConfig, `model` for any …Provider, "" for
/// ConfigContainer.
std::optional<std::string> section_of_class(std::string_view name);

/// What is known while the statements of a recipe go by: variables, imports, and the settings made so far.
class PythonMachine {
 public:
  explicit PythonMachine(const ReadContext& context) : context_(context), scopes_(1) {}

  // Names
  PythonTerm look_up(std::string_view name);
  PythonTerm attribute(const PythonTerm& of, std::string_view name) const;
  /// The value of a term; of a part of the configuration what it was set to, of an enum member its name, of a dtype its dotted name.
  Value value_of(const PythonTerm& term, std::string_view written);
  void bind(const std::string& name, PythonTerm term, std::string_view written);
  /// A variable gets a value that the text does not tell.
  void bind_unknown(const std::string& name, std::string_view written, std::string reason);
  /// A parameter gets what the caller gives, under whatever condition the call stands.
  void bind_argument(const std::string& name, PythonTerm term);
  /// A parameter that nobody gives: its default is taken, and a remark says so as soon as it is used.
  void bind_default(const std::string& name, PythonTerm term, std::string_view written, const Origin& origin);
  /// A container changes in place; what it was assigned to shares it.
  void replace_container(const std::string& variable, Value value, std::string_view written, const Origin& origin);
  void import(const std::string& name, std::string dotted);
  void define(const std::string& function) { functions_.insert(function); }
  bool is_defined(std::string_view function) const { return functions_.contains(function); }

  // Scopes of functions
  void enter() { scopes_.emplace_back(); }
  void leave() { scopes_.pop_back(); }
  void global(const std::string& name) { scopes_.back().globals.insert(name); }

  // Effects
  /// `origin.spelling` is what is written on the left.
  void set(const std::string& path, Value value, Origin origin);
  /// As set(), with a value from this variable, which may be a container that changes later.
  void set_from(const PythonTerm& term, const std::string& path, Value value, Origin origin);
  /// A variable of the process environment.
  void set_environment(const std::string& name, Value value, Origin origin);
  /// A new object takes the place of a section: what was set below it before is gone. `mark` is the number of settings before it was made.
  void replace_section(const std::string& path, std::size_t mark, std::string_view written, const Origin& origin);
  /// Something that is not followed may change any value below this path; what was set there before is no longer known.
  void may_change(const std::string& path, std::string_view written, const Origin& origin);
  /// An object that is not known takes the place of a part, if the part has keys of its own.
  void replaced_unseen(const std::string& path, std::string_view written, const Origin& origin);
  void recipe(std::string_view name, const Origin& origin);
  void unresolved(const std::string& key, const Unknown& what, const Origin& origin);
  void ignored(std::string subject, std::string why, const Origin& origin);
  void taken(std::string subject, std::string as, const Origin& origin);
  std::size_t mark() const { return reading.settings.size(); }

  const ReadContext& context() const { return context_; }
  /// Runs a function that the text defines; nothing for any other.
  std::function<std::optional<PythonTerm>(const std::string& name, const std::vector<PythonArgument>& given)> call;
  /// The line of the condition that decides whether the present statement runs; 0: it always runs.
  int condition = 0;
  bool uses_bridge = false;
  bool uses_core = false;
  Reading reading;

 private:
  struct Variable {
    PythonTerm term;
    std::string taken = {};  ///< As what a default was taken, until somebody uses it.
    Origin origin = {};
    std::vector<std::string> shared = {};  ///< Keys that hold the same container.
  };
  struct Scope {
    std::map<std::string, Variable, std::less<>> variables;
    std::set<std::string, std::less<>> globals;
  };

  Variable settled(PythonTerm term);
  Variable* find(std::string_view name);
  Variable& target(const std::string& name);
  std::string unset(std::string_view path) const;
  void oddities(const std::string& key, const Value& value, const Origin& origin);
  const Setting* current(const std::string& key) const;
  void forget(const std::string& key, const std::string& reason);

  const ReadContext& context_;
  std::vector<Scope> scopes_;  ///< Of the module, then of each function that runs.
  std::map<std::string, std::string, std::less<>> imports_;
  std::set<std::string, std::less<>> functions_;
  std::unordered_map<std::string, std::size_t> last_;  ///< Where each key was set last.
  std::size_t copied_ = 0;
  int suggested_ = 0;
  int replaced_ = 0;
  bool lost_ = false;  ///< More changes than are followed.
};

}  // namespace spillway::config
