#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "tools/config/reader.hpp"

/// What every reader promises for every text: it is recognised within 0 … 100, reading ends with a Reading or a message, and what
/// is written of a reading without unknown values reads back as the same settings.
namespace spillway::config::fuzz {

[[noreturn]] inline void fail(std::string_view what, std::string_view detail) {
  std::fprintf(stderr, "%.*s\n%.*s\n", static_cast<int>(what.size()), what.data(), static_cast<int>(detail.size()), detail.data());
  std::abort();
}

/// The winners as text, sorted; text because not-a-number is unequal to itself.
inline std::vector<std::string> facts(const Reading& reading) {
  std::vector<std::string> out;
  std::vector<std::string_view> seen;
  for (auto setting = reading.settings.rbegin(); setting != reading.settings.rend(); ++setting) {
    if (std::find(seen.begin(), seen.end(), setting->key) != seen.end()) continue;
    seen.push_back(setting->key);
    out.push_back(setting->key + " = " + setting->value.repr());
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// With `as_read`, writing is told the launcher that reading found.
inline void check(const Reader& reader, std::string_view text, bool as_read = false) {
  const int certainty = reader.recognise(text);
  if (certainty < 0 || certainty > 100) fail("certainty out of range", std::to_string(certainty));
  ReadContext context;
  context.name = "fuzz";
  context.max_nodes = 20'000;
  const auto reading = reader.read(text, context);
  if (!reading) {
    if (reading.error().code.empty() || reading.error().message.empty()) fail("an error that says nothing", text);
    return;
  }
  if (reading->form != reader.name) fail("the reading names another form", reading->form);
  if (reader.write == nullptr) return;
  const bool open =
      std::any_of(reading->settings.begin(), reading->settings.end(), [](const Setting& setting) { return setting.value.holds_unknown(); });
  if (open || reading->settings.size() > 2'000) return;
  if (as_read) context.launcher = reading->launcher;
  const auto written = reader.write(reading->settings, context);
  if (!written) return written.error().code == "not-expressible" ? void() : fail("writing fails", written.error().message);
  const auto again = reader.read(*written, context);
  if (!again) {
    if (reading->settings.empty()) return;
    fail("what was written does not read: " + again.error().message, *written);
  }
  if (facts(*again) != facts(*reading)) fail("what was written reads differently", *written);
}

}  // namespace spillway::config::fuzz

namespace spillway::config::readers {
Reader bridge_dump();
Reader bridge_overrides();
Reader bridge_yaml();
Reader functional_test();
Reader json();
Reader megatron_arguments();
Reader python_recipe();
Reader shell_script();
Reader yaml_cfg();
}  // namespace spillway::config::readers
