#include "tools/tool.hpp"

#include <iterator>

#include "base/text.hpp"
#include "tools/encode.hpp"

namespace spillway {
namespace {

constexpr std::size_t kMaxErrorsShown = 20;

/// Continuation lines stand below the first word.
std::string indented(std::string_view text, std::string_view indent) {
  std::string out;
  for (const auto line : split(text, '\n')) out += (out.empty() ? "" : "\n" + std::string(indent)) + std::string(line);
  return out;
}

}  // namespace

Reply call(const AnyTool& tool, const config::Map& arguments, Wire wire, ToolContext context, const Style& style) {
  Reply reply;
  const auto question = tool.ask();
  Decoded decoded = decode(arguments, question->input(), wire);
  if (!decoded.errors.empty()) {
    reply.errors = std::move(decoded.errors);
    return reply;
  }
  context.understood = std::move(decoded.understood);
  if (auto error = question->run(context)) {
    reply.errors = std::move(error->also);
    error->also.clear();
    reply.errors.insert(reply.errors.begin(), std::move(*error));
    return reply;
  }
  reply.structured = encode(question->output());
  reply.text = question->text(style);
  reply.conclusion = question->conclusion();
  return reply;
}

std::string text_of(const std::vector<Error>& errors, const Style& style) {
  std::string out;
  std::size_t shown = 0;
  for (const auto& error : errors) {
    if (++shown > kMaxErrorsShown) break;
    out += paint(style, Ink::kRed, "error") + ": " + indented(valid_utf8(error.message), "       ") + "\n";
    if (!error.hint.empty()) out += "  " + paint(style, Ink::kBlue, "hint") + ": " + indented(valid_utf8(error.hint), "        ") + "\n";
  }
  if (errors.size() > kMaxErrorsShown) out += "and " + std::to_string(errors.size() - kMaxErrorsShown) + " more\n";
  return out;
}

Error combined(std::vector<Error> errors) {
  Error first = std::move(errors.front());
  first.also.insert(first.also.end(), std::make_move_iterator(errors.begin() + 1), std::make_move_iterator(errors.end()));
  return first;
}

}  // namespace spillway
