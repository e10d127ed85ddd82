#include "tools/docs/pages.hpp"

namespace spillway::docs {

std::vector<Page> pages(const std::vector<validate::Rule>& rules, const std::vector<AnyTool>& tools, const Examples& examples) {
  const std::string folder(kFolder);
  std::map<std::string, std::string> out;
  for (const auto& rule : rules) {
    const auto example = examples.find(rule.code);
    out[folder + "/rules/" + std::string(rule.code) + ".md"] = rule_page(rule, example == examples.end() ? nullptr : &example->second);
    std::string& family = out[folder + "/rules/" + std::string(family_of(rule)) + ".md"];
    if (family.empty()) family = family_page(family_of(rule), rules);
  }
  out[folder + "/rules/README.md"] = families_page(rules);
  for (const auto& tool : tools) out[folder + "/tools/" + std::string(tool.info().command) + ".md"] = tool_page(tool);
  out[folder + "/tools.md"] = tools_page(tools);
  std::vector<Page> list;
  for (auto& [path, text] : out) list.push_back({path, std::move(text)});
  return list;
}

}  // namespace spillway::docs
