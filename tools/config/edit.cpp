#include "tools/config/edit.hpp"

#include <map>

#include "tools/config/tables/tables.hpp"
#include "tools/config/tree_writing.hpp"

namespace spillway::config {
namespace {

const Reader& reader_of(const Reading& reading) {
  static const std::vector<Reader> all = readers::all();
  for (const auto& reader : all)
    if (reader.name == reading.form) return reader;
  return all.front();
}

const Setting* winner(const Reading& reading, std::string_view key) {
  for (auto setting = reading.settings.rbegin(); setting != reading.settings.rend(); ++setting)
    if (setting->key == key) return &*setting;
  return nullptr;
}

/// Key → value as text, which also compares not-a-number with itself. What is not known may be explained by text that changes.
std::map<std::string, std::string, std::less<>> values(const Reading& reading) {
  std::map<std::string, std::string, std::less<>> out;
  for (const auto& setting : winners(reading.settings)) out[setting.key] = setting.value.is_unknown() ? "unknown" : setting.value.repr();
  return out;
}

/// What must not change: every other value, the form, the recipe; and nothing odd may come to it.
bool keeps_the_rest(const Reading& after, const Reading& before, const std::string& key) {
  if (after.form != before.form || after.remarks.size() > before.remarks.size()) return false;
  auto left = values(before), right = values(after);
  left.erase(key);
  right.erase(key);
  const auto recipe = [](const Reading& reading) { return reading.recipe ? reading.recipe->value.repr() : std::string(); };
  return left == right && recipe(after) == recipe(before);
}

bool is_done(const Reading& reading, const Edit& edit) {
  const Setting* setting = winner(reading, edit.key);
  // What has no spelling follows from something else, such as the default of a new object.
  if (edit.kind == Edit::Kind::kRemove) return setting == nullptr || setting->origin.spelling.empty();
  return setting != nullptr && setting->value.repr() == edit.value.repr();
}

Error not_editable(const Edit& edit, const ReadContext& context, std::string_view why) {
  const std::string change = edit.kind == Edit::Kind::kRemove ? "removing " + edit.key : "setting " + edit.key + " to " + edit.value.str();
  return {"not-editable", context.name + ": " + change + " cannot be written into this text: " + std::string(why), "change it by hand"};
}

/// A key written several times may need several removals.
constexpr int kMaxRepeats = 50;

/// Option lists have no word for null, for the false of a switch, or for what is so without the option: there the option goes.
bool means_removal(const Edit& edit, const Reading& reading, const ReadContext& context) {
  if (edit.kind != Edit::Kind::kSet || reading.launcher != Launcher::kMegatronLm) return false;
  if (edit.value.is_null() || edit.value == Value(false)) return true;
  const auto flag = tables::find_flag_of_key(edit.key, context.core, context.script);
  return flag && flag->fallback == edit.value;
}

Result<std::string> edit_one(std::string text, const Edit& edit, const ReadContext& context) {
  for (int round = 0; round < kMaxRepeats; ++round) {
    const auto before = read_source(text, context);
    if (!before) return before.error();
    if (is_done(*before, edit)) return text;
    const Reader& reader = reader_of(*before);
    if (reader.edit == nullptr) return not_editable(edit, context, "no edits are written into " + std::string(reader.title));
    std::optional<std::string> shorter;
    for (auto& candidate : reader.edit(text, *before, edit, context)) {
      const auto after = read_source(candidate, context);
      if (!after || !keeps_the_rest(*after, *before, edit.key)) continue;
      if (is_done(*after, edit)) return candidate;
      // One of several occurrences is gone, and the rest can go the same way.
      if (!shorter && edit.kind == Edit::Kind::kRemove && candidate.size() < text.size()) shorter = std::move(candidate);
    }
    if (!shorter && means_removal(edit, *before, context)) return edit_one(std::move(text), {Edit::Kind::kRemove, edit.key, {}}, context);
    if (!shorter)
      return not_editable(edit, context,
                          winner(*before, edit.key) == nullptr ? "there is no place for it" : "it would change more than that key");
    text = std::move(*shorter);
  }
  return not_editable(edit, context, "the key is written too often");
}

}  // namespace

Result<std::string> edit_source(std::string_view text, const std::vector<Edit>& edits, const ReadContext& context) {
  std::string out(text);
  for (const auto& edit : edits) {
    auto next = edit_one(std::move(out), edit, context);
    if (!next) return next.error();
    out = std::move(*next);
  }
  return out;
}

}  // namespace spillway::config
