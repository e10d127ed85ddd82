#include <algorithm>

#include "tools/validate/edits.hpp"
#include "tools/validate/python_text.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule act_num_layers() {
  return {
      .code = "ACT-NUM-LAYERS",
      .summary = "the number of offloaded layers must be below the number of layers",
      .raises = {{Place::kTransformerConfig, 1885, "ValueError", "CPU offloading can be done only for layers less than {}"}},
      .what =
          "cpu_offloading is on and cpu_offloading_num_layers is negative or not smaller than num_layers. Valid is 0 to num_layers - 1; "
          "with the switch off the count is not looked at. A value that is no number fails in the comparison.",
      .why =
          "Megatron-Core refuses the value when the model configuration is built: the last layer's activations are needed at once by "
          "backward.",
      .remedy = "Choose 1 to num_layers - 2. num_layers - 1 is legal but leaves nothing to overlap with; 0 offloads nothing.",
      .evidence = {"megatron/core/transformer/transformer_config.py",
                   "if self.cpu_offloading and (self.cpu_offloading_num_layers < 0 or self.cpu_offloading_num_layers >= self.num_layers):"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("model.cpu_offloading")) return;
            const auto& count = facts.value("model.cpu_offloading_num_layers");
            const auto wanted = facts.number("model.cpu_offloading_num_layers");
            if (!wanted) {
              report.add("cpu_offloading_num_layers must be a number, not " + count.repr())
                  .keys({"model.cpu_offloading_num_layers", "model.cpu_offloading"})
                  .natural("TypeError", not_comparable("<", count))
                  .fix(Fix::Safety::kDisplayOnly, "give the number of layers to offload as a plain number", {});
              return;
            }
            const auto layers = facts.integer("model.num_layers");
            if (!(*wanted < 0 || *wanted >= static_cast<double>(layers))) return;  // not a number passes, as upstream
            auto found = report.add("cpu_offloading_num_layers is " + count.str() + "; with " + std::to_string(layers) +
                                    " layers it must be 0 to " + std::to_string(layers - 1));
            found.keys({"model.cpu_offloading_num_layers", "model.num_layers", "model.cpu_offloading"}).with({std::to_string(layers)});
            if (layers >= 2)
              found.fix(Fix::Safety::kDisplayOnly, "offload at most all layers but two",
                        {set("model.cpu_offloading_num_layers", std::max<std::int64_t>(1, layers - 2))});
            found.fix(Fix::Safety::kDisplayOnly, "switch layer-level offload off", no_layer_offload(facts));
          },
  };
}

}  // namespace spillway::validate::rules
