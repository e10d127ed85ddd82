#include "reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto reader = spillway::config::readers::megatron_arguments();
  spillway::config::fuzz::check(reader, {reinterpret_cast<const char*>(data), size});
  return 0;
}
