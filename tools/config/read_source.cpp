#include <algorithm>

#include "base/text.hpp"
#include "tools/config/reader.hpp"

namespace spillway::config {
namespace {

/// A text file holds no NUL; one in the first kilobyte says that this is something else.
bool looks_binary(std::string_view text) { return text.substr(0, 1024).find('\0') != std::string_view::npos; }

Error unknown_form(const ReadContext& context, const std::vector<Reader>& readers) {
  std::string titles;
  for (const auto& reader : readers) titles += (titles.empty() ? "" : "; ") + std::string(reader.title);
  return {"unknown-form", context.name + " is in no form that is understood", "forms understood: " + titles, {}, context.name};
}

Error empty(const ReadContext& context, std::string_view what) {
  return {"empty-source", context.name + std::string(what), "give a file that holds a configuration", {}, context.name};
}

/// The text from its first line that says something. What a comment means to a shell is kept: it tells the form.
std::string_view past_comments(std::string_view text) {
  for (;;) {
    const auto start = text.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos) return {};
    const auto line = text.substr(start);
    if (!line.starts_with('#') || line.starts_with("#!") || line.starts_with("#SBATCH"))
      return text.substr(text.substr(0, start).rfind('\n') + 1);  // Its indentation belongs to it; npos + 1 is 0.
    text = line.substr(std::min(line.find('\n'), line.size()));
  }
}

}  // namespace

Result<Reading> read_source(std::string_view text, const ReadContext& context) {
  if (text.size() > kMaxSourceBytes)
    return Error{"file-too-large", context.name + " is larger than 16 MiB", "give the configuration alone"};
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (trim(text).empty()) return empty(context, " is empty");
  if (looks_binary(text))
    return Error{"binary-source", context.name + " is not a text file", "give a YAML, JSON, argument list, launch script or Python file"};
  const std::string_view start = past_comments(text);
  if (start.empty()) return empty(context, " holds nothing but comments");
  static const std::vector<Reader> all = readers::all();
  const Reader* surest = nullptr;
  int certainty = 0;
  for (const auto& reader : all)
    if (const int c = reader.recognise(start); c > certainty) {
      surest = &reader;
      certainty = c;
    }
  if (surest == nullptr) return unknown_form(context, all);
  return surest->read(text, context);
}

}  // namespace spillway::config
