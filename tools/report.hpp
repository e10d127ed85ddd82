#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/style.hpp"
#include "tools/fields.hpp"
#include "tools/validate/validate.hpp"

/// The blocks that outputs of the config tools are made of, each said once.
namespace spillway {

/// What to ask or do next: a tool with ready arguments, or a shell command.
struct Next {
  std::string tool;
  config::Map arguments;
  std::string command;
  std::string why;
};
void fields(Fields& f, Next& next);

struct EditReport {
  std::string action;
  std::string key;
  std::string value;
};
void fields(Fields& f, EditReport& edit);

struct FixReport {
  std::string safety;
  std::string summary;
  std::vector<EditReport> edits;
  std::string apply;
};
void fields(Fields& f, FixReport& fix);

struct UpstreamReport {
  std::string type;
  std::string message;
};
void fields(Fields& f, UpstreamReport& upstream);

struct LocationReport {
  std::string file;
  std::int64_t line = 0;
  std::int64_t column = 0;
};
void fields(Fields& f, LocationReport& location);

struct FindingReport {
  std::string code;
  std::string severity;
  std::string stage;
  std::string message;
  std::optional<UpstreamReport> upstream;
  bool first = false;
  std::vector<std::string> keys;
  std::optional<LocationReport> location;
  std::vector<FixReport> fixes;
};
void fields(Fields& f, FindingReport& finding);

struct MissingReport {
  std::string what;
  std::vector<std::string> keys;
  std::string command;
};
void fields(Fields& f, MissingReport& missing);

/// A validation as data, without its next steps.
struct ValidationReport {
  std::string verdict;
  std::string summary;
  Pairs context;
  std::vector<FindingReport> findings;
  std::vector<MissingReport> missing;
  std::vector<std::string> assumptions;
  std::vector<std::string> unchecked;
};
void fields(Fields& f, ValidationReport& report);

/// Where something stands, when that is known.
std::optional<LocationReport> place_of(const config::Origin& origin, const config::TrainConfig& config);
/// One finding of an answer as data.
FindingReport report_of(const validate::Finding& finding, const validate::Answer& answer, const config::TrainConfig& config);
/// The answer as data; places are named by the sources of the configuration it is about.
ValidationReport report_of(const validate::Answer& answer, const config::TrainConfig& config);

/// What helps after a validation: how to get what is missing, and the explanation of the finding that matters most.
std::vector<Next> next_steps(const validate::Answer& answer);
/// The steps for a reader, one a line, with a title; empty when there are none. What an answer says elsewhere already is left out.
std::string next_text(const std::vector<Next>& steps, const Style& style);

}  // namespace spillway
