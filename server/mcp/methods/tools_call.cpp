#include <atomic>
#include <exception>
#include <memory>

#include "base/text.hpp"
#include "server/mcp/method.hpp"

namespace spillway::mcp::methods {
namespace {

using config::List;
using config::Map;
using config::Value;
using jsonrpc::Failure;

/// A tools/call that is well formed.
struct Asked {
  const AnyTool* tool;
  Map arguments;
  Value progress_token;  ///< Null: the client wants no progress.
};

Failure unknown_tool(const std::string& name, const std::vector<AnyTool>& tools) {
  std::vector<std::string_view> names;
  for (const auto& tool : tools) names.push_back(tool.info().name);
  const auto near = nearest(name, names);
  std::string message = "unknown tool " + valid_utf8(name.substr(0, 80));
  message += near.empty() ? "; tools/list names all" : "; did you mean " + join(near, " or ") + "?";
  return {jsonrpc::kInvalidParams, std::move(message), {}};
}

const AnyTool* tool_named(const std::string& name, const std::vector<AnyTool>& tools) {
  for (const auto& tool : tools)
    if (tool.info().name == name) return &tool;
  return nullptr;
}

Value progress_token(const jsonrpc::Message& message) {
  const Value* meta = message.param("_meta");
  const Value* token = meta == nullptr ? nullptr : meta->find("progressToken");
  return token != nullptr && (token->string() != nullptr || token->integer() != nullptr) ? *token : Value();
}

std::variant<Asked, Failure> read(const jsonrpc::Message& message, const std::vector<AnyTool>& tools) {
  const Value* name = message.param("name");
  if (name == nullptr || name->string() == nullptr) return Failure{jsonrpc::kInvalidParams, "name must be a text"};
  const AnyTool* tool = tool_named(*name->string(), tools);
  if (tool == nullptr) return unknown_tool(*name->string(), tools);
  const Value* arguments = message.param("arguments");
  if (arguments != nullptr && !arguments->is_null() && arguments->map() == nullptr)
    return Failure{jsonrpc::kInvalidParams, "arguments must be an object"};
  return Asked{tool, arguments == nullptr || arguments->is_null() ? Map{} : *arguments->map(), progress_token(message)};
}

List text_content(std::string text) { return {Value(Map{{"type", Value("text")}, {"text", Value(std::move(text))}})}; }

/// What the user can act on is a result; the protocol's errors are for what only a developer can mend.
Map result_of(Reply reply) {
  if (!reply.ok()) return {{"content", Value(text_content(text_of(reply.errors, Style{})))}, {"isError", Value(true)}};
  return {{"content", Value(text_content(std::move(reply.text)))}, {"structuredContent", Value(std::move(reply.structured))}};
}

/// Progress must grow from message to message; a step that does not is left out.
std::function<void(const Progress&)> progress_sender(Calls::Ticket& ticket, const Value& token) {
  if (token.is_null()) return {};
  return [&ticket, token, last = std::make_shared<std::atomic<double>>(-1.0)](const Progress& step) {
    double before = last->load();
    do {
      if (step.done <= before) return;
    } while (!last->compare_exchange_weak(before, step.done));
    Map params = {{"progressToken", token}, {"progress", Value(step.done)}};
    if (step.total) params.emplace_back("total", Value(*step.total));
    if (!step.message.empty()) params.emplace_back("message", Value(step.message));
    ticket.send(jsonrpc::notification_text("notifications/progress", std::move(params)));
  };
}

void work(const Server& server, const Asked& asked, const Value& id, Calls::Ticket& ticket) {
  ToolContext context;
  context.progress = progress_sender(ticket, asked.progress_token);
  context.stop = ticket.stop();
  context.deadline = std::chrono::steady_clock::now() + server.options().call_budget;
  context.may_read_files = server.options().may_read_files;
  try {
    ticket.finish(jsonrpc::result_text(id, Value(result_of(call(*asked.tool, asked.arguments, Wire::kJson, std::move(context), Style{})))));
  } catch (const std::exception& error) {
    server.log("internal error in " + std::string(asked.tool->info().name) + ": " + error.what());
    ticket.finish(jsonrpc::failure_text(id, {jsonrpc::kInternalError, "internal error in " + std::string(asked.tool->info().name), {}}));
  }
}

Map busy(std::size_t limit) {
  return result_of({.errors = {{"busy", std::to_string(limit) + " calls are open already", "wait for some of them, then call again"}}});
}

Answer handle(Session& session, const jsonrpc::Message& message) {
  const Server& server = session.server();
  auto read_call = read(message, server.tools());
  if (auto* failure = std::get_if<Failure>(&read_call)) return std::move(*failure);
  auto asked = std::make_shared<const Asked>(std::move(std::get<Asked>(read_call)));
  const auto started =
      session.calls().start(message.id, [&server, asked, id = message.id](Calls::Ticket& ticket) { work(server, *asked, id, ticket); });
  if (started == Calls::Start::kFull) return busy(server.options().max_in_flight);
  if (started == Calls::Start::kIdInUse) return Failure{jsonrpc::kInvalidRequest, "a request with this id is still open"};
  return Later{};
}

}  // namespace

Method tools_call() { return {.name = "tools/call", .handle = &handle}; }

}  // namespace spillway::mcp::methods
