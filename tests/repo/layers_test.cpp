// The parts see each other in one direction only: base <- runtime <- tools <- server. Read from the #include lines.
#include <filesystem>
#include <map>

#include "base/files.hpp"
#include "base/text.hpp"

namespace spillway {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = SPILLWAY_SOURCE_DIR;
const std::map<std::string, int> kLayer = {{"base", 0}, {"runtime", 1}, {"tools", 2}, {"skill", 2}, {"server", 3}};

bool is_source(const fs::path& path) { return path.extension() == ".cpp" || path.extension() == ".hpp"; }

std::vector<fs::path> sources_of(const std::string& part) {
  std::vector<fs::path> found;
  if (fs::exists(kRoot / part))
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / part))
      if (is_source(entry.path())) found.push_back(entry.path());
  return found;
}

std::vector<std::string> included_by(const fs::path& path) {
  std::vector<std::string> names;
  const auto text = read_file(path.string(), 4u << 20);
  if (!text.ok()) return names;
  for (const auto line : split(*text, '\n'))
    if (line.starts_with("#include \"")) names.emplace_back(line.substr(10, line.rfind('"') - 10));
  return names;
}

TEST(Layers, PointOneWay) {
  int seen = 0;
  for (const auto& [part, layer] : kLayer)
    for (const auto& path : sources_of(part))
      for (const auto& name : included_by(path)) {
        const auto top = kLayer.find(name.substr(0, name.find('/')));
        ASSERT_NE(top, kLayer.end()) << path << " includes \"" << name << "\", which does not start with a part's folder";
        EXPECT_LE(top->second, layer) << path << " includes " << name;
        ++seen;
      }
  EXPECT_GT(seen, 50) << "the test has to look at the real tree";
}

TEST(Layers, NamespaceIsThePath) {
  for (const auto& [part, layer] : kLayer)
    for (const auto& path : sources_of(part)) {
      if (path.extension() != ".hpp") continue;
      const fs::path inside = fs::relative(path.parent_path(), kRoot / part);
      std::string wanted = "namespace spillway";
      if (inside != ".")
        for (const auto& piece : inside) wanted += "::" + piece.string();
      const auto text = read_file(path.string(), 4u << 20);
      ASSERT_TRUE(text.ok());
      EXPECT_NE(text->find(wanted + " {"), std::string::npos) << path << " should declare " << wanted;
    }
}

}  // namespace
}  // namespace spillway
