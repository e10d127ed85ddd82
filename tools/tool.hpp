#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/style.hpp"
#include "tools/decode.hpp"
#include "tools/fields.hpp"

namespace spillway {

/// What a caller may expect a tool to do to the world; each is stated, none is assumed.
struct Hints {
  bool read_only;    ///< Changes nothing.
  bool destructive;  ///< May destroy something.
  bool idempotent;   ///< A second call with the same arguments changes nothing more.
  bool open_world;   ///< Reaches beyond this machine.
};

/// Who a tool is.
struct ToolInfo {
  std::string_view name;         ///< For agents, `validate_config`; [a-z_], stable for ever.
  std::string_view command;      ///< For people, `validate`.
  std::string_view title;        ///< A few words.
  std::string_view description;  ///< What it answers and when to ask it; the first sentence stands alone.
  Hints hints;
};

/// How far a call has come.
struct Progress {
  double done = 0;
  std::optional<double> total = {};
  std::string message = {};
};

/// What a tool may use besides its arguments. It cannot learn who called.
/// Threads: `progress` may be called from any thread that the tool starts.
struct ToolContext {
  std::function<void(const Progress&)> progress = {};  ///< May be empty.
  std::stop_token stop = {};                           ///< The caller lost interest.
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  std::string directory = {};                ///< Where relative paths start; empty: where the process runs.
  bool may_read_files = true;                ///< False: the caller is not allowed to name files.
  bool may_read_standard_input = false;      ///< True: `-` is a source.
  std::vector<std::string> understood = {};  ///< What decoding reinterpreted; see Decoded.

  bool cancelled() const { return stop.stop_requested(); }
  bool late() const { return deadline && std::chrono::steady_clock::now() > *deadline; }
  void report(const Progress& step) const {
    if (progress) progress(step);
  }
};

/// What an answer amounts to; the exit status of a command line follows from it.
enum class Conclusion { kGood, kBad, kUnknown };

/// A further form of an answer, for programs that read that form: `--format NAME` on the command line.
template <class Output>
struct Format {
  std::string_view name;  ///< `sarif`; neither text nor json.
  std::string (*write)(const Output&);
};

/// A tool as its author writes it.
/// Shape: `Args` and `Output` each have a `fields` function beside them. An Output with a member `verdict` (ok, warning,
/// error, unknown) concludes by it; one with a member `understood` is told what decoding reinterpreted.
template <class Args, class Output>
struct Tool {
  ToolInfo info;
  Args example;  ///< Runs anywhere: needs no file, no network, no GPU.
  Result<Output> (*run)(const ToolContext&, const Args&);
  /// The answer for a reader: conclusion first, complete alone, below 20 KB unless details are asked for.
  std::string (*text)(const Output&, const Style&);
  std::vector<Format<Output>> formats = {};  ///< Beside text and JSON.
};

/// One question to a tool, from its arguments to its answer.
/// Shape: fill the members that input() names, then run() once; output(), text(), written() and conclusion() follow a run without error.
class Call {
 public:
  virtual ~Call() = default;
  virtual Fields input() = 0;
  virtual std::optional<Error> run(const ToolContext& context) = 0;
  virtual Fields output() = 0;
  virtual std::string text(const Style& style) const = 0;
  /// The names of the forms beside text and JSON.
  virtual std::vector<std::string_view> formats() const = 0;
  /// The answer in one of formats().
  virtual std::string written(std::string_view format) const = 0;
  virtual Conclusion conclusion() const = 0;
};

/// Any tool, its types forgotten.
/// Threads: may be asked from several threads; each Call belongs to one.
/// Cost: cheap to copy; nothing is computed before it is asked for.
class AnyTool {
 public:
  template <class Args, class Output>
  AnyTool(Tool<Args, Output> tool);

  const ToolInfo& info() const { return info_; }
  /// A call with default arguments.
  std::unique_ptr<Call> ask() const { return begin_(false); }
  /// A call with the arguments of the example.
  std::unique_ptr<Call> ask_example() const { return begin_(true); }
  /// The names of the forms of an answer beside text and JSON.
  std::vector<std::string_view> formats() const { return ask()->formats(); }

 private:
  ToolInfo info_;
  std::function<std::unique_ptr<Call>(bool example)> begin_;
};

/// What came of a call.
struct Reply {
  std::vector<Error> errors = {};  ///< Not empty: the question could not be asked, and this is all that is wrong with it.
  config::Map structured = {};     ///< The answer as data.
  std::string text = {};           ///< The answer for a reader.
  Conclusion conclusion = Conclusion::kGood;
  bool ok() const { return errors.empty(); }
};

/// Decodes the arguments, runs the tool, encodes the answer. With a `format`, one of the tool's formats(), the text is in that form.
/// Throws: what the tool throws: a bug of ours, never something that the user can act on.
Reply call(const AnyTool& tool, const config::Map& arguments, Wire wire, ToolContext context, const Style& style,
           std::string_view format = {});

/// All errors for a reader, each with its hint, one a line.
std::string text_of(const std::vector<Error>& errors, const Style& style);

/// The errors as data, for a caller that asked for it: `error` with code, message, hint, where, and in `also` the others.
/// Shape: at least one error; members without a value are absent.
config::Map data_of(const std::vector<Error>& errors);

/// Several errors as one: the first, with the others beside it.
/// Shape: at least one error.
Error combined(std::vector<Error> errors);

namespace detail {

template <class Args, class Output>
class TypedCall final : public Call {
 public:
  TypedCall(Tool<Args, Output> tool, Args args) : tool_(std::move(tool)), args_(std::move(args)) {}

  Fields input() override { return fields_of(args_); }

  std::optional<Error> run(const ToolContext& context) override {
    Result<Output> result = tool_.run(context, args_);
    if (!result) return result.error();
    output_ = std::move(*result);
    if constexpr (requires { output_.understood; })
      output_.understood.insert(output_.understood.begin(), context.understood.begin(), context.understood.end());
    return std::nullopt;
  }

  Fields output() override { return fields_of(output_); }
  std::string text(const Style& style) const override { return tool_.text(output_, style); }

  std::vector<std::string_view> formats() const override {
    std::vector<std::string_view> names;
    for (const auto& format : tool_.formats) names.push_back(format.name);
    return names;
  }

  std::string written(std::string_view name) const override {
    for (const auto& format : tool_.formats)
      if (format.name == name) return format.write(output_);
    return {};
  }

  Conclusion conclusion() const override {
    if constexpr (requires { output_.verdict; }) {
      if (output_.verdict == "error") return Conclusion::kBad;
      if (output_.verdict == "unknown") return Conclusion::kUnknown;
    }
    return Conclusion::kGood;
  }

 private:
  Tool<Args, Output> tool_;
  Args args_;
  Output output_{};
};

}  // namespace detail

template <class Args, class Output>
AnyTool::AnyTool(Tool<Args, Output> tool) : info_(tool.info) {
  begin_ = [tool = std::move(tool)](bool example) -> std::unique_ptr<Call> {
    return std::make_unique<detail::TypedCall<Args, Output>>(tool, example ? tool.example : Args{});
  };
}

}  // namespace spillway
