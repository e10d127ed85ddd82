#pragma once

#include "server/mcp/server.hpp"

namespace spillway::commands {

/// Who this server says it is, whatever the transport.
mcp::Options identity();

}  // namespace spillway::commands
