#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/config/arguments.hpp"
#include "tools/config/reader.hpp"

namespace spillway::config {

/// The reader of this name.
const Reader& reader_named(std::string_view name);
/// Reads with the reader, and fails the test when it cannot.
Reading read_with(std::string_view reader, std::string_view text, const ReadContext& context = {});

/// `key=value` in Python's spelling, one a setting: `model.num_layers=4`.
std::vector<std::string> listed(const std::vector<Setting>& settings);
/// `kind subject|detail|expected`, one a remark.
std::vector<std::string> listed(const std::vector<Remark>& remarks);
/// The setting of a key that wins; fails the test when there is none.
Setting winner(const Reading& reading, std::string_view key);
std::string place(const Origin& origin);

/// Words given one by one, without places.
std::vector<Token> tokens(const std::vector<std::string>& words);

/// Writing what was read gives a text that reads to the same keys and values.
void expect_round_trip(std::string_view reader, std::string_view text, const ReadContext& context = {});

}  // namespace spillway::config
