#include "tools/tool.hpp"

#include <iterator>

#include "base/secrets.hpp"
#include "base/text.hpp"
#include "base/visible.hpp"
#include "tools/encode.hpp"

namespace spillway {
namespace {

constexpr std::size_t kMaxErrorsShown = 20;
constexpr std::size_t kMaxMessage = 2000;  // Bytes; a message quotes what was given, and that may be a whole file.

/// Continuation lines stand below the first word.
std::string indented(std::string_view text, std::string_view indent) {
  std::string out;
  for (const auto line : split(text, '\n')) out += (out.empty() ? "" : "\n" + std::string(indent)) + std::string(line);
  return out;
}

/// What an error says, without the secrets of what it quotes.
std::string said(std::string_view text) { return masked(clipped(text, kMaxMessage)); }

config::Map data_of(const Error& error) {
  config::Map out = {{"code", config::Value(error.code)}, {"message", config::Value(said(error.message))}};
  if (!error.hint.empty()) out.emplace_back("hint", config::Value(said(error.hint)));
  if (!error.where.empty()) out.emplace_back("where", config::Value(said(error.where)));
  return out;
}

}  // namespace

Reply call(const AnyTool& tool, const config::Map& arguments, Wire wire, ToolContext context, const Style& style, std::string_view format) {
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
  reply.text = format.empty() ? question->text(style) : question->written(format);
  reply.conclusion = question->conclusion();
  return reply;
}

std::string text_of(const std::vector<Error>& errors, const Style& style) {
  std::string out;
  std::size_t shown = 0;
  for (const auto& error : errors) {
    if (++shown > kMaxErrorsShown) break;
    out += paint(style, Ink::kRed, "error") + ": " + indented(visible(said(error.message)), "       ") + "\n";
    if (!error.hint.empty()) out += "  " + paint(style, Ink::kBlue, "hint") + ": " + indented(visible(said(error.hint)), "        ") + "\n";
  }
  if (errors.size() > kMaxErrorsShown) out += "and " + std::to_string(errors.size() - kMaxErrorsShown) + " more\n";
  return out;
}

config::Map data_of(const std::vector<Error>& errors) {
  config::Map first = data_of(errors.front());
  config::List also;
  for (std::size_t i = 1; i < errors.size() && i < kMaxErrorsShown; ++i) also.emplace_back(data_of(errors[i]));
  if (!also.empty()) first.emplace_back("also", config::Value(std::move(also)));
  return {{"error", config::Value(std::move(first))}};
}

Error combined(std::vector<Error> errors) {
  Error first = std::move(errors.front());
  first.also.insert(first.also.end(), std::make_move_iterator(errors.begin() + 1), std::make_move_iterator(errors.end()));
  return first;
}

}  // namespace spillway
