#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/version.hpp"
#include "tools/config/train_config.hpp"
#include "tools/config/version.hpp"
#include "tools/validate/finding.hpp"

namespace spillway::validate {

/// What the caller stated about one run.
struct Question {
  config::TrainConfig config;                ///< Read and stacked; a recipe it names is looked up here.
  std::optional<config::Launcher> launcher;  ///< Stated; else the form decides.
  std::optional<config::Core> core;          ///< Stated; else Bridge's pin for Bridge, main for the others.
  std::string script;                        ///< Megatron-LM entry script as stated; else what the launch command names, else gpt.
  std::optional<Version> te;
  bool te_absent = false;  ///< Stated: there is no Transformer Engine.
  std::optional<Version> torch;
  std::optional<int> world_size;
  std::optional<int> ranks_per_node;
  std::string gpu;
  std::map<std::string, std::string> env;  ///< Process environment as stated.
  bool env_stated = false;                 ///< The environment is known: what is not in `env` is not set.
  std::shared_ptr<const Question> saved;   ///< The run that wrote the checkpoint which this one resumes from, where stated.
};

/// A value that the question needs and nobody gave.
struct Missing {
  std::string what;               ///< "the recipe", "the environment of the launch"
  std::vector<std::string> keys;  ///< Canonical keys that depend on it.
  std::string command;            ///< What fetches or states it.
};

/// The whole answer; what is rendered as text, JSON or SARIF.
struct Answer {
  std::string verdict;                                       ///< `ok`, `warning`, `error`, `unknown`
  std::string summary;                                       ///< One sentence.
  std::vector<std::pair<std::string, std::string>> context;  ///< launcher, mcore, te, script, recipe, …
  std::vector<std::string> assumptions;                      ///< What was taken where nothing was stated, and from which commit.
  std::vector<Missing> missing;
  std::vector<std::string> unchecked;  ///< Codes of rules that could not be decided.
  std::vector<Finding> findings;       ///< The first failure first, then by severity, stage and code.
};

/// Checks every rule that applies. Pure; never throws.
/// Threads: may be called concurrently.
Answer validate(const Question& question);

}  // namespace spillway::validate
