#include "tools/changes.hpp"

#include <algorithm>
#include <map>

#include "base/files.hpp"
#include "base/secrets.hpp"
#include "base/text.hpp"
#include "tools/config/edit.hpp"
#include "tools/config/tables/tables.hpp"
#include "tools/config_input.hpp"
#include "tools/unified_diff.hpp"
#include "tools/validate/render/edit_words.hpp"

namespace spillway {
namespace {

using config::Edit;
using config::Reading;
using config::Source;

/// Texts of options have a name that no file is given by.
bool is_option(const Source& source) { return source.name == "--set" || source.name == "--args"; }

/// What one source of the question said.
Reading reading_of(const config::TrainConfig& config, int source) {
  Reading out;
  out.form = config.sources[static_cast<std::size_t>(source)].form;
  for (const auto& setting : config.settings)
    if (setting.origin.source == source) out.settings.push_back(setting);
  for (const auto& remark : config.remarks)
    if (remark.origin.source == source) out.remarks.push_back(remark);
  if (config.recipe && config.recipe->origin.source == source) out.recipe = config.recipe;
  return out;
}

/// The sources that an edit goes to: where the key stands, else the files, the last one first.
std::vector<int> places_of(const Edit& edit, const config::TrainConfig& config) {
  std::vector<int> places;
  for (auto setting = config.settings.rbegin(); setting != config.settings.rend(); ++setting)
    if (setting->key == edit.key && setting->origin.source >= 0) places.push_back(setting->origin.source);
  if (!places.empty()) return places;
  for (int i = static_cast<int>(config.sources.size()) - 1; i >= 0; --i)
    if (!is_option(config.sources[static_cast<std::size_t>(i)])) places.push_back(i);
  return places;
}

class Writer {
 public:
  Writer(const validate::Question& question) : question_(question) {
    for (const auto& source : question.config.sources) texts_.push_back(source.text);
  }

  Changes write(const std::vector<Edit>& edits) {
    for (const auto& edit : edits) place(edit);
    Changes out;
    const auto& sources = question_.config.sources;
    for (std::size_t i = 0; i < sources.size(); ++i)
      if (texts_[i] != sources[i].text) out.sources.push_back({sources[i].name, sources[i].text, texts_[i], is_file(sources[i])});
    out.by_hand = std::move(by_hand_);
    out.reasons = std::move(reasons_);
    out.after = read_again();
    return out;
  }

 private:
  bool stands(const Edit& edit) const { return question_.config.find(edit.key) != nullptr; }

  void place(const Edit& edit) {
    if (edit.kind == Edit::Kind::kRemove && !stands(edit)) return;
    const auto places = places_of(edit, question_.config);
    std::string reason = places.empty() ? "no file was given that could hold it" : "";
    for (const int source : places) {
      const auto index = static_cast<std::size_t>(source);
      const Source& given = question_.config.sources[index];
      if (is_option(given)) {
        reason = "it is given by " + given.name;
        break;
      }
      auto text = config::edit_source(texts_[index], {edit}, read_context(question_, given.name));
      if (text) {
        texts_[index] = std::move(*text);
        // One place is enough, except for what must vanish from all.
        if (edit.kind == Edit::Kind::kRemove) continue;
        return;
      }
      if (reason.empty()) reason = text.error().message;
      if (stands(edit)) break;
    }
    if (reason.empty()) return;
    by_hand_.push_back(edit);
    reasons_.push_back(std::move(reason));
  }

  validate::Question read_again() const {
    validate::Question out = question_;
    const auto& sources = question_.config.sources;
    out.config = {};
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const bool same = texts_[i] == sources[i].text;
      auto reading = same ? Result<Reading>(reading_of(question_.config, static_cast<int>(i)))
                          : config::read_source(texts_[i], read_context(question_, sources[i].name));
      if (reading) out.config.stack({sources[i].name, texts_[i], {}}, std::move(*reading));
    }
    for (const auto& remark : question_.config.remarks)  // What no source said stays said.
      if (remark.origin.source < 0) out.config.remarks.push_back(remark);
    out.config.launcher = question_.config.launcher;
    if (!out.config.recipe) out.config.recipe = question_.config.recipe;
    return out;
  }

