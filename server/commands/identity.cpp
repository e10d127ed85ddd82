#include "server/commands/identity.hpp"

#include "tools/about.hpp"

namespace spillway::commands {

mcp::Options identity() {
  mcp::Options options;
  options.version = program_version();
  options.instructions =
      "Spillway answers questions about CPU offloading in Megatron-Bridge and Megatron-LM trainings without running them. "
      "Call validate_config before a launch, with whatever states the configuration: files (sources), text (config_text), a recipe name, "
      "overrides, or an argument list (args). Read verdict and summary first; the finding marked first is the failure that the run would "
      "show. "
      "verdict unknown means that a value decides which nobody gave: missing says which, and how to state it. explain_rule says why a rule "
      "exists. compare_configs says what a changed configuration or an updated container did to a run that worked before.";
  return options;
}

}  // namespace spillway::commands
