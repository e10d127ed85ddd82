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

/// What the words ask for with `--format`: the last of them wins, as for any option.
std::optional<std::string> stated_format(const Args& args) {
  std::optional<std::string> format;
  for (auto word = args.begin(); word != args.end() && *word != "--"; ++word) {
    if (word->starts_with("--format=")) format = word->substr(9);
    if (*word == "--format" && word + 1 != args.end()) format = *++word;
  }
  return format;
}

/// The words of a command that takes `most` of them and no options but `--format`.
struct Plain {
  Args words;
  bool json = false;
  std::vector<Error> errors;
};

Plain plain(std::string_view command, const Args& args, std::size_t most) {
  Plain out;
  for (auto word = args.begin(); word != args.end(); ++word) {
    const bool attached = word->starts_with("--format=");
    if (*word == "--format" && word + 1 != args.end())
      ++word;
    else if (!attached && word->size() > 1 && word->front() == '-')
      out.errors.push_back({"unknown-option", "unknown option " + *word, "see spillway help " + std::string(command), {}, *word});
    else if (!attached && out.words.size() == most)
      out.errors.push_back({"unexpected-argument", "unexpected argument " + *word, "see spillway help " + std::string(command), {}, *word});
    else if (!attached)
      out.words.push_back(*word);
  }
  const std::string format = stated_format(args).value_or("text");
  out.json = format == "json";
  if (!out.json && format != "text")
    out.errors.push_back({"bad-option", "--format: \"" + format + "\" is not one of text, json", "write --format text", {}, "--format"});
  return out;
}

Error no_json(std::string_view command) {
  return {"bad-option", "spillway " + std::string(command) + " has no JSON form", "leave --format out", {}, "--format"};
}

/// One command line: the words, and everything they may mean.
class Line {
 public:
  Line(const std::vector<AnyTool>& tools, const std::vector<Command>& commands, const Surroundings& surroundings)
      : tools_(tools),
        commands_(commands),
        out_{surroundings.colour_out},
        err_{surroundings.colour_err},
        progress_(surroundings.progress),
        directory_(surroundings.directory) {
    commands_.push_back(
        {"completion", "completes commands and options in a shell", "bash|zsh|fish", [this](const Args& args) { return complete(args); }});
    commands_.push_back({"version", "the version of this program", "", [](const Args& args) { return version(args); }});
    commands_.push_back({"help", "this page, or that of a command", "[COMMAND]", [this](const Args& args) { return help(args); }});
  }

  /// Errors become text, and data as well where data was asked for.
  Outcome run(const Args& args) {
    Outcome outcome = find_out(args);
    if (outcome.errors.empty()) return outcome;
    outcome.err += text_of(outcome.errors, err_);
    if (stated_format(args) == "json") outcome.out = to_json(config::Value(data_of(outcome.errors))) + "\n";
    outcome.errors.clear();
    return outcome;
  }

 private:
  Outcome find_out(const Args& args) {
    if (args.empty()) return {kGood, short_help(out_)};
    const Args rest(args.begin() + 1, args.end());
    const std::string& word = args.front();
    if (word == "--help" || word == "-h") return help(rest);
    if (word == "--version" || word == "-V") return find("version")->run(rest);
    if (const AnyTool* tool = catalog::find(tools_, word)) return ask(*tool, rest);
    if (const Command* command = find(word)) return wants_help(rest) ? Outcome{kGood, command_help(*command, out_)} : command->run(rest);
    return unknown(word);
  }

  static bool wants_help(const Args& args) {
    return std::any_of(args.begin(), args.end(), [](const auto& word) { return word == "--help" || word == "-h"; });
  }

  const Command* find(std::string_view name) const {
    const auto found = std::find_if(commands_.begin(), commands_.end(), [&](const Command& command) { return command.name == name; });
    return found == commands_.end() ? nullptr : &*found;
  }

  static Outcome refused(std::vector<Error> errors) { return {kNotAsked, "", "", std::move(errors)}; }

  Outcome unknown(const std::string& word) const {
    std::vector<std::string_view> names;
    for (const auto& tool : tools_) names.push_back(tool.info().command);
    for (const auto& command : commands_) names.push_back(command.name);
    auto near = nearest(word, names);
    for (const auto name : names)  // The beginning of a command may be far from all of it.
      if (near.empty() && word.size() > 1 && name.starts_with(word)) near.emplace_back(name);
    const bool option = word.starts_with('-');
    return refused({{"unknown-command", (option ? "unknown option " : "unknown command ") + word,
                     near.empty() ? "spillway help shows every command" : "did you mean spillway " + join(near, " or spillway ") + "?"}});
  }

  Outcome ask(const AnyTool& tool, const Args& args) const {
    const auto blank = tool.ask();
    const Fields fields = blank->input();
    Parsed parsed = parse(args, fields, blank->formats());
    if (parsed.help) return {kGood, tool_help(tool, out_)};
    if (!parsed.errors.empty()) {
      const auto more = decode(parsed.given, fields, Wire::kCommandLine).errors;
      parsed.errors.insert(parsed.errors.end(), more.begin(), more.end());
      return refused(parsed.errors);
    }
    const Reply reply = call(tool, parsed.given, Wire::kCommandLine, context(), out_, parsed.format);
    if (!reply.ok()) return refused(reply.errors);
    return {status_of(reply.conclusion), parsed.json ? to_json(config::Value(reply.structured)) + "\n" : reply.text};
  }

  ToolContext context() const {
    ToolContext context;
    context.may_read_standard_input = true;
    context.directory = directory_;
    if (progress_) context.progress = [this](const Progress& step) { progress_(step.message); };
    return context;
  }

  static Outcome version(const Args& args) {
    Plain given = plain("version", args, 0);
    if (!given.errors.empty()) return refused(std::move(given.errors));
    const std::string number(program_version());
    if (given.json) return {kGood, to_json(config::Value(config::Map{{"name", "spillway"}, {"version", number}})) + "\n"};
    return {kGood, "spillway " + number + "\n"};
  }

  Outcome help(const Args& args) const {
    Plain given = plain("", args, 1);
    if (given.json) given.errors.push_back(no_json("help"));
    if (!given.errors.empty()) return refused(std::move(given.errors));
    if (given.words.empty()) return {kGood, full_help(tools_, commands_, out_)};
    const std::string& word = given.words.front();
    if (const AnyTool* tool = catalog::find(tools_, word)) return {kGood, tool_help(*tool, out_)};
    if (const Command* command = find(word)) return {kGood, command_help(*command, out_)};
    return unknown(word);
  }

  Outcome complete(const Args& args) const {
    Plain given = plain("completion", args, 1);
    if (given.json) given.errors.push_back(no_json("completion"));
    if (!given.errors.empty()) return refused(std::move(given.errors));
    auto script = completion(given.words.empty() ? "" : given.words.front(), tools_, commands_);
    return script ? Outcome{kGood, std::move(*script)} : refused({script.error()});
  }

  const std::vector<AnyTool>& tools_;
  std::vector<Command> commands_;
  const Style out_;
  const Style err_;
  const std::function<void(std::string_view)> progress_;
  const std::string directory_;
};

}  // namespace

Outcome run(const Args& args, const std::vector<AnyTool>& tools, const std::vector<Command>& commands, const Surroundings& surroundings) {
  return Line(tools, commands, surroundings).run(args);
}

}  // namespace spillway::cli
