#include "tools/cli/options.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

#include "base/text.hpp"

namespace spillway::cli {
namespace {

using config::List;
using config::Value;

/// The parser's options beside the fields they stand for.
struct Bound {
  const Field* field;
  CLI::Option* option;
};

CLI::Option* add(CLI::App& app, const Field& field) {
  if (is_switch(field)) return app.add_flag("--" + flag_of(field));
  CLI::Option* option = app.add_option(field.is_positional ? std::string(field.name) : "--" + flag_of(field));
  option->type_size(1)->allow_extra_args(false);
  option->expected(field.is_positional && repeats(field) ? -1 : 1)
      ->multi_option_policy(repeats(field) ? CLI::MultiOptionPolicy::TakeAll : CLI::MultiOptionPolicy::TakeLast);
  return option;
}

Value value_of(const Bound& bound) {
  if (is_switch(*bound.field)) return Value(true);
  const auto& results = bound.option->results();
  if (!repeats(*bound.field)) return Value(results.back());
  return Value(List(results.begin(), results.end()));
}

Error unknown_option(const std::string& word, const std::vector<Bound>& bound) {
  std::vector<std::string> flags = {"--format", "--help"};
  for (const auto& [field, option] : bound)
    if (!field->is_positional) flags.push_back("--" + flag_of(*field));
  const auto near = nearest(word.substr(0, word.find('=')), {flags.begin(), flags.end()});
  return {"unknown-option", "unknown option " + word, near.empty() ? "see --help" : "did you mean " + join(near, " or ") + "?", {}, word};
}

/// What no option took: options that do not exist, and words too many.
void refuse_rest(const CLI::App& app, const std::vector<Bound>& bound, Parsed& parsed) {
  for (const auto& word : app.remaining()) {
    if (word == "--") continue;
    if (word.size() > 1 && word.front() == '-')
      parsed.errors.push_back(unknown_option(word, bound));
    else
      parsed.errors.push_back({"unexpected-argument", "unexpected argument " + word, "see --help", {}, word});
  }
}

/// The library's own words for a missing value are those of a type checker.
Error bad_option(const CLI::ParseError& error) {
  const std::string what = error.what();
  const bool no_value = dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
  return {"bad-option", no_value ? what.substr(0, what.find(':')) + " needs a value" : what, "see --help"};
}

void read_format(const CLI::Option& option, const std::vector<std::string_view>& formats, Parsed& parsed) {
  if (option.empty()) return;
  const std::string& format = option.results().back();
  parsed.json = format == "json";
  const auto found = std::find(formats.begin(), formats.end(), format);
  if (found != formats.end()) parsed.format = *found;
  if (parsed.json || found != formats.end() || format == "text") return;
  std::string names = "text, json";
  for (const auto name : formats) names += ", " + std::string(name);
  parsed.errors.push_back({"bad-option", "--format: \"" + format + "\" is not one of " + names, "write --format json", {}, "--format"});
}

}  // namespace

Parsed parse(const std::vector<std::string>& args, const Fields& fields, const std::vector<std::string_view>& formats) {
  CLI::App app;
  app.set_help_flag("");
  app.allow_extras();
  std::vector<Bound> bound;
  for (const auto& field : fields)
    if (field.has_flag) bound.push_back({&field, add(app, field)});
  const CLI::Option* help = app.add_flag("-h,--help");
  CLI::Option* format = app.add_option("--format")->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  Parsed parsed;
  try {
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));
  } catch (const CLI::ParseError& error) {
    parsed.errors.push_back(bad_option(error));
  }
  parsed.help = !help->empty();
  read_format(*format, formats, parsed);
  refuse_rest(app, bound, parsed);
  for (const auto& each : bound)
    if (!each.option->empty()) parsed.given.emplace_back(each.field->name, value_of(each));
  return parsed;
}

}  // namespace spillway::cli
