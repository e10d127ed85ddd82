#include "tools/validate/checkpoints.hpp"

namespace spillway::validate {

namespace {

constexpr std::string_view kLoad = "checkpoint.load";

bool reads_optimizer(const Facts& facts) { return facts.on("checkpoint.load_optim") && facts.off("checkpoint.finetune"); }

}  // namespace

bool resumes(const Facts& facts) {
  if (facts.saved() != nullptr) return true;
  const config::Setting* load = facts.setting(kLoad);
  return load != nullptr && load->origin.source >= 0 && facts.on(kLoad);
}

bool loads_optimizer(const Facts& facts) { return resumes(facts) && reads_optimizer(facts); }

bool loads_weights_only(const Facts& facts) {
  if (resumes(facts)) return !reads_optimizer(facts);
  return facts.given("checkpoint.pretrained_checkpoint") && facts.on("checkpoint.pretrained_checkpoint");
}

std::string_view optimizer_layout(const Facts& facts) {
  if (facts.is("checkpoint.ckpt_format", "fsdp_dtensor")) return "fsdp_dtensor";
  return facts.on("checkpoint.dist_ckpt_optim_fully_reshardable") ? "fully_reshardable" : "dp_reshardable";
}

const Facts* loaded_run(const Facts& facts) {
  if (!loads_optimizer(facts)) return nullptr;
  if (facts.saved() == nullptr) facts.need_saved();
  return facts.saved();
}

const Facts& writer(const Facts& facts) { return facts.saved() != nullptr ? *facts.saved() : facts; }

bool offloads_sharded(const Facts& facts) {
  if (facts.off("optimizer.optimizer_cpu_offload")) return false;
  return facts.on("optimizer.use_distributed_optimizer") || facts.on("ddp.use_distributed_optimizer");
}

}  // namespace spillway::validate
