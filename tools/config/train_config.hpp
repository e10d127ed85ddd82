#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/config/value.hpp"

namespace spillway::config {

/// Who interprets the configuration; decides defaults, normalisation and which checks run.
enum class Launcher { kBridge, kMegatronLm, kMegatronLmYaml, kMegatronCore };

/// `bridge`, `megatron-lm`, `megatron-lm-yaml`, `megatron-core`.
std::string_view name(Launcher launcher);
/// Understands the names above and human spellings ("Megatron-Bridge", "mlm", "core").
std::optional<Launcher> parse_launcher(std::string_view text);

/// Where a value stands.
struct Origin {
  int source = -1;       ///< Index into TrainConfig::sources; -1: no source (a table, a default).
  int line = 0;          ///< 1-based; 0: not known.
  int column = 0;        ///< 1-based, in bytes; 0: not known.
  std::string spelling;  ///< The key as written: `--cpu-offloading-num-layers`, `model.transformer.cpu_offloading`.
};

/// One value the user gave.
struct Setting {
  /// Canonical key, provider style: `model.cpu_offloading`, `optimizer.optimizer_cpu_offload`, `ddp.…`, `env.NAME` for the
  /// process environment, `args.DEST` for a Megatron-LM option that is no Megatron-Core field.
  std::string key;
  Value value;
  Origin origin;
};

/// A change of one key. edit_source writes it into a text.
struct Edit {
  enum class Kind { kSet, kRemove };
  Kind kind = Kind::kSet;
  std::string key;  ///< Canonical.
  Value value;
};

/// Something odd that a reader saw in the form itself. Data for the FORM rules; a reader never judges.
struct Remark {
  enum class Kind {
    kUnknownFlag,   ///< An option the launcher's parser does not have. subject: the option.
    kFlagValue,     ///< A value after an option that takes none. subject: the option, detail: the value.
    kMissingValue,  ///< An option without the value it needs. subject: the option, detail: how many are expected.
    kBadValue,      ///< A value of the wrong type. subject: the option, detail: the value; expected: `int`, `float`, …
    kBadChoice,     ///< A value outside the choices. subject: the option, detail: the value; expected: the choices.
    kUnknownKey,   ///< A configuration key that does not exist. subject: the key, detail in an override word: `=` and the value as written.
    kAddedKey,     ///< `+key=` / `++key=` with an unknown key. subject: the key, detail: `=` and the value as written.
    kAddExisting,  ///< `+key=` on a key that exists. subject: the key, detail: `=` and the value as written.
    kDeletedKey,   ///< `~key`. subject: the key, detail: the value given, if any.
    kSyntax,       ///< A token or line that does not parse. subject: the text, detail: what is wrong.
    kDuplicate,    ///< The same key twice in one source; the later one wins. subject: the key.
    kUnresolved,   ///< A value that cannot be resolved statically. subject: the key, detail: the text, expected: the reason.
    kOpenWords,    ///< Words of a command that cannot be resolved and may be anything. subject: as written, expected: the reason.
    kTakenAs,      ///< Something the text leaves to its caller was taken for granted. subject: as written, expected: as what.
    kNoneString,   ///< The word None where null was meant. subject: the key.
    kBoolString,   ///< A quoted boolean. subject: the key, detail: the text.
    kListString,   ///< A comma list that is one string. subject: the key, detail: the text.
    kFalseFlag,    ///< `--flag: false` in a functional test's MODEL_ARGS. subject: the option.
    kYaml11Bool,   ///< yes/no/on/off: a grey area. subject: the key, detail: the text.
    kUnknownTag,   ///< A YAML tag nobody resolves. subject: the key, detail: the tag.
    kIgnored,      ///< A part of the source that is not understood and was left out. subject: what, detail: why.
  };
  Kind kind;
  std::string subject;
  std::string detail;
  std::string expected;
  std::vector<std::string> suggestions;  ///< Nearest existing names, best first.
  Origin origin;
};

/// What one text says: the result of a reader.
struct Reading {
  std::string form;                  ///< Name of the reader, e.g. `bridge-yaml`.
  std::optional<Launcher> launcher;  ///< What the form implies, if anything.
  std::vector<Setting> settings;     ///< In the order written; a later one of the same key wins.
  std::vector<Remark> remarks;
  std::optional<Setting> recipe;  ///< `--recipe NAME` or a recipe function called; value: the name.
};

/// One text the user gave.
struct Source {
  std::string name;  ///< File name, `-`, or what it was given as (`--set`, `--args`).
  std::string text;  ///< As given; what may be changed and written back. What is shown of it goes through masked().
  std::string form;  ///< Name of the reader that understood it.
};

/// Whether it has a file of its own: it is neither standard input nor the text of an option.
bool is_file(const Source& source);

/// Everything the user gave, each value with its origin. Several sources stack: later settings win.
struct TrainConfig {
  std::vector<Source> sources;
  std::vector<Setting> settings;
  std::vector<Remark> remarks;
  std::optional<Launcher> launcher;
  std::optional<Setting> recipe;

  /// The winning setting of a canonical key, or nullptr. Cost: linear.
  const Setting* find(std::string_view key) const;
  /// Adds a reading as the next source; its settings win over all before. Secrets are masked in everything but the source's text.
  void stack(Source source, Reading reading);
};

}  // namespace spillway::config
