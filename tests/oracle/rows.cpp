#include "tests/oracle/rows.hpp"

#include <filesystem>

#include <zlib.h>

#include "tools/config/shell/words.hpp"
#include "tools/config_input.hpp"

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

std::string text_of(const json& node) { return node.is_string() ? node.get<std::string>() : node.dump(); }

/// What is stated about a run beside its configuration.
ConfigInput input_around(const json& input) {
  ConfigInput out;
  out.te = "2.16.0";
  out.gpu = "h100-80g";
  if (input.contains("world_size") && input["world_size"].is_number()) out.world_size = input["world_size"].get<std::int64_t>();
  if (!input.contains("env")) return out;
  for (const auto& [name, value] : input["env"].items()) {
    if (name == "te")
      out.te = text_of(value);
    else if (name == "arch")
      out.gpu = text_of(value).starts_with("10") ? "gb200" : "h100-80g";
    else if (name == "WORLD_SIZE")
      out.world_size = std::stoll(text_of(value));
    else
      out.env.emplace_back(name, text_of(value));
  }
  return out;
}

std::string core_of(const json& row) {
  const std::string tree = row["tree"];
  if (tree == "head") return "main";
  if (tree == "pin") return "bridge-pin";
  return tree.starts_with("core_v") ? tree.substr(6) : tree;
}

/// The fields of both classes as they were passed; names that a class does not have were left out there, too.
std::string classes(const json& row) {
  json out;
  for (const char* part : {"model", "optimizer"}) {
    if (!row["input"].contains(part)) continue;
    out[part] = row["input"][part];
    if (row["verdict"].contains(part) && row["verdict"][part].contains("unknown_fields"))
      for (const auto& field : row["verdict"][part]["unknown_fields"]) out[part].erase(field.get<std::string>());
  }
  return out.dump();
}

void add_core(const json& row, ConfigInput& out) {
  out.launcher = "megatron-core";
  out.mcore = core_of(row);
  out.texts.push_back({row["id"].get<std::string>() + ".json", classes(row)});
}

void add_arguments(const json& row, ConfigInput& out) {
  out.launcher = "megatron-lm";
  out.mcore = core_of(row);
  out.script = row["input"]["script"].is_string() ? row["input"]["script"].get<std::string>() : "gpt";
  std::string text;
  for (const auto& word : row["input"]["argv"]) text += config::shell::quoted_word(word.get<std::string>()) + " ";
  out.texts.push_back({row["id"].get<std::string>() + ".txt", text});
}

void add_bridge(const json& row, ConfigInput& out) {
  const json& input = row["input"];
  out.launcher = "bridge";
  out.mcore = "bridge-pin";
  const std::string file =
      input.contains("yaml_file") ? std::filesystem::path(input["yaml_file"].get<std::string>()).filename().string() : "";
  const std::string dump = shared_data("bridge_yaml/" + file);
  if (!file.empty() && std::filesystem::exists(dump))
    out.sources.push_back(dump);
  else
    out.recipe = input["recipe"];
  if (input.contains("yaml") && input["yaml"].is_string()) out.texts.push_back({row["id"].get<std::string>() + ".yaml", input["yaml"]});
  if (input.contains("overrides"))
    for (const auto& token : input["overrides"]) out.overrides.push_back(token.get<std::string>());
}

}  // namespace

Result<validate::Question> question_of(const json& row) {
  ConfigInput input = input_around(row["input"]);
  const std::string layer = row["layer"];
  if (layer == "L1") add_core(row, input);
  if (layer == "L2") add_arguments(row, input);
  if (layer == "L3") add_bridge(row, input);
  return read_input(input, {});
}

}  // namespace spillway::oracle
