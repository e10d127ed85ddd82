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
  return {"unknown-form", context.name + " is in no form that is understood", "forms understood: " + titles};
}

}  // namespace

Result<Reading> read_source(std::string_view text, const ReadContext& context) {
  if (text.size() > kMaxSourceBytes)
    return Error{"file-too-large", context.name + " is larger than 16 MiB", "give the configuration alone"};
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (trim(text).empty()) return Error{"empty-source", context.name + " is empty", "give a file that holds a configuration"};
  if (looks_binary(text))
    return Error{"binary-source", context.name + " is not a text file", "give a YAML, JSON, argument list, launch script or Python file"};
  static const std::vector<Reader> all = readers::all();
  const Reader* surest = nullptr;
  int certainty = 0;
  for (const auto& reader : all)
    if (const int c = reader.recognise(text); c > certainty) {
      surest = &reader;
      certainty = c;
    }
  if (surest == nullptr) return unknown_form(context, all);
  return surest->read(text, context);
}

}  // namespace spillway::config
