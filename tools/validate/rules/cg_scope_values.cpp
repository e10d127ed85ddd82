#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

namespace {

constexpr std::array<std::string_view, 6> kModules = {"attn", "mlp", "moe", "moe_router", "moe_preprocess", "mamba"};
constexpr std::array<std::string_view, 3> kSpecial = {"full", "full_iteration", "full_iteration_inference"};

/// Positions in Rule::raises.
enum : std::size_t { kUnknownOption = 0, kUnknownName, kWholeByTe, kFull, kSeveral = 5, kWhole = 7, kInference = 9 };

/// Since 0.18 Megatron-LM resolves the names among the arguments already: the raise after the dataclass's own.
std::size_t of_launcher(const Facts& facts, std::size_t raise) {
  return raise + (facts.megatron_lm() && facts.core() >= Core::k0_18 ? 1 : 0);
}

bool among(const auto& names, std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); }

bool exists(const Facts& facts, std::string_view name) {
  if (name == "full_iteration_inference" && facts.core() < Core::k0_17) return false;
  return among(kModules, name) || among(kSpecial, name);
}

/// The names as written: a string is a comma list whose blanks count; an empty one names nothing since 0.18.
std::vector<std::string> written(const Facts& facts, const config::Value& value) {
  std::vector<std::string> names;
  if (const auto* text = value.string(); text != nullptr && (!text->empty() || facts.core() < Core::k0_18))
    for (const auto part : split(*text, ',')) names.emplace_back(part);
  if (const auto* items = value.list())
    for (const auto& item : *items) names.push_back(item.str());
  return names;
}

std::string key_in_use(const Facts& facts) {
  const bool scope = facts.core() < Core::k0_18 || !facts.is_null("model.cuda_graph_scope");
  return scope ? "model.cuda_graph_scope" : "model.cuda_graph_modules";
}

/// "full" stands alone; since 0.18 what stands beside it is not even looked at.
bool names_full(const Facts& facts, const std::vector<std::string>& names, const std::string& key, Report& report) {
  if (!among(names, "full")) return false;
  if (names.size() > 1)
    report.add("\"full\" means whole layers and cannot stand beside other modules").keys({key}).raise(of_launcher(facts, kFull));
  return facts.core() >= Core::k0_18;
}

/// The deprecated names full_iteration and full_iteration_inference; of several only the first is looked at.
void refuse_deprecated(const Facts& facts, const std::vector<std::string>& names, const std::string& key, Report& report) {
  config::List deprecated;
  for (const auto& name : names)
    if (name == "full_iteration" || name == "full_iteration_inference") deprecated.emplace_back(name);
  if (deprecated.empty()) return;
  if (among(names, "full_iteration") && among(names, "full_iteration_inference"))
    report.add("full_iteration and full_iteration_inference are both named")
        .keys({key})
        .raise(of_launcher(facts, kSeveral), {config::Value(deprecated).repr()});
  const auto& asked = facts.graphs().asked;
  const bool whole = deprecated.front() == config::Value("full_iteration");
  if (asked == config::Value("none") || asked == config::Value("local") || (whole && asked == config::Value("full_iteration"))) return;
  auto finding = report.add("the module name " + deprecated.front().str() + " does not combine with cuda_graph_impl=" + asked.str());
  finding.keys({key, "model.cuda_graph_impl"}).raise(of_launcher(facts, whole ? kWhole : kInference), {asked.repr()});
  if (whole)
    finding.fix(Fix::Safety::kDisplayOnly, "capture the whole iteration",
                {set("model.cuda_graph_impl", "full_iteration"), set(key, config::Null{})});
}

}  // namespace

Rule cg_scope_values() {
  constexpr std::string_view full = "full scope cannot be used with other scopes.";
  constexpr std::string_view several = "cuda_graph_modules cannot contain multiple deprecated values at the same time: {}.";
  constexpr std::string_view whole = "cuda_graph_modules='full_iteration' cannot be combined with cuda_graph_impl={}.";
  constexpr std::string_view inference = "cuda_graph_modules='full_iteration_inference' cannot be combined with cuda_graph_impl={}.";
  return {
      .code = "CG-SCOPE-VALUES",
      .summary = "the captured modules contain a name that does not exist or does not combine",
      .since = Core::k0_16,
      .raises = {{Place::kParse, 260, "KeyError", "'{}'", {Launcher::kMegatronLm}},
                 {Place::kTransformerConfig, 2732, "KeyError", "'{}'"},
                 {Place::kTransformerConfig, 2816, "AssertionError",
                  "To use full iteration cuda graph, please use cuda_graph_impl=local instead of cuda_graph_impl=transformer_engine."},
                 {Place::kTransformerConfig, 2731, "AssertionError", full},
                 {Place::kValidateArgs, 640, "AssertionError", full, {Launcher::kMegatronLm}},
                 {Place::kTransformerConfig, 2734, "AssertionError", several},
                 {Place::kValidateArgs, 641, "AssertionError", several, {Launcher::kMegatronLm}},
                 {Place::kTransformerConfig, 2735, "AssertionError", whole},
                 {Place::kValidateArgs, 642, "AssertionError", whole, {Launcher::kMegatronLm}},
                 {Place::kTransformerConfig, 2737, "AssertionError", inference},
                 {Place::kValidateArgs, 643, "AssertionError", inference, {Launcher::kMegatronLm}}},
      .what =
          "cuda_graph_modules (before 0.18 cuda_graph_scope) knows attn, mlp, moe, moe_router, moe_preprocess and mamba. full, "
          "full_iteration and full_iteration_inference are deprecated special names that stand alone, and full_iteration does not go with "
          "transformer_engine.",
      .why =
          "An unknown name is a KeyError from the enumeration, without a hint what would be right; blanks after commas are part of the "
          "name.",
      .remedy = "Use the names above. For one graph over the iteration write cuda_graph_impl=full_iteration and no modules.",
      .evidence = {"megatron/core/transformer/cuda_graph_config.py", "CudaGraphModule[name]"},
      .check =
          [](const Facts& facts, Report& report) {
            const std::string key = key_in_use(facts);
            const auto names = written(facts, facts.value(key));
            if (names_full(facts, names, key, report)) return;
            for (const auto& name : names)
              if (!exists(facts, name)) {
                report
                    .add("there is no CUDA-graph module " + config::Value(name).repr() +
                         "; modules are attn, mlp, moe, moe_router, moe_preprocess, mamba")
                    .keys({key})
                    .raise(facts.megatron_lm() ? kUnknownOption : kUnknownName, {name})
                    .stops();
                return;
              }
            if (facts.core() >= Core::k0_18)
              refuse_deprecated(facts, names, key, report);
            else if (among(names, "full_iteration") && facts.graphs().impl == "transformer_engine")
              report.add("the module name full_iteration needs cuda_graph_impl=local, not transformer_engine")
                  .keys({key, "model.cuda_graph_impl"})
                  .raise(kWholeByTe)
                  .fix(Fix::Safety::kDisplayOnly, "capture the whole iteration",
                       {set("model.cuda_graph_impl", "local"), set(key, "full_iteration")});
          },
  };
}

}  // namespace spillway::validate::rules
