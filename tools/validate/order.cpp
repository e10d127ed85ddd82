#include "tools/validate/order.hpp"

namespace spillway::validate {
namespace {

/// Lines of ConfigContainer.validate in NVIDIA-NeMo/Megatron-Bridge 067f987df0 that call the finalizers.
constexpr int kBridgeOptimizerFinalize = 1394;
constexpr int kBridgeModelFinalize = 1400;

bool model_first(const Facts& facts) {
  if (facts.core() <= config::Core::k0_17) return true;
  const auto script = facts.script();
  return script == "gpt" || script == "hybrid" || script == "rl" || script.empty();
}

/// Order of the dataclasses within the configuration phase of Megatron-LM and plain core.
int config_block(Place place, const Facts& facts) {
  switch (place) {
    case Place::kModelParallelConfig:
      return 10;
    case Place::kTransformerConfig:
      return 11;
    case Place::kOptimizerConfig:
      return facts.megatron_lm() && !model_first(facts) ? 5 : 20;
    default:
      return 0;
  }
}

int bridge_block(const Raise& raise) {
  switch (raise.place) {
    case Place::kOptimizerConfig:
      return kBridgeOptimizerFinalize * 10;
    case Place::kModelParallelConfig:
      return kBridgeModelFinalize * 10;
    case Place::kTransformerConfig:
      return kBridgeModelFinalize * 10 + 1;
    default:
      return raise.sequence * 10;
  }
}

}  // namespace

Stage stage_of(Place place) {
  switch (place) {
    case Place::kParse:
      return Stage::kParse;
    case Place::kValidateArgs:
      return Stage::kArgs;
    case Place::kModelParallelConfig:
    case Place::kTransformerConfig:
    case Place::kOptimizerConfig:
      return Stage::kConfig;
    case Place::kBridge:
      return Stage::kBridge;
    case Place::kBridgeRefinalize:
    case Place::kBuildModel:
    case Place::kBuildOptimizer:
      return Stage::kBuild;
    case Place::kForward:
      return Stage::kForward;
    case Place::kStep:
      return Stage::kStep;
    case Place::kSave:
      return Stage::kSave;
    case Place::kLoad:
      return Stage::kLoad;
  }
  return Stage::kConfig;
}

Position position(const Raise& raise, const Facts& facts) {
  const int sequence = raise.sequence;
  switch (raise.place) {
    case Place::kParse:
      return {0, 0, sequence};
    case Place::kValidateArgs:
      return {1, 0, sequence};
    case Place::kModelParallelConfig:
    case Place::kTransformerConfig:
    case Place::kOptimizerConfig:
    case Place::kBridge:
      return {2, facts.bridge() ? bridge_block(raise) : config_block(raise.place, facts), sequence};
    case Place::kBridgeRefinalize:
      return {3, 0, sequence};
    case Place::kBuildModel:
      return {4, 0, sequence};
    case Place::kBuildOptimizer:
      return {4, 1, sequence};
    case Place::kForward:
      return {5, 0, sequence};
    case Place::kStep:
      return {6, 0, sequence};
    case Place::kSave:
      return {7, 0, sequence};
    case Place::kLoad:
      return {8, 0, sequence};
  }
  return {};
}

}  // namespace spillway::validate
