#pragma once

#include <optional>
#include <vector>

#include "tools/config/python_tokens.hpp"

namespace spillway::config {

/// A statement with what stands below it. Lifetime: refers to the lines that it was made of.
struct PythonStatement {
  const std::vector<PythonToken>* tokens = nullptr;
  std::size_t begin = 0;             ///< Where it starts in the line.
  std::optional<std::size_t> colon;  ///< What ends the header of a compound statement.
  std::vector<PythonStatement> body;

  const PythonToken& first() const { return (*tokens)[begin]; }
  bool starts_with(std::string_view word) const { return first().is_name(word); }
};

/// The statements of the lines, each with its block. Lines that are indented for no reason belong to the block around them.
std::vector<PythonStatement> python_statements(const std::vector<PythonLine>& lines);

/// Names that a block assigns by `NAME = …`, at any depth but that of a function or class.
void collect_assigned(const std::vector<PythonStatement>& block, std::vector<std::string>& names);

}  // namespace spillway::config
