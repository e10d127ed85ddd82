#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/config/train_config.hpp"

namespace spillway::config {

/// A framework around Megatron and how it spells Megatron's fields: one file of `front_ends/` each.
/// Shape of a file: lines of tab-separated words, comments behind `#`. `name`, `launcher` (who checks what it builds), `sign` (a path that
/// begins so is this front end's; of several the longest counts), `prefix SPELLED SECTION [fields]` (paths below the one name keys below
/// the other; `fields`: only where Megatron has such a field), `key SPELLED KEY`, `switch KEY PREFIX` (when the key is off, nothing below
/// the prefix counts), `implies KEY VALUE KEY VALUE` (the one brings the other), `default KEY VALUE` (what holds where its configuration
/// says nothing), `command WORDS` (starts it), `null WORD` (its word for null on a command line), `source TEXT` (where the defaults are
/// from). Values are JSON.
struct FrontEnd {
  struct Prefix {
    std::string_view spelled, section;
    bool fields_only = false;
  };
  struct Rename {
    std::string_view spelled, key;
  };
  struct Switch {
    std::string_view key, prefix;
  };
  struct Implied {
    std::string_view when;
    Value is;
    std::string_view key;
    Value value;
  };
  std::string_view name;
  Launcher launcher = Launcher::kMegatronCore;
  std::vector<std::string_view> signs;
  std::vector<Prefix> prefixes;
  std::vector<Rename> keys;
  std::vector<Switch> switches;
  std::vector<Implied> implied;
  std::vector<Setting> defaults;  ///< No source; the spelling says whose they are.
  std::vector<std::vector<std::string_view>> commands;
  std::string_view null_word;
  std::string_view source;  ///< Repository and commit that the defaults are from.
};

/// All of them, in the order of the file names.
/// Threads: may be called concurrently.
const std::vector<FrontEnd>& front_ends();

/// The front end whose sign the path begins with, or nullptr.
const FrontEnd* front_end_of_path(std::string_view spelling);
/// The front end that settings were written for, by how they are spelt or by the command that was read; nullptr when it is none.
const FrontEnd* front_end_of(const std::vector<Setting>& settings);
/// The front end of that name, or nullptr.
const FrontEnd* find_front_end(std::string_view name);

/// The key that one step of renaming makes of a path, or nothing.
std::optional<std::string> front_end_key(std::string_view spelling);

/// The switches of the front end that the settings turn off.
std::vector<FrontEnd::Switch> switched_off(const FrontEnd& front_end, const std::vector<Setting>& settings);
/// One of the switches takes the setting out of the configuration.
bool is_below(const std::vector<FrontEnd::Switch>& switches, const Setting& setting);

/// What the settings imply beyond what they say, each with the place of the one that implies it.
std::vector<Setting> implied_settings(const FrontEnd& front_end, const std::vector<Setting>& settings);

/// Completes what a reader made of a text that is written for a front end: the launcher, and a note on keys that stand where Megatron's
/// fields are expected and name none. Does nothing for other texts.
void complete_for_front_end(Reading& reading);

/// A command that starts a front end's training.
struct CommandFound {
  std::size_t words = 0;  ///< So many words it is; 0: none.
  const FrontEnd* front_end = nullptr;
};
/// The longest command that the words begin with.
CommandFound find_command(const std::vector<std::string_view>& words);

namespace front_end_files {
std::vector<std::string_view> texts();
}  // namespace front_end_files

}  // namespace spillway::config
