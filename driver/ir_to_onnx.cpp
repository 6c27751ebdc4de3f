#include "driver/ir_to_onnx.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "core/support/shell.hpp"
#include "driver/given_model.hpp"
#include "driver/model_graph.hpp"
#include "driver/onnx_output.hpp"

namespace mo {
namespace {

/// Options that act on an IR, too, or that need none.
constexpr std::array<std::string_view, 21> kTaken = {
    "input_model", "to",         "onnx_opset", "external-data", "model_name", "output_dir",    "durable",
    "verify",      "log_level",  "silent",     "progress",      "input",      "stream_output", "input_shape",
    "depfile",     "extensions", "custom_ops", "max-memory",    "max-time",   "trusted",       "check",
};

/// Options that choose transformations: `mo opt` has them for an IR.
constexpr std::array<std::string_view, 8> kPasses = {"transform",  "disable-pass", "only-pass",   "explain-pass",
                                                     "dump-after", "time-passes",  "verify-each", "print-pipeline"};

bool is_among(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

Diagnostic refused(const Options& options, const GivenOption& option) {
  Diagnostic problem =
      error("MO-CLI-0099", "--{} has no effect on \"{}\", which is an IR already", option.name, options.input_model);
  if (is_among(option.name, kPasses))
    return std::move(problem).hint("run transformations on an IR with: mo opt {} --passes LIST --output_file {}",
                                   shell_word(options.input_model), shell_word(output_name(options) + ".onnx"));
  return std::move(problem).hint("give it where the model is converted: mo MODEL --{}{} --to onnx", option.name,
                                 option.text.empty() || option.text == "True" ? "" : " " + shell_word(option.text));
}

}  // namespace

bool is_ir_for_onnx(const Options& options) {
  return options.to_onnx && options.framework.empty() &&
         kind_of_input_model(options) == frontends::ModelKind::openvino_ir;
}

Expected<void> check_options_for_ir(const Options& options) {
  std::vector<Diagnostic> problems;
  for (const GivenOption& option : options.given)
    if (option.is_on() && !is_among(option.name, kTaken)) problems.push_back(refused(options, option));
  for (const InputSpec& input : options.inputs)
    if (input.type || input.value)
      problems.push_back(
          error("MO-CLI-0099", "--input: an IR can be reshaped, but '{}' has a type or a value", input.text)
              .hint("give it where the model is converted: mo MODEL --input … --to onnx"));
  if (problems.empty()) return {};
  return Error(std::move(problems));
}

Expected<Report> convert_ir(const Options& options, DiagnosticSink& sink) {
  MO_TRY(check_options_for_ir(options));
  InputFiles inputs;
  const InputFiles::Recording recording(inputs);
  MO_ASSIGN(const ModelGraph model, load_model(options, {}, sink));
  return write_onnx(options, *model.graph, onnx_forms_of(model), inputs, sink);
}

}  // namespace mo
