#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/config/python_machine.hpp"

namespace spillway::config {

/// Reads the expressions of one statement line. Literals, containers, arithmetic on numbers, known names, attributes of the
/// configuration, and calls of the classes it is made of are understood; the keyword arguments of such a call become settings. Anything
/// else is Unknown with its text.
class PythonExpression {
 public:
  /// Lifetime: refers to all of them.
  PythonExpression(PythonMachine& machine, std::string_view source, const std::vector<PythonToken>& tokens)
      : machine_(machine), source_(source), tokens_(tokens) {}

  /// The expression in [begin, end) of the line. A tuple without parentheses is one too.
  PythonTerm whole(std::size_t begin, std::size_t end);
  /// As a value.
  Value value(std::size_t begin, std::size_t end);
  /// What the left side of an assignment names; nothing of it when that is not understood.
  PythonTerm target(std::size_t begin, std::size_t end);
  /// What is written in [begin, end).
  std::string_view written(std::size_t begin, std::size_t end) const;
  Origin origin(std::size_t at, std::string spelling) const;

 private:
  using Argument = PythonArgument;

  bool at_end() const { return at_ >= end_; }
  bool next_is(std::string_view op) const { return !at_end() && tokens_[at_].is(op); }
  bool take(std::string_view op);
  bool at_boundary() const;
  void skip_to_boundary();
  void skip_past_close();

  PythonTerm element();
  void operands();
  PythonTerm lambda();
  Value element_value();
  PythonTerm sum();
  PythonTerm product();
  PythonTerm factor();
  PythonTerm postfix();
  PythonTerm atom();
  PythonTerm number(const PythonToken& token);
  PythonTerm strings();
  PythonTerm list(std::string_view close, bool tuple);
  PythonTerm dictionary();
  PythonTerm subscript(const PythonTerm& of);
  std::vector<Argument> arguments();
  PythonTerm call(const PythonTerm& callee, std::size_t begin);
  PythonTerm construct(const std::string& section, std::vector<Argument>& given);
  PythonTerm builtin(const std::string& name, const std::vector<Argument>& given, bool& known);
  PythonTerm named_call(const PythonTerm& callee, std::vector<Argument>& given, std::size_t begin, std::size_t mark);
  std::optional<PythonTerm> attribute_call(std::string_view name, const std::vector<Argument>& given, std::size_t begin);
  PythonTerm unfollowed(std::string_view name, const std::vector<Argument>& given, std::size_t begin);
  PythonTerm method(const PythonTerm& callee, const std::vector<Argument>& given, std::size_t begin);
  bool update(const std::string& path, const std::vector<Argument>& given);
  PythonTerm container_method(const PythonTerm& callee, const std::vector<Argument>& given, std::size_t begin);
  std::optional<PythonTerm> process_environment(const PythonTerm& callee, const std::vector<Argument>& given);
  PythonTerm unknown(std::size_t begin, std::string reason) const;

  PythonMachine& machine_;
  std::string_view source_;
  const std::vector<PythonToken>& tokens_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  int depth_ = 0;
};

}  // namespace spillway::config
