#include "tools/validate/finding.hpp"

namespace spillway::validate {

std::string_view name(Severity severity) {
  constexpr std::string_view names[] = {"info", "warning", "error"};
  return names[static_cast<std::size_t>(severity)];
}

std::string_view name(Stage stage) {
  constexpr std::string_view names[] = {"parse", "args", "config", "bridge", "build", "fwd", "step", "save", "load"};
  return names[static_cast<std::size_t>(stage)];
}

std::string_view name(Fix::Safety safety) {
  constexpr std::string_view names[] = {"safe", "unsafe", "display-only"};
  return names[static_cast<std::size_t>(safety)];
}

}  // namespace spillway::validate
