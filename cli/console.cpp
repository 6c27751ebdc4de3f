#include "cli/console.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "cli/terminal.hpp"
#include "core/op/runtimes.hpp"
#include "core/support/peak_memory.hpp"
#include "core/support/printable.hpp"
#include "core/support/shell.hpp"
#include "driver/framework.hpp"
#include "driver/given_model.hpp"
#include "driver/version.hpp"

namespace mo::cli {
namespace {

/// The list of a kind of message ends here; then comes a count.
constexpr std::size_t kShown = 20;
constexpr std::size_t kBarLength = 20;

void write_to(std::FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

std::string absolute(const std::string& path) {
  if (path.empty()) return "Not specified";
  std::error_code failed;
  const std::filesystem::path full = std::filesystem::absolute(path, failed).lexically_normal();
  std::string text = failed ? path : full.string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

std::string_view truth(bool value) { return value ? "True" : "False"; }

/// A line of the list of arguments that shows an option as it was given.
struct ArgumentLine {
  std::string_view label;
  std::string_view option;
  std::string_view otherwise;
};

constexpr std::array kTensorFlowLines = {
    ArgumentLine{"Input model in text protobuf format", "input_model_is_text", "False"},
    ArgumentLine{"Path to model dump for TensorBoard", "tensorboard_logdir", "None"},
    ArgumentLine{"List of shared libraries with TensorFlow custom layers implementation",
                 "tensorflow_custom_layer_libraries", "None"},
    ArgumentLine{"Update the configuration file with input/output node names",
                 "tensorflow_custom_operations_config_update", "None"},
    ArgumentLine{"Use configuration file used to generate the model with Object Detection API",
                 "tensorflow_object_detection_api_pipeline_config", "None"},
    ArgumentLine{"Use the config file", "transformations_config", "None"},
};

constexpr std::array kCaffeLines = {
    ArgumentLine{"Path to the Input prototxt", "input_proto", "Not specified"},
    ArgumentLine{"Path to CustomLayersMapping.xml", "custom_layers_mapping", "Not specified"},
    ArgumentLine{"Path to a mean file", "mean_file", "Not specified"},
    ArgumentLine{"Offsets for a mean file", "mean_file_offsets", "Not specified"},
};

}  // namespace

void print(std::string_view text) { write_to(stdout, has_colours(stdout) ? highlighted(text) : std::string(text)); }
void print_error(std::string_view text) {
  write_to(stderr, has_colours(stderr) ? highlighted(text) : std::string(text));
}

void print_errors(const Error& error) {
  std::string text;
  for (std::size_t i = 0; i < std::min(error.items().size(), kShown); ++i)
    text += "[ ERROR ]  " + error.items()[i].format() + "\n";
  if (error.items().size() > kShown)
    text += fmt::format("[ ERROR ]  and {} more errors\n", error.items().size() - kShown);
  print_error(printable(text));
}

std::string banner(const Options& options) {
  constexpr std::string_view kInherited = "Not specified, inherited from the model";
  constexpr std::string_view kUnset = "Not specified";
  std::string text = "Model Optimizer arguments:\nCommon parameters:\n";
  const auto line = [&](std::string_view label, std::string_view value) {
    text += fmt::format("\t- {}: \t{}\n", label, value);
  };
  line("Path to the Input Model", absolute(model_path(options)));
  line("Path for generated IR", absolute(options.output_dir));
  line("IR output name", output_name(options));
  line("Log level", options.log_level);
  line("Batch", options.given_text("batch", kInherited));
  line("Input layers", options.given_text("input", kInherited));
  line("Output layers", options.given_text("output", kInherited));
  line("Input shapes", options.given_text("input_shape", kInherited));
  line("Mean values", options.given_text("mean_values", kUnset));
  line("Scale values", options.given_text("scale_values", kUnset));
  line("Scale factor", options.given_text("scale", kUnset));
  line("Precision of IR", options.wants_fp16() ? "FP16" : "FP32");
  line("Enable fusing", truth(!options.disable_fusing));
  line("Enable grouped convolutions fusing", truth(!options.disable_gfusing));
  line("Move mean values to preprocess section", options.is_given("move_to_preprocess") ? "True" : "None");
  line("Reverse input channels", truth(options.reverse_input_channels));
  if (const Framework* framework = find_framework(options.framework)) {
    text += fmt::format("{} specific parameters:\n", framework->title);
    if (framework->name == "tf")
      for (const auto& [label, option, otherwise] : kTensorFlowLines)
        line(label, options.given_text(option, otherwise));
    if (framework->name == "caffe") {
      line("Enable resnet optimization", truth(!options.disable_resnet_optimization));
      for (const auto& [label, option, otherwise] : kCaffeLines) line(label, options.given_text(option, otherwise));
    }
  }
  text += fmt::format("Model Optimizer version: \t{}\n", version());
  return printable(text);
}

namespace {

/// Names the oldest runtime where it is not the first one that reads the version.
std::string runtime_line(const Report& report) {
  if (report.ir_version < 11 || !is_older(first_release::reading_version_11, report.oldest_runtime)) return {};
  return fmt::format("[ SUCCESS ] Oldest runtime: {}; for an older one give --target_runtime\n", report.oldest_runtime);
}

}  // namespace

std::string onnx_success_lines(const Report& report, double seconds, std::size_t megabytes) {
  const std::string data_line =
      report.onnx_data_path.empty() ? "" : fmt::format("[ SUCCESS ] Weights: {}\n", absolute(report.onnx_data_path));
  return printable(
      fmt::format("[ SUCCESS ] Generated ONNX model of op set {}.\n"
                  "[ SUCCESS ] ONNX file: {}\n{}"
                  "[ SUCCESS ] Total execution time: {:.2f} seconds. \n"
                  "[ SUCCESS ] Memory consumed: {} MB. \n",
                  report.onnx_opset, absolute(report.onnx_path), data_line, seconds, megabytes));
}

std::string success_lines(const Report& report, double seconds, std::size_t megabytes) {
  // The space at the end of two lines is the original's; scripts compare whole lines.
  return printable(fmt::format("[ SUCCESS ] Generated IR version {} model.\n"
                               "[ SUCCESS ] XML file: {}\n"
                               "[ SUCCESS ] BIN file: {}\n"
                               "[ SUCCESS ] Total execution time: {:.2f} seconds. \n"
                               "[ SUCCESS ] Memory consumed: {} MB. \n",
                               report.ir_version, absolute(report.xml_path), absolute(report.bin_path), seconds,
                               megabytes) +
                   runtime_line(report));
}

std::string next_step_line(const Report& report) {
  const std::string model = shell_word(report.xml_path.empty() ? report.onnx_path : report.xml_path);
  return printable(fmt::format("Next: mo run {0} --array INPUT=FILE.npy; mo inspect {0} lists the inputs\n", model));
}

std::size_t peak_megabytes() { return static_cast<std::size_t>(peak_memory() >> 20); }

ConsoleSink::ConsoleSink(std::string_view log_level, bool silent)
    : show_warnings_(log_level != "CRITICAL" && !silent),
      show_notes_(log_level == "INFO" || log_level == "DEBUG" || log_level == "NOTSET") {}

void ConsoleSink::report(Diagnostic diagnostic) {
  const bool is_note = diagnostic.severity == Severity::note;
  if (is_note ? !show_notes_ : diagnostic.severity == Severity::warning && !show_warnings_) return;
  if (++counts_[diagnostic.code] > kShown) return;
  const std::string_view label = is_note ? "INFO" : diagnostic.severity == Severity::warning ? "WARNING" : "ERROR";
  print_error(printable(fmt::format("[ {} ]  {}\n", label, diagnostic.format())));
}

void ConsoleSink::finish() {
  for (const auto& [code, count] : counts_)
    if (count > kShown)
      print_error(fmt::format("[ WARNING ]  {}: {} more messages of this kind\n", code, count - kShown));
  counts_.clear();
}

std::string ProgressBar::line(double share, std::string_view step, double seconds) {
  share = std::clamp(share, 0.0, 1.0);
  const auto dots = static_cast<std::size_t>(share * static_cast<double>(kBarLength));
  std::string text = fmt::format("\rProgress: [{:<20}]{:7.2f}% done", std::string(dots, '.'), share * 100);
  if (share >= 1) return text;
  text += fmt::format("  {}", step);
  if (seconds >= 1 && share >= 0.05) text += fmt::format(", {:.0f} s left", std::ceil(seconds * (1 - share) / share));
  return text;
}

void ProgressBar::step(double share, std::string_view step) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  const std::string text = line(share, step, elapsed.count());
  if (text == last_) return;
  // What is left of a longer text is wiped out.
  const std::string blanks(last_.size() > text.size() ? last_.size() - text.size() : 0, ' ');
  print(stream_ ? text + "\n" : text + blanks);
  line_open_ = !stream_;
  last_ = text;
}

void ProgressBar::finish() {
  if (line_open_) print("\n");
  line_open_ = false;
}

}  // namespace mo::cli