  const validate::Question& question_;
  std::vector<std::string> texts_;
  std::vector<Edit> by_hand_;
  std::vector<std::string> reasons_;
};

std::string written(std::string_view form, const std::vector<config::Setting>& settings, const config::ReadContext& context) {
  for (const auto& reader : config::readers::all())
    if (reader.name == form && reader.write != nullptr) {
      const auto text = reader.write(settings, context);
      return text ? *text : "";
    }
  return "";
}

/// Bridge has variables of its own for the process environment; everything else is exported.
bool is_variable(const Edit& edit) { return edit.key.starts_with("env."); }

}  // namespace

Changes changes_of(const validate::Question& question, const std::vector<validate::Edit>& edits) { return Writer(question).write(edits); }

ApplyReport apply_of(const std::vector<validate::Edit>& edits, const validate::Question& question, config::Launcher launcher) {
  ApplyReport out;
  std::vector<config::Setting> settings;
  config::ReadContext context = read_context(question, "apply");
  context.launcher = launcher;
  const bool megatron_lm = launcher == config::Launcher::kMegatronLm;
  for (const auto& edit : edits) {
    const bool set = edit.kind == Edit::Kind::kSet;
    if (is_variable(edit)) {
      out.environment += (set ? "export " + edit.key.substr(4) + "=" + edit.value.str() : "unset " + edit.key.substr(4)) + "\n";
    } else if (set && !(megatron_lm && (edit.value.is_null() || edit.value == config::Value(false)))) {
      settings.push_back({edit.key, edit.value, {}});
    } else {
      const auto flag = megatron_lm ? config::tables::find_flag_of_key(edit.key, context.core, context.script) : std::nullopt;
      out.remove.push_back(flag ? std::string(flag->flag) : edit.key);
    }
  }
  if (settings.empty()) return out;
  if (megatron_lm) {
    out.args = std::string(trim(written("megatron-arguments", settings, context)));
    std::replace(out.args.begin(), out.args.end(), '\n', ' ');
    return out;
  }
  if (launcher == config::Launcher::kBridge) {
    out.overrides = std::string(trim(written("bridge-overrides", settings, context)));
    std::replace(out.overrides.begin(), out.overrides.end(), '\n', ' ');
    out.python = written("python-recipe", settings, context);
  }
  out.yaml = written("bridge-yaml", settings, context);
  return out;
}

void fields(Fields& f, ApplyReport& apply) {
  f("overrides", apply.overrides, "Hydra tokens for Megatron-Bridge.").optional();
  f("args", apply.args, "Options for Megatron-LM.").optional();
  f("yaml", apply.yaml, "Override YAML.").optional();
  f("python", apply.python, "Lines of a recipe, on its configuration.").optional();
  f("environment", apply.environment, "Lines for the batch script, before the launch.").optional();
  f("remove", apply.remove, "What goes, as the launcher spells it.").optional();
}

void fields(Fields& f, ChangeReport& change) {
  f("file", change.file, "Source as it was given.");
  f("diff", change.diff, "Unified diff.");
  f("written", change.written, "True: the file has been changed.");
}

std::vector<ChangeReport> show_changes(const Changes& changes) {
  std::vector<ChangeReport> out;
  for (const auto& source : changes.sources)
    out.push_back({source.file, unified_diff(source.file, masked(source.before), masked(source.after)), false});
  return out;
}

Result<std::vector<ChangeReport>> write_changes(const Changes& changes) {
  auto out = show_changes(changes);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const SourceChange& source = changes.sources[i];
    if (!source.is_file) continue;
    const auto now = read_file(source.file, config::kMaxSourceBytes);
    if (!now) return now.error();
    if (*now != source.before) return Error{"file-changed", source.file + " has changed since it was read", "run the command again"};
    if (auto error = write_file(source.file, source.after)) return *error;
    out[i].written = true;
  }
  return out;
}

}  // namespace spillway
