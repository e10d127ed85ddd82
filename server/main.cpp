#include <unistd.h>

#include <csignal>

#include "server/commands/docs.hpp"
#include "server/commands/mcp.hpp"
#include "tools/catalog.hpp"
#include "tools/cli/cli.hpp"
#include "tools/cli/terminal.hpp"

/// The program: one command line in, two texts and a status out.
int main(int argc, char** argv) {
  using namespace spillway;
  cli::occupy_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);  // A reader that goes away ends the output, not the program.
  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  const std::vector<AnyTool> tools = catalog::all();
  const cli::Outcome outcome = cli::run(args, tools, {commands::mcp(tools), commands::docs(tools)}, cli::look_around());
  const int lost = cli::write_all(STDOUT_FILENO, outcome.out);
  cli::write_all(STDERR_FILENO, outcome.err);
  if (lost == 0) return outcome.status;
  cli::write_all(STDERR_FILENO, text_of({cli::unwritable(lost)}, {}));
  return cli::kNotAsked;
}
