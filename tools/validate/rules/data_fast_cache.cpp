#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule data_fast_cache() {
  return {
      .code = "DATA-FAST-CACHE",
      .summary = "fast_cache_load needs a path to the cache",
      .launchers = {Launcher::kBridge},
      .raises = {{Place::kBridge, 1388, "AssertionError", "--data-cache-path must be provided when using --dataloader-fast-cache-load."}},
      .what = "dataset.fast_cache_load is on and dataset.path_to_cache is null. The performance recipes leave it to the launch.",
      .why = "The configuration is refused when the data set is finalized, before the model and the optimizer are.",
      .remedy = "Give dataset.path_to_cache.",
      .evidence = {"megatron/core/datasets/blended_megatron_dataset_config.py",
                   "if self.fast_cache_load: assert self.path_to_cache is not None"},
      .check =
          [](const Facts& facts, Report& report) {
            if (facts.off("dataset.fast_cache_load") || facts.on("dataset.path_to_cache")) return;
            report.add("dataset.fast_cache_load is on and dataset.path_to_cache is not set")
                .keys({"dataset.path_to_cache", "dataset.fast_cache_load"})
                .fix(Fix::Safety::kDisplayOnly, "set dataset.path_to_cache to a folder that all ranks see")
                .fix(Fix::Safety::kDisplayOnly, "load the index without the cache", {set("dataset.fast_cache_load", false)});
          },
  };
}

}  // namespace spillway::validate::rules
