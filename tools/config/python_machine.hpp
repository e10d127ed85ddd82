#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "tools/config/python_tokens.hpp"

namespace spillway::config {

/// What an expression stands for, as far as that can be told without running it.
struct PythonTerm {
  Value value = Unknown{};          ///< Unknown unless something better is known.
  std::optional<std::string> path;  ///< It is a part of the configuration: its path from the root, "" for the root itself.
  std::string name;                 ///< It is a dotted name and nothing more.
  std::string function;             ///< It is what a function of this (dotted) name returned.
};

/// The part of the configuration that objects of a class are: `optimizer` for OptimizerConfig, `model` for any …Provider, "" for
/// ConfigContainer.
std::optional<std::string> section_of_class(std::string_view name);

/// What is known while the statements of a recipe go by: variables, imports, and the settings made so far.
class PythonMachine {
 public:
  explicit PythonMachine(const ReadContext& context) : context_(context) {}

  // Names
  PythonTerm look_up(std::string_view name);
  PythonTerm attribute(const PythonTerm& of, std::string_view name) const;
  /// The value of a term; of a part of the configuration what it was set to, of an enum member its name, of a dtype its dotted name.
  Value value_of(const PythonTerm& term, std::string_view written);
  void bind(const std::string& name, PythonTerm term, std::string_view written);
  void import(const std::string& name, std::string dotted) { imports_[name] = std::move(dotted); }
  void define(const std::string& function) { functions_.insert(function); }
  bool is_defined(std::string_view function) const { return functions_.contains(function); }

  // Effects
  /// `origin.spelling` is what is written on the left.
  void set(const std::string& path, Value value, Origin origin);
  /// A new object takes the place of a section: what was set below it before is gone. `mark` is the number of settings before it was made.
  void replace_section(const std::string& path, std::size_t mark);
  void recipe(std::string_view name, const Origin& origin);
  void unresolved(const std::string& key, const Unknown& what, const Origin& origin);
  void ignored(std::string subject, std::string why, const Origin& origin);
  std::size_t mark() const { return reading.settings.size(); }

  const ReadContext& context() const { return context_; }
  /// The line of the condition that decides whether the present statement runs; 0: it always runs.
  int condition = 0;
  bool uses_bridge = false;
  bool uses_core = false;
  Reading reading;

 private:
  std::string unset(std::string_view path) const;
  void oddities(const std::string& key, const Value& value, const Origin& origin);
  const Setting* current(const std::string& key) const;

  const ReadContext& context_;
  std::map<std::string, PythonTerm, std::less<>> variables_;
  std::map<std::string, std::string, std::less<>> imports_;
  std::set<std::string, std::less<>> functions_;
  std::unordered_map<std::string, std::size_t> last_;  ///< Where each key was set last.
  std::size_t copied_ = 0;
  int suggested_ = 0;
  int replaced_ = 0;
};

}  // namespace spillway::config
