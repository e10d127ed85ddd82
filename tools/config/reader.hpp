#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "tools/config/train_config.hpp"
#include "tools/config/version.hpp"

namespace spillway::config {

/// What a reader may know besides the text.
struct ReadContext {
  std::string name;                   ///< File name, for messages only.
  Core core = Core::kMain;            ///< Which version's options and keys exist.
  std::string script = "gpt";         ///< Megatron-LM entry script; decides which extra options exist.
  std::optional<Launcher> launcher;   ///< Stated by the user, if so.
  std::size_t max_nodes = 1'000'000;  ///< Values in one source, aliases expanded.
};

/// One input form. The file name of a reader is its name in snake_case.
struct Reader {
  std::string_view name;     ///< Stable word, e.g. `bridge-yaml`.
  std::string_view title;    ///< For people: "Megatron-Bridge override YAML".
  std::string_view example;  ///< A few lines in this form, for documentation and tests; must read without remarks.

  /// How surely the text is of this form, from its content: 0 (no) … 100 (certain). The surest reader reads.
  int (*recognise)(std::string_view text);

  /// Errors: `bad-syntax` with line and column when the text cannot be read at all; oddities become remarks instead.
  Result<Reading> (*read)(std::string_view text, const ReadContext& context);

  /// Settings in this form, such that reading gives the same settings back; nullptr when the form is never written.
  /// Errors: `not-expressible` for a value the form cannot hold.
  Result<std::string> (*write)(const std::vector<Setting>& settings, const ReadContext& context);

  /// Texts that may be the given one with a change, the best looking first; edit_source takes the first that proves right.
  /// `reading` is what the text says. nullptr when texts of this form are never changed.
  std::vector<std::string> (*edit)(std::string_view text, const Reading& reading, const Edit& edit, const ReadContext& context);
};

namespace readers {
/// Every member of tools/config/readers/, in the order of the file names.
std::vector<Reader> all();
}  // namespace readers

/// Structured forms above this size are refused.
inline constexpr std::size_t kMaxSourceBytes = 16u << 20;

/// Recognises and reads a text.
/// Errors: `empty-source`, `binary-source`, `unknown-form` (lists the forms), and the errors of the reader.
Result<Reading> read_source(std::string_view text, const ReadContext& context);

}  // namespace spillway::config
