#include "tools/validate/optimizer_offload.hpp"
#include "tools/validate/rule.hpp"

namespace spillway::validate::rules {

Rule dopt_unknown() {
  return {
      .code = "DOPT-UNKNOWN",
      .summary = "an optimizer that Megatron-Core cannot build",
      .stage = Stage::kBuild,
      .raises = {{.place = Place::kBuildOptimizer,
                  .sequence = 770,
                  .type = "Exception",
                  .text = "{} optimizer is not supported.",
                  .until = Core::k0_17},
                 {.place = Place::kBuildOptimizer,
                  .sequence = 770,
                  .type = "ValueError",
                  .text = "Unsupported emerging optimizer: {}",
                  .since = Core::k0_18},
                 {.place = Place::kBuildOptimizer,
                  .sequence = 775,
                  .type = "ValueError",
                  .text = "emerging optimizer with fp16 is not supported.",
                  .since = Core::k0_18}},
      .what =
          "optimizer is none of adam, sgd, muon, dist_muon, adaptive_muon, soap and lion, compared exactly; or it is one of the last five "
          "in fp16 training.",
      .why =
          "Everything but adam and sgd is looked up among the emerging optimizers; the run stops when the optimizer is built, after the "
          "model.",
      .remedy = "Write adam for AdamW as well: decoupled weight decay is its default. Train the others in bf16.",
      .evidence = {"megatron/core/optimizer/__init__.py",
                   "if eopt_name not in _EMERGING_OPTIMIZERS: raise ValueError; if config.fp16: raise ValueError"},
      .check =
          [](const Facts& facts, Report& report) {
            const auto& optimizer = facts.value("optimizer.optimizer");
            const std::string name = optimizer.str();
            if (name == "adam" || name == "sgd") return;
            if (!is_emerging(name)) {
              auto finding = report.add("there is no optimizer " + optimizer.repr());
              finding.keys({"optimizer.optimizer"}).with({name.starts_with("dist_") ? name.substr(5) : name});
              finding.fix(Fix::Safety::kDisplayOnly, "train with adam", {set("optimizer.optimizer", "adam")});
              return;
            }
            if (facts.core() < Core::k0_18 || facts.off("optimizer.fp16")) return;
            report.add("the optimizer " + name + " does not train in fp16")
                .keys({"optimizer.optimizer", "optimizer.fp16", "model.fp16"})
                .raise(2)
                .fix(Fix::Safety::kDisplayOnly, "train with adam", {set("optimizer.optimizer", "adam")});
          },
  };
}

}  // namespace spillway::validate::rules
