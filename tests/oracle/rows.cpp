#include "tests/oracle/rows.hpp"

#include <zlib.h>

namespace spillway::oracle {

std::vector<nlohmann::json> rows_of(const std::string& path) {
  std::vector<nlohmann::json> rows;
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return rows;
  std::string line;
  char buffer[1 << 16];
  while (gzgets(file, buffer, sizeof buffer) != nullptr) {
    line += buffer;
    if (line.back() != '\n') continue;
    rows.push_back(nlohmann::json::parse(line));
    line.clear();
  }
  gzclose(file);
  return rows;
}

std::string shared_data(const std::string& name) { return std::string(SPILLWAY_SOURCE_DIR) + "/../shared/data/" + name; }

}  // namespace spillway::oracle
