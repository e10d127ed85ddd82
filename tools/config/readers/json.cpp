#include "tools/config/reader.hpp"

namespace spillway::config::readers {
Reader json() { return {"json", "JSON", "{}", [](std::string_view) { return 0; }, [](std::string_view, const ReadContext&) -> Result<Reading> { return Reading{}; }, nullptr}; }
}  // namespace spillway::config::readers
