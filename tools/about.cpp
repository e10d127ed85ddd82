#include "tools/about.hpp"

namespace spillway {

std::string_view program_version() { return SPILLWAY_VERSION; }

}  // namespace spillway
