#include <array>

#include "cli/option_table.hpp"
#include "core/command_line/setters.hpp"

namespace mo::cli {
namespace {

/// `float` and `half` are the original's other names for FP32 and FP16.
Expected<void> set_data_type(CommandLine& line, std::string_view text) {
  if (text == "FP32" || text == "float")
    line.options.data_type = ElementType::f32;
  else if (text == "FP16" || text == "half")
    line.options.data_type = ElementType::f16;
  else if (text.size() > 1 && (text.ends_with('8') || text.ends_with('4')) &&
           text.find_first_not_of("uUiInNtTfF") == text.size() - 1)  // INT8, i4, nf4
    return error("MO-CLI-0005", "--data_type: {} is not possible", in_quotes(text)).hint("{}", kNoQuantisation);
  else
    return error("MO-CLI-0005", "--data_type: {} is not possible", in_quotes(text))
        .hint("use FP32 (or float) or FP16 (or half)");
  return {};
}

Expected<void> set_ir_version(CommandLine& line, std::string_view text) {
  if (text != "10" && text != "11")
    return error("MO-CLI-0005", "--ir_version: {} is not a version that mo writes", in_quotes(text))
        .hint("use 10 or 11");
  line.options.ir_version = text == "10" ? 10 : 11;
  return {};
}

Expected<void> set_to(CommandLine& line, std::string_view text) {
  if (text != "ir" && text != "onnx")
    return error("MO-CLI-0097", "--to {}: not a format that mo writes", text).hint("--to ir or --to onnx");
  line.options.to_onnx = text == "onnx";
  return {};
}

Expected<void> set_onnx_opset(CommandLine& line, std::string_view text) {
  std::int64_t opset = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), opset);
  if (problem != std::errc() || end != text.data() + text.size() || opset < 11 || opset > 21)
    return error("MO-CLI-0098", "--onnx-opset {}: not an op set that mo writes", text).hint("11 to 21; 17 is usual");
  line.options.onnx_opset = opset;
  return {};
}

constexpr std::array kIrRows = {
    Row{{.name = "to",
         .takes = Takes::value,
         .section = &kIr,
         .metavar = "ir|onnx",
         .words = "ir onnx",
         .help = "write an IR, or an ONNX model; default: ir",
         .manual = {.otherwise = "`ir`", .meaning = "the format that is written: an IR, or an ONNX model"},
         .example = "onnx"},
        set_to},
    Row{{.name = "onnx_opset",
         .takes = Takes::value,
         .section = &kIr,
         .metavar = "N",
         .help =
             "op set of an ONNX model that is written, 11 to 21; default: 17, or the oldest newer one that has all ops",
         .manual = {.otherwise = "`17`, or the oldest newer one that has all ops of the model",
                    .meaning = "op set of the ONNX model that `--to onnx` writes"},
         .example = "13"},
        set_onnx_opset},
    Row{{.name = "external-data",
         .section = &kIr,
         .acts = Acts::beside_ir,
         .help = "weights of an ONNX model go to a file beside it, NAME.onnx.data; default: beyond 2 GB only",
         .manual = {.otherwise = "for models of more than 2 GB",
                    .meaning = "the weights of the ONNX model that `--to onnx` writes go to a file beside it, "
                               "`NAME.onnx.data`"}},
        keep_given},
    Row{{.name = "check",
         .section = &kIr,
         .acts = Acts::beside_ir,
         .help = "let the onnx package of your Python check the ONNX model that is written",
         .manual = {.otherwise = "off",
                    .meaning = "the checker and the shape inference of the onnx package judge the ONNX model that "
                               "`--to onnx` writes; `MO_ENGINE_PYTHON` names the Python that has it"}},
        set_flag<&Options::check>},
    Row{{.name = "ir_version",
         .takes = Takes::value,
         .section = &kIr,
         .metavar = "10|11",
         .words = "10 11",
         .help = "version of the IR; default: 11, or what --target_runtime reads",
         .manual = {.otherwise = "`11`, or what `--target_runtime` reads", .meaning = "version of the IR"}},
        set_ir_version},
    Row{{.name = "target_runtime",
         .takes = Takes::value,
         .section = &kIr,
         .metavar = "RELEASE",
         .words = "2020.4 2021.4 2022.1 2022.3 2023.0 2023.3 2024.6 latest",
         .help = "runtime that will read the IR: 2021.4, 2023.3, latest; default: latest",
         .manual = {.value = "release (`2021.4`, `2023.3.0`), `latest`",
                    .otherwise = "`latest`",
                    .meaning = "[the runtime that will read it](#the-runtime-that-reads-the-ir)"}},
        set_text<&Options::target_runtime>},
    Row{{.name = "data_type",
         .takes = Takes::value,
         .section = &kIr,
         .metavar = "TYPE",
         .words = "FP32 FP16",
         .help = "FP32 or FP16 (float, half): type of constants and inputs",
         .manual = {.value = "`FP32`, `float`, `FP16`, `half`",
                    .otherwise = "of the model",
                    .meaning = "type of floating-point constants and inputs"}},
        set_data_type},
    Row{{.name = "compress_to_fp16",
         .section = &kIr,
         .help = "store constants in 16 bits; inputs and computation stay as they are",
         .manual = {.value = "`True`, `False`",
                    .otherwise = "off",
                    .meaning = "store constants in 16 bits; inputs and computation keep their type"}},
        set_flag<&Options::compress_to_fp16>},
    Row{{.name = "stateful",
         .section = &kIr,
         .help = "a decoder keeps its caches (past_key_values) from run to run, and gets the input beam_idx",
         .manual = {.otherwise = "off",
                    .meaning = "the caches of a decoder (`past_key_values.N.key` … `present.N.key`) become [states of "
                               "the IR](how_to/stateful_decoders.md), and the new input `beam_idx` selects the rows of "
                               "the batch, as pipelines for text generation expect. Runtimes from 2023.3 on"}},
        set_flag<&Options::stateful>},
    Row{{.name = "disable_weights_compression",
         .section = &kIr,
         .acts = Acts::beside_ir,
         .help = "accepted for old command lines, without effect: weights of FakeQuantize stay real numbers",
         .standing = Standing::idle,
         .advice = "constants that feed FakeQuantize always stay floating-point"},
        keep_given},
};

}  // namespace

std::span<const Row> ir_options() { return kIrRows; }

}  // namespace mo::cli
