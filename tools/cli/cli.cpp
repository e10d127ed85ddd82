#include "tools/cli/cli.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "tools/about.hpp"
#include "tools/cli/completion.hpp"
#include "tools/cli/help.hpp"
#include "tools/cli/options.hpp"
#include "tools/json.hpp"

namespace spillway::cli {
namespace {

using Args = std::vector<std::string>;

int status_of(Conclusion conclusion) {
  switch (conclusion) {
    case Conclusion::kGood:
      return kGood;
    case Conclusion::kBad:
      return kBadNews;
    case Conclusion::kUnknown:
      return kUnknown;
  }
  return kUnknown;
}

/// One command line: the words, and everything they may mean.
class Line {
 public:
  Line(const std::vector<AnyTool>& tools, const std::vector<Command>& commands, const Surroundings& surroundings)
      : tools_(tools), commands_(commands), out_{surroundings.colour_out}, err_{surroundings.colour_err}, progress_(surroundings.progress) {
    commands_.push_back(
        {"completion", "completes commands and options in a shell", "bash|zsh|fish", [this](const Args& args) { return complete(args); }});
    commands_.push_back({"version", "the version of this program", "", [](const Args&) {
                           return Outcome{kGood, "spillway " + std::string(program_version()) + "\n"};
                         }});
    commands_.push_back({"help", "this page, or that of a command", "[COMMAND]", [this](const Args& args) { return help(args); }});
  }

  Outcome run(const Args& args) {
    if (args.empty()) return {kGood, short_help(out_)};
    const Args rest(args.begin() + 1, args.end());
    const std::string& word = args.front();
    if (word == "--help" || word == "-h") return help(rest);
    if (word == "--version" || word == "-V") return find("version")->run(rest);
    if (const AnyTool* tool = catalog::find(tools_, word)) return ask(*tool, rest);
    if (const Command* command = find(word)) return wants_help(rest) ? Outcome{kGood, command_help(*command, out_)} : command->run(rest);
    return unknown(word);
  }

 private:
  static bool wants_help(const Args& args) {
    return std::any_of(args.begin(), args.end(), [](const auto& word) { return word == "--help" || word == "-h"; });
  }

  const Command* find(std::string_view name) const {
    const auto found = std::find_if(commands_.begin(), commands_.end(), [&](const Command& command) { return command.name == name; });
    return found == commands_.end() ? nullptr : &*found;
  }

  Outcome refused(const std::vector<Error>& errors) const { return {kNotAsked, "", text_of(errors, err_)}; }

  Outcome unknown(const std::string& word) const {
    std::vector<std::string_view> names;
    for (const auto& tool : tools_) names.push_back(tool.info().command);
    for (const auto& command : commands_) names.push_back(command.name);
    const auto near = nearest(word, names);
    const bool option = word.starts_with('-');
    return refused({{"unknown-command", (option ? "unknown option " : "unknown command ") + word,
                     near.empty() ? "spillway help shows every command" : "did you mean spillway " + join(near, " or spillway ") + "?"}});
  }

  Outcome ask(const AnyTool& tool, const Args& args) const {
    const auto blank = tool.ask();
    const Fields fields = blank->input();
    Parsed parsed = parse(args, fields);
    if (parsed.help) return {kGood, tool_help(tool, out_)};
    if (!parsed.errors.empty()) {
      const auto more = decode(parsed.given, fields, Wire::kCommandLine).errors;
      parsed.errors.insert(parsed.errors.end(), more.begin(), more.end());
      return refused(parsed.errors);
    }
    const Reply reply = call(tool, parsed.given, Wire::kCommandLine, context(), out_);
    if (!reply.ok()) return refused(reply.errors);
    return {status_of(reply.conclusion), parsed.json ? to_json(config::Value(reply.structured)) + "\n" : reply.text};
  }

  ToolContext context() const {
    ToolContext context;
    context.may_read_standard_input = true;
    if (progress_) context.progress = [this](const Progress& step) { progress_(step.message); };
    return context;
  }

  Outcome help(const Args& args) const {
    if (args.empty()) return {kGood, full_help(tools_, commands_, out_)};
    if (const AnyTool* tool = catalog::find(tools_, args.front())) return {kGood, tool_help(*tool, out_)};
    if (const Command* command = find(args.front())) return {kGood, command_help(*command, out_)};
    return unknown(args.front());
  }

  Outcome complete(const Args& args) const {
    auto script = completion(args.empty() ? "" : args.front(), tools_, commands_);
    return script ? Outcome{kGood, std::move(*script)} : refused({script.error()});
  }

  const std::vector<AnyTool>& tools_;
  std::vector<Command> commands_;
  const Style out_;
  const Style err_;
  const std::function<void(std::string_view)> progress_;
};

}  // namespace

Outcome run(const Args& args, const std::vector<AnyTool>& tools, const std::vector<Command>& commands, const Surroundings& surroundings) {
  return Line(tools, commands, surroundings).run(args);
}

}  // namespace spillway::cli
