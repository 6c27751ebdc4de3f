#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include "cli/option_setters.hpp"
#include "cli/option_table.hpp"
#include "driver/option_text.hpp"

namespace mo::cli {
namespace {

Expected<void> set_log_level(Options& options, std::string_view text) {
  static constexpr std::array<std::string_view, 7> kLevels = {"CRITICAL", "ERROR", "WARN",  "WARNING",
                                                              "INFO",     "DEBUG", "NOTSET"};
  std::string level(text);
  for (char& c : level)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');  // toupper would ask the locale (Turkish i)
  if (std::find(kLevels.begin(), kLevels.end(), level) == kLevels.end())
    return error("MO-CLI-0005", "--log_level: {} is not a level", in_quotes(text))
        .hint("use one of: {}", fmt::join(kLevels, ", "));
  options.log_level = std::move(level);
  return {};
}

Expected<void> set_output_dir(Options& options, std::string_view text) {
  options.output_dir = text.empty() ? "." : std::string(text);
  return {};
}

Expected<void> set_inputs(Options& options, std::string_view text) {
  MO_ASSIGN(options.inputs, parse_inputs(text));
  return {};
}

Expected<void> set_outputs(Options& options, std::string_view text) {
  MO_ASSIGN(options.outputs, parse_outputs(text));
  return {};
}

Expected<void> set_input_shapes(Options& options, std::string_view text) {
  MO_ASSIGN(options.input_shapes, parse_shapes(text));
  return {};
}

Expected<void> set_batch(Options& options, std::string_view text) {
  MO_ASSIGN(options.batch, parse_batch(text));
  return {};
}

Expected<void> set_frozen(Options& options, std::string_view text) {
  MO_ASSIGN(options.freeze_placeholder_with_value, parse_frozen_placeholders(text));
  return {};
}

Expected<void> set_mean_values(Options& options, std::string_view text) {
  MO_ASSIGN(options.mean_values, parse_channel_values("--mean_values", text));
  return {};
}

Expected<void> set_scale_values(Options& options, std::string_view text) {
  MO_ASSIGN(options.scale_values, parse_channel_values("--scale_values", text));
  return {};
}

Expected<void> set_layouts(Options& options, std::string_view text) {
  MO_ASSIGN(options.layouts, parse_layouts("--layout", text));
  return {};
}

Expected<void> set_source_layouts(Options& options, std::string_view text) {
  MO_ASSIGN(options.source_layouts, parse_layouts("--source_layout", text));
  return {};
}

Expected<void> set_target_layouts(Options& options, std::string_view text) {
  MO_ASSIGN(options.target_layouts, parse_layouts("--target_layout", text));
  return {};
}

Expected<void> set_scale(Options& options, std::string_view text) {
  MO_ASSIGN(options.scale, parse_real("--scale", text));
  return {};
}

/// `float` and `half` are the original's other names for FP32 and FP16.
Expected<void> set_data_type(Options& options, std::string_view text) {
  if (text == "FP32" || text == "float")
    options.data_type = ElementType::f32;
  else if (text == "FP16" || text == "half")
    options.data_type = ElementType::f16;
  else
    return error("MO-CLI-0005", "--data_type: {} is not possible", in_quotes(text))
        .hint("use FP32 (or float) or FP16 (or half)");
  return {};
}

Expected<void> set_ir_version(Options& options, std::string_view text) {
  if (text != "10" && text != "11")
    return error("MO-CLI-0005", "--ir_version: {} is not a version that mo writes", in_quotes(text))
        .hint("use 10 or 11");
  options.ir_version = text == "10" ? 10 : 11;
  return {};
}

/// "500", "500MB", "2GB": megabytes where nothing is said.
Expected<void> set_max_memory(Options& options, std::string_view text) {
  struct Unit {
    std::string_view suffix;
    double bytes;
  };
  static constexpr std::array kUnits = {Unit{"MB", 1e6}, Unit{"GB", 1e9}};
  double bytes = 1e6;
  std::string_view number = text;
  for (const Unit& unit : kUnits)
    if (text.ends_with(unit.suffix)) {
      number.remove_suffix(unit.suffix.size());
      bytes = unit.bytes;
    }
  MO_ASSIGN(const double count, parse_real("--max-memory", number));
  if (!(count * bytes >= 1e6 && count * bytes <= 1e15))
    return error("MO-CLI-0005", "--max-memory: {} is not possible", in_quotes(text))
        .hint("write megabytes or a unit: 500, 500MB, 2GB");
  options.budget.max_memory = static_cast<std::uint64_t>(count * bytes);
  return {};
}

Expected<void> set_max_time(Options& options, std::string_view text) {
  MO_ASSIGN(const double seconds, parse_real("--max-time", text));
  if (!(seconds > 0 && seconds <= 1e9))
    return error("MO-CLI-0005", "--max-time: {} is not possible", in_quotes(text)).hint("write seconds: 60");
  options.budget.max_seconds = seconds;
  return {};
}

constexpr std::array kGeneralRows = {
    OptionRow{"help", "h", Takes::perhaps, Section::general, Acts::beside_ir, "[TOPIC]",
              "print this text, or what it says about a topic or an option", set_nothing},
    OptionRow{"version", "", Takes::nothing, Section::general, Acts::beside_ir, "",
              "print the version, the commit, and what can be read and written", set_nothing},
    OptionRow{"explain", "", Takes::value, Section::general, Acts::beside_ir, "CODE",
              "print what an error code, or a message of the original, means and what to do; also: mo explain CODE",
              set_nothing},
    OptionRow{"input_model", "w m", Takes::value, Section::general, Acts::on_ir, "PATH",
              "the model file: .onnx; .pb or .pbtxt (TensorFlow); .caffemodel (Caffe)", set_text<&Options::input_model>,
              true},
    OptionRow{"framework", "", Takes::value, Section::general, Acts::beside_ir, "NAME",
              "tf, caffe, mxnet, kaldi, onnx, or one that a plugin brings; deduced from the model file when not given",
              set_text<&Options::framework>},
    OptionRow{"model_name", "n", Takes::value, Section::general, Acts::on_ir, "NAME",
              "name of the network and of its files; default: name of the model file", set_text<&Options::model_name>},
    OptionRow{"output_dir", "o", Takes::value, Section::general, Acts::beside_ir, "PATH",
              "where the .xml and .bin files go; default: the current directory", set_output_dir, true},
    OptionRow{"durable", "", Takes::nothing, Section::general, Acts::beside_ir, "",
              "wait until the .xml and .bin have reached the disk (fsync)", set_flag<&Options::durable>},
    OptionRow{"verify", "", Takes::nothing, Section::general, Acts::beside_ir, "",
              "run the model and its IR afterwards, and compare what they compute (mo verify)",
              set_flag<&Options::verify>},
    OptionRow{"report", "", Takes::value, Section::general, Acts::beside_ir, "FILE",
              "a report of the conversion, .html (a page for browsers, in one file) or .json: messages, fusions, "
              "constants, times, both graphs",
              set_text<&Options::report>, true},
    OptionRow{"log_level", "", Takes::value, Section::general, Acts::beside_ir, "LEVEL",
              "CRITICAL, ERROR, WARN, WARNING, INFO, DEBUG or NOTSET; default: ERROR", set_log_level},
    OptionRow{"allow-links", "", Takes::nothing, Section::general, Acts::beside_ir, "",
              "follow links to the files that a model names (external data, checkpoints), as the cache of a model hub "
              "has them",
              set_flag<&Options::allow_links>},
    OptionRow{"silent", "", Takes::nothing, Section::general, Acts::beside_ir, "",
              "print only results, warnings and errors", set_flag<&Options::silent>},
    OptionRow{"progress", "", Takes::nothing, Section::general, Acts::beside_ir, "", "show how far the conversion got",
              set_flag<&Options::progress>},
    OptionRow{"stream_output", "", Takes::nothing, Section::general, Acts::beside_ir, "",
              "with --progress: a new line for each step", set_flag<&Options::stream_output>},

    OptionRow{"max-memory", "", Takes::value, Section::general, Acts::beside_ir, "SIZE",
              "the most that graph and constants may take: 500MB, 2GB; default: 1.5 GB, or four times the model",
              set_max_memory},
    OptionRow{"max-time", "", Takes::value, Section::general, Acts::beside_ir, "SECONDS",
              "the most processor time; default: a limit of work that follows from the size of the model",
              set_max_time},
    OptionRow{"trusted", "", Takes::nothing, Section::general, Acts::beside_ir, "",
              "the model comes from a friend: no limits that follow from its size",
              set_flag<&Options::budget, &BudgetOptions::trusted>},

    OptionRow{"input", "", Takes::value, Section::model, Acts::on_ir, "LIST",
              "new inputs of the model, everything before them is cut off: [port:]name[:port], each with an optional "
              "shape [1 3 ?], type "
              "{f32} and constant ->5 or ->[1 2]; separated by commas",
              set_inputs},
    OptionRow{"output", "", Takes::value, Section::model, Acts::on_ir, "LIST",
              "new outputs of the model, everything behind them is cut off: [port:]name[:port], separated by commas",
              set_outputs},
    OptionRow{"input_shape", "", Takes::value, Section::model, Acts::on_ir, "SHAPES",
              "shapes of the inputs in the model's own layout: [1,3,224,224],(1,10); -1 or ? is unknown, 1..8 a range; "
              "several shapes "
              "need --input",
              set_input_shapes},
    OptionRow{"batch", "b", Takes::value, Section::model, Acts::on_ir, "NUMBER",
              "overwrite the batch of the inputs: N of their layout, or the first dimension", set_batch},
    OptionRow{"freeze_placeholder_with_value", "", Takes::value, Section::model, Acts::on_ir, "LIST",
              "inputs that become constants: name->5,other->[1 2]", set_frozen},
    OptionRow{"static_shape", "", Takes::nothing, Section::model, Acts::on_ir, "",
              "compute everything that depends only on shapes; the IR cannot be reshaped",
              set_flag<&Options::static_shape>},
    OptionRow{"ignore_attribute", "", Takes::list, Section::model, Acts::beside_ir, "NAMES",
              "OP.NAME: convert nodes of the operator OP as if they had no attribute NAME, which mo does not know "
              "(MO-FRONT-0005)",
              add_words<&Options::ignored_attributes>},

    OptionRow{"mean_values", "ms", Takes::value, Section::preprocessing, Acts::on_ir, "LISTS",
              "subtracted from each channel: (123,117,104), or for several inputs data(1,2,3),info[0]",
              set_mean_values},
    OptionRow{"scale_values", "", Takes::value, Section::preprocessing, Acts::on_ir, "LISTS",
              "divides each channel, after the mean; same form", set_scale_values},
    OptionRow{"scale", "s", Takes::value, Section::preprocessing, Acts::on_ir, "NUMBER",
              "divides all channels of all inputs", set_scale},
    OptionRow{"reverse_input_channels", "", Takes::nothing, Section::preprocessing, Acts::on_ir, "",
              "swap RGB and BGR in inputs with 3 channels", set_flag<&Options::reverse_input_channels>},
    OptionRow{"layout", "", Takes::value, Section::preprocessing, Acts::on_ir, "LAYOUTS",
              "what the dimensions of inputs and outputs are, and shall be in the IR: nhwc, \"nhwc->nchw\", "
              "\"a(nhwc->nchw),b(n?),c([n,...])\"",
              set_layouts},
    OptionRow{"source_layout", "", Takes::value, Section::preprocessing, Acts::on_ir, "LAYOUTS",
              "only what they are in the model", set_source_layouts},
    OptionRow{"target_layout", "", Takes::value, Section::preprocessing, Acts::on_ir, "LAYOUTS",
              "only what they shall be in the IR", set_target_layouts},

    OptionRow{"ir_version", "", Takes::value, Section::ir, Acts::on_ir, "10|11",
              "version of the IR; default: 11, or what --target_runtime reads", set_ir_version},
    OptionRow{"target_runtime", "", Takes::value, Section::ir, Acts::on_ir, "RELEASE",
              "runtime that will read the IR: 2021.4, 2023.3, latest; default: latest",
              set_text<&Options::target_runtime>},
    OptionRow{"data_type", "", Takes::value, Section::ir, Acts::on_ir, "TYPE",
              "FP32 or FP16 (float, half): type of constants and inputs", set_data_type},
    OptionRow{"compress_to_fp16", "", Takes::nothing, Section::ir, Acts::on_ir, "",
              "store constants in 16 bits; inputs and computation stay as they are",
              set_flag<&Options::compress_to_fp16>},
    OptionRow{"disable_weights_compression", "", Takes::nothing, Section::ir, Acts::beside_ir, "",
              "accepted for old command lines, without effect: weights of FakeQuantize stay real numbers",
              set_flag<&Options::disable_weights_compression>},
};

}  // namespace

std::span<const OptionRow> general_options() { return kGeneralRows; }

}  // namespace mo::cli
