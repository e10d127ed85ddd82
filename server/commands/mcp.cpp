#include "server/commands/mcp.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "base/secrets.hpp"
#include "base/visible.hpp"
#include "server/commands/identity.hpp"
#include "server/mcp/dispatcher.hpp"
#include "server/transport/stdio.hpp"
#include "tools/cli/terminal.hpp"

namespace spillway::commands {
namespace {

/// Written to by the signal handler; a pipe, because a blocked reader must wake up.
int wake_pipe[2] = {-1, -1};

void on_signal(int) {
  const char byte = 0;
  (void)!::write(wake_pipe[1], &byte, 1);
}

/// The descriptor that becomes readable when the process is asked to end.
int listen_for_signals() {
  if (::pipe2(wake_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  struct sigaction action {};
  action.sa_handler = on_signal;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
  return wake_pipe[0];
}

cli::Outcome serve(const std::vector<AnyTool>& tools) {
  mcp::Options options = identity();
  options.log = [](std::string_view line) { cli::write_all(STDERR_FILENO, "spillway mcp: " + visible_line(masked(line)) + "\n"); };
  const mcp::Server server(std::move(options), tools);
  transport::Stdio connection(STDIN_FILENO, STDOUT_FILENO, listen_for_signals());
  if (!mcp::serve(server, connection)) std::_Exit(cli::kGood);  // A call that does not stop would be waited for for ever.
  if (const int lost = connection.failure()) return {cli::kNotAsked, "", "", {cli::unwritable(lost)}};
  return {};
}

/// Nobody can be answered: better said at once than at the first question.
bool can_write() { return (::fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) != O_RDONLY; }

}  // namespace

cli::Command mcp(const std::vector<AnyTool>& tools) {
  return {"mcp", "serves the tools to an agent over standard input and output (Model Context Protocol)", "",
          [&tools](const std::vector<std::string>& args) {
            if (!args.empty())
              return cli::Outcome{
                  cli::kNotAsked, "", "", {{"unexpected-argument", "unexpected argument " + args.front(), "spillway mcp takes none"}}};
            if (!can_write()) return cli::Outcome{cli::kNotAsked, "", "", {cli::unwritable(EBADF)}};
            return serve(tools);
          }};
}

}  // namespace spillway::commands
