#include <cmath>

#include "tools/config/tables/tables.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

using config::Value;

/// The plain types whose values can be judged; other declarations are left alone.
enum class Plain { kOther, kInt, kFloat, kBool };

Plain plain_type(std::string_view declared) {
  if (declared == "int" || declared == "Optional[int]" || declared == "int | None") return Plain::kInt;
  if (declared == "float" || declared == "Optional[float]" || declared == "float | None") return Plain::kFloat;
  return declared == "bool" ? Plain::kBool : Plain::kOther;
}

bool optional(std::string_view declared) { return declared.starts_with("Optional[") || declared.ends_with("| None"); }

bool is_whole(const Value& value) {
  const double* real = value.real();
  return value.integer() != nullptr || (real != nullptr && std::abs(*real) < 9e15 && *real == std::floor(*real));
}

bool fits(const Value& value, std::string_view declared) {
  const Plain type = plain_type(declared);
  if (value.is_unknown() || type == Plain::kOther) return true;
  if (value.is_null()) return optional(declared);
  if (type == Plain::kBool) return value.boolean() != nullptr || is_whole(value) || value.string() != nullptr;  // text: FORM-BOOL-STRING
  return type == Plain::kFloat ? value.real() != nullptr || value.integer() != nullptr : is_whole(value) && value.boolean() == nullptr;
}

}  // namespace

Rule form_value_type() {
  return {
      .code = "FORM-VALUE-TYPE",
      .summary = "a value of another type than its field declares",
      .severity = Severity::kWarning,
      .stage = Stage::kParse,
      .launchers = {Launcher::kBridge, Launcher::kMegatronCore, Launcher::kMegatronLmYaml},
      .what = "A number is a text, a list or null, or a whole number has a fraction.",
      .why =
          "The dataclasses do not check types. The value is taken as it is; the first comparison with it raises a TypeError, or it counts "
          "as on because it is not empty.",
      .remedy = "Write the value in the declared type: numbers without quotes, one value where one is declared.",
      .evidence = {"megatron/core/model_parallel_config.py", "@dataclass class ModelParallelConfig: …"},
      .check =
          [](const Facts& facts, Report& report) {
            for (const auto& setting : facts.settings()) {
              if (facts.setting(setting.key) != &setting) continue;  // a later one won
              // Upstream wrote a dump itself, from objects that have been checked.
              if (facts.form(setting.origin) == "bridge-dump") continue;
              const auto field = config::tables::find_field(setting.key, facts.core());
              if (!field || fits(setting.value, field->type)) continue;
              report
                  .add(setting.key.substr(setting.key.find('.') + 1) + " is " + setting.value.repr() + " (" +
                       std::string(setting.value.type_name()) + "); it is declared as " + std::string(field->type) +
                       ", which nothing checks")
                  .keys({setting.key})
                  .at(setting.origin);
            }
          },
  };
}

}  // namespace spillway::validate::rules
