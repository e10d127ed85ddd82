#include "tests/oracle/rows.hpp"

#include <set>

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

namespace {

using nlohmann::json;

config::Value value_of(const json& node) {
  if (node.is_boolean()) return node.get<bool>();
  if (node.is_number_integer()) return node.get<std::int64_t>();
  if (node.is_number_float()) return node.get<double>();
  if (node.is_string()) return node.get<std::string>();
  if (node.is_null()) return config::Null{};
  config::List list;
  config::Map map;
  if (node.is_array())
    for (const auto& item : node) list.push_back(value_of(item));
  else
    for (const auto& [key, item] : node.items()) map.emplace_back(key, value_of(item));
  return node.is_array() ? config::Value(list) : config::Value(map);
}

}  // namespace

validate::Question question_of(const json& row) {
  validate::Question question;
  question.launcher = config::Launcher::kMegatronCore;
  question.core = config::parse_core(row["tree"].get<std::string>());
  question.te = Version{2, 16, 0};
  const auto& input = row["input"];
  if (input.contains("env") && input["env"].contains("te")) question.te = Version::parse(input["env"]["te"].get<std::string>());
  config::Reading reading;
  for (const char* part : {"model", "optimizer"}) {
    if (!input.contains(part)) continue;
    std::set<std::string> unknown;
    if (row["verdict"].contains(part) && row["verdict"][part].contains("unknown_fields"))
      for (const auto& field : row["verdict"][part]["unknown_fields"]) unknown.insert(field.get<std::string>());
    for (const auto& [field, value] : input[part].items())
      if (!unknown.contains(field)) reading.settings.push_back({std::string(part) + "." + field, value_of(value), {}});
  }
  question.config.stack({row["id"], "", ""}, std::move(reading));
  return question;
}

}  // namespace spillway::oracle
