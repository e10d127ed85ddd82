// What reading and validating a 150-line YAML costs, beside yaml-cpp's own parse of the same text in the same run.
// Read the ratio, not the times: bench_validate --benchmark_repetitions=9
#include <benchmark/benchmark.h>
#include <yaml-cpp/yaml.h>

#include "base/files.hpp"
#include "tools/config/reader.hpp"
#include "tools/validate/validate.hpp"

namespace {

const std::string& text() {
  static const std::string loaded = *spillway::read_file(std::string(SPILLWAY_SOURCE_DIR) + "/tests/bench/job_150_lines.yaml", 1u << 20);
  return loaded;
}

void yaml_cpp_load(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(YAML::Load(text()));
}
BENCHMARK(yaml_cpp_load);

spillway::validate::Question read() {
  spillway::validate::Question question;
  auto reading = spillway::config::read_source(text(), {});
  question.config.stack({"job.yaml", text(), ""}, std::move(*reading));
  return question;
}

void read_only(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(read());
}
BENCHMARK(read_only);

void read_and_validate(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(spillway::validate::validate(read()));
}
BENCHMARK(read_and_validate);

}  // namespace
