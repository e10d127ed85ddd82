#include "tools/config/recipe_command.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "tools/config/argument_values.hpp"
#include "tools/config/overrides.hpp"
#include "tools/config/suggester.hpp"
#include "tools/config/tables/tables.hpp"

namespace spillway::config {
namespace {

using Kind = Launch::Kind;

/// Options of the launcher around run_recipe that take no value.
constexpr std::string_view kSubmissionSwitches[] = {"--local", "--dry-run", "--detach", "--no-detach", "--tail-logs"};
constexpr std::string_view kSubmissionOptions[] = {
    "--nodes", "--gpus-per-node",   "--devices",  "--gpu-type", "--account",  "--partition",       "--time",
    "--gres",  "--container-image", "--mount",    "--env",      "--packager", "--experiment-name", "--gpus",
    "--gpu",   "--family",          "--precision"};

template <std::size_t N>
bool among(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

std::string dashed(std::string_view option) {
  std::string out(option);
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

class RecipeCommand {
 public:
  RecipeCommand(const Launch& launch, const ReadContext& context) : launch_(launch), context_(context), words_(launch.arguments) {}

  Reading read() {
    for (at_ = 0; at_ < words_.size(); ++at_) word();
    choose_recipe();
    Reading overrides = read_overrides(overrides_, context_);
    overrides.recipe = std::move(out_.recipe);
    overrides.settings.insert(overrides.settings.begin(), std::make_move_iterator(out_.settings.begin()),
                              std::make_move_iterator(out_.settings.end()));
    overrides.remarks.insert(overrides.remarks.begin(), std::make_move_iterator(out_.remarks.begin()),
                             std::make_move_iterator(out_.remarks.end()));
    return overrides;
  }

 private:
  void word() {
    const Token& token = words_[at_];
    const bool option = token.text.size() > 1 && token.text[0] == '-';
    if (!option) return override_word(token);
    const std::string spelling = token.text.substr(0, token.text.find('='));
    const auto known = tables::find_recipe_option(spelling);
    if (known) return recipe_option(*known, spelling);
    if (spelling == "--activation_offload_layers" || spelling == "--activation-offload-layers") return offload_layers(spelling);
    if (launch_.kind == Kind::kSubmission && (among(kSubmissionSwitches, spelling) || among(kSubmissionOptions, spelling)))
      return submission_option(spelling);
    if (launch_.kind == Kind::kPerformance) return pass_over();
    unknown_option(spelling);
  }

  void override_word(const Token& token) { overrides_.push_back(token); }

  /// The value of the option at this place: attached, or the next word, which is then used up.
  std::optional<Token> take_value(const std::string& spelling) {
    Token value = words_[at_];
    if (value.text.size() > spelling.size()) {
      value.text.erase(0, spelling.size() + 1);
      return value;
    }
    if (at_ + 1 < words_.size() && (words_[at_ + 1].text.empty() || words_[at_ + 1].text[0] != '-' || words_[at_ + 1].unknown))
      return words_[++at_];
    remark(Remark::Kind::kMissingValue, words_[at_], spelling, "one argument");
    return std::nullopt;
  }

  void recipe_option(const tables::RecipeOption& option, const std::string& spelling) {
    const Token token = words_[at_];
    if (!option.takes_value) return;
    const auto value = take_value(spelling);
    if (!value) return;
    chosen_[std::string(option.flag)] = *value;
    tables::Flag flag;
    flag.flag = option.flag;
    flag.type = option.type;
    flag.choices = option.choices;
    Value typed = value->unknown ? Value(Unknown{value->text, value->unknown->reason}) : checked(flag, *value, spelling);
    for (const auto key : option.writes) add(token, spelling, std::string(key), typed);
  }

  Value checked(const tables::Flag& flag, const Token& value, const std::string& spelling) {
    TypedWord word = typed_word(flag, value.text);
    if (word.problem) remark(*word.problem, value, spelling, value.text, word.expected);
    return std::move(word.value);
  }

  void add(const Token& token, const std::string& spelling, const std::string& key, Value value) {
    if (const Unknown* unknown = value.unknown(); unknown && (token.unknown || unknown->text.find('$') != std::string::npos))
      remark(Remark::Kind::kUnresolved, token, key, unknown->text, unknown->reason);
    Origin origin = token.origin;
    origin.spelling = spelling;
    out_.settings.push_back({key, std::move(value), std::move(origin)});
  }

  /// The performance scripts' shorthand: offloading of N layers, activations only; 0 changes nothing.
  void offload_layers(const std::string& spelling) {
    const Token token = words_[at_];
    const auto value = take_value(spelling);
    if (!value) return;
    tables::Flag flag;
    flag.flag = "--activation_offload_layers";
    flag.type = tables::Flag::Type::kInt;
    const Value count = value->unknown ? Value(Unknown{value->text, value->unknown->reason}) : checked(flag, *value, spelling);
    if (count.integer() != nullptr && *count.integer() <= 0) return;
    add(token, spelling, "model.cpu_offloading", count.is_unknown() ? count : Value(true));
    add(token, spelling, "model.cpu_offloading_weights", count.is_unknown() ? count : Value(false));
    add(token, spelling, "model.cpu_offloading_num_layers", count);
  }

  void submission_option(const std::string& spelling) {
    const Token token = words_[at_];
    if (among(kSubmissionSwitches, spelling)) return;
    const auto value = take_value(spelling);
    if (!value) return;
    chosen_[spelling] = *value;
    const auto equals = value->text.find('=');
    if (spelling == "--env" && equals != std::string::npos)
      add(token, spelling, "env." + value->text.substr(0, equals), value->text.substr(equals + 1));
    tables::Flag flag;
    flag.type = tables::Flag::Type::kInt;
    if (spelling == "--nodes") add(token, spelling, "launch.nnodes", checked(flag, *value, spelling));
    if (spelling == "--gpus-per-node" || spelling == "--devices")
      add(token, spelling, "launch.nproc_per_node", checked(flag, *value, spelling));
  }

  void pass_over() {
    const Token& token = words_[at_];
    const bool attached = token.text.find('=') != std::string::npos;
    const bool value =
        !attached && at_ + 1 < words_.size() && !words_[at_ + 1].text.starts_with("-") && override_key_length(words_[at_ + 1].text) == 0;
    if (value) chosen_[token.text] = words_[++at_];
  }

  void unknown_option(const std::string& spelling) {
    Remark found{Remark::Kind::kUnknownFlag, spelling, {}, {}, {}, words_[at_].origin};
    found.origin.spelling = spelling;
    found.suggestions = suggest_([&] { return nearest(spelling, tables::recipe_option_names()); });
    if (words_[at_].text.size() > spelling.size())
      found.detail = words_[at_].text.substr(spelling.size());
    else if (at_ + 1 < words_.size() && !words_[at_ + 1].text.starts_with("-") && override_key_length(words_[at_ + 1].text) == 0)
      found.detail = words_[++at_].text;
    out_.remarks.push_back(std::move(found));
  }

  const Token* chosen(const std::vector<std::string_view>& options) const {
    for (const auto option : options)
      if (const auto found = chosen_.find(option); found != chosen_.end()) return &found->second;
    return nullptr;
  }

  /// The recipe by name, or the one that model and mode select.
  void choose_recipe() {
    if (const Token* name = chosen({"--recipe"})) return set_recipe(*name, name->text, "--recipe");
    const Token* model = chosen({"--model", "--model_recipe_name", "--model-recipe-name", "-mr"});
    if (model == nullptr) return;
    const Token* mode = chosen({"--mode", "--task"});
    std::string task = mode == nullptr ? "pretrain" : mode->text;
    if (task == "lora" || task == "dora") task = "peft";
    std::string selected = model->text + "_" + task;
    if (const auto particular = sized_recipe(selected))
      selected = *particular;
    else
      selected += "_config";
    Token token = *model;
    if (mode != nullptr && mode->unknown && !token.unknown) token.unknown = mode->unknown;
    set_recipe(token, selected, "--model");
  }

  /// `llama3_8b_pretrain_8gpu_h100_bf16_config`, when the words name the hardware and such a recipe exists.
  std::optional<std::string> sized_recipe(const std::string& start) const {
    const Token* gpu = chosen({"--gpu", "-g", "--gpu-type", "--gpu_type"});
    const Token* gpus = chosen({"--gpus", "--num_gpus", "--num-gpus", "-ng"});
    const Token* precision = chosen({"--precision", "--compute_dtype", "-c"});
    if (gpu == nullptr || gpus == nullptr) return std::nullopt;
    std::string dtype = precision == nullptr ? "bf16" : lower(precision->text);
    dtype.erase(std::remove(dtype.begin(), dtype.end(), '_'), dtype.end());
    const std::string name = start + "_" + gpus->text + "gpu_" + lower(gpu->text) + "_" + dtype + "_config";
    return tables::find_recipe(name) ? std::optional(name) : std::nullopt;
  }

  void set_recipe(const Token& token, const std::string& name, const char* spelling) {
    Value value = name;
    if (token.unknown) value = Unknown{name, token.unknown->reason};
    if (token.unknown) remark(Remark::Kind::kUnresolved, token, spelling, name, token.unknown->reason);
    out_.recipe = Setting{"recipe", std::move(value), token.origin};
    out_.recipe->origin.spelling = spelling;
  }

  void remark(Remark::Kind kind, const Token& token, std::string subject, std::string detail = {}, std::string expected = {}) {
    Remark out{kind, std::move(subject), std::move(detail), std::move(expected), {}, token.origin};
    out.origin.spelling = out.subject;
    out_.remarks.push_back(std::move(out));
  }

  const Launch& launch_;
  const ReadContext& context_;
  const std::vector<Token>& words_;
  std::size_t at_ = 0;
  TextMap<Token> chosen_;  ///< Values by option.
  std::vector<Token> overrides_;
  Suggester suggest_;
  Reading out_;
};

/// The options of a front end's command.
class FrontEndCommand {
 public:
  FrontEndCommand(const Launch& launch, const ReadContext& context) : launch_(launch), context_(context) {}

  Reading read() {
    out_.launcher = launch_.front_end->launcher;
    Origin origin = launch_.entry.origin;
    origin.spelling = launch_.entry.text;
    out_.settings.push_back({"launch.front_end", launch_.front_end->name, std::move(origin)});
    const auto& words = launch_.arguments;
    for (std::size_t at = 0; at < words.size();) {
      Token option = words[at++];
      std::vector<Token> values;
      if (const auto equals = option.text.find('='); equals != std::string::npos) {
        values.push_back(option);
        values.back().text.erase(0, equals + 1);
        option.text.resize(equals);
      }
      for (; values.empty() && at < words.size() && !words[at].text.starts_with("--"); ++at) values.push_back(words[at]);
      take(option, values);
    }
    note_own();
    return std::move(out_);
  }

 private:
  void take(const Token& option, const std::vector<Token>& values) {
    const auto flag = tables::find_flag(dashed(option.text), context_.core, context_.script);
    if (flag) return store(*flag, option, values);
    if (option.text.starts_with("--")) own_.push_back(option);
  }

  /// The words as Megatron-LM's option would take them.
  void store(const tables::Flag& flag, const Token& option, const std::vector<Token>& values) {
    List typed;
    for (const auto& value : values)
      typed.push_back(value.unknown ? Value(Unknown{value.text, value.unknown->reason}) : typed_word(flag, value.text).value);
    Value result;
    if (values.size() == 1 && !values[0].unknown && !values[0].text.empty() && values[0].text == launch_.front_end->null_word) {
      result = Null{};
    } else if (flag.nargs == "0") {
      const bool on = values.empty() || iequals(values[0].text, "true");
      result = values.empty() || !values[0].unknown ? Value(on == flag.constant.truthy()) : typed[0];
    } else if (flag.nargs.empty() && !typed.empty()) {
      result = typed[0];
    } else {
      result = joined_words(std::move(typed));
    }
    Origin origin = option.origin;
    origin.spelling = option.text;
    out_.settings.push_back({std::string(flag.key), std::move(result), std::move(origin)});
  }

  /// Options that Megatron-LM does not have.
  void note_own() {
    constexpr std::size_t kMostNamed = 5;
    if (own_.empty()) return;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < own_.size() && i < kMostNamed; ++i) names.push_back(own_[i].text);
    const std::string more = own_.size() > kMostNamed ? " and " + std::to_string(own_.size() - kMostNamed) + " more" : "";
    const std::string whose = "options of " + std::string(launch_.front_end->name) + " itself, passed over";
    out_.remarks.push_back({Remark::Kind::kTakenAs, join(names, ", ") + more, {}, whose, {}, own_.front().origin});
  }

  const Launch& launch_;
  const ReadContext& context_;
  std::vector<Token> own_;
  Reading out_;
};

}  // namespace

Reading read_recipe_command(const Launch& launch, const ReadContext& context) { return RecipeCommand(launch, context).read(); }

Reading read_front_end_arguments(const Launch& launch, const ReadContext& context) { return FrontEndCommand(launch, context).read(); }

}  // namespace spillway::config
