#include <array>

#include "cli/option_table.hpp"
#include "core/command_line/setters.hpp"

namespace mo::cli {
namespace {

/// `names` and `letters`: further spellings, separated by spaces.
constexpr Row foreign_flag(std::string_view name, std::string_view advice, std::string_view names = {},
                           std::string_view letters = {}) {
  return {{.name = name, .letters = letters, .other_names = names, .standing = Standing::foreign, .advice = advice},
          keep_given};
}
constexpr Row foreign_value(std::string_view name, std::string_view advice, std::string_view names = {}) {
  return {{.name = name, .other_names = names, .takes = Takes::value, .standing = Standing::foreign, .advice = advice},
          keep_given};
}

// What people type who know other converters, or guess.
constexpr std::array kForeignRows = {
    foreign_flag("fp16", "write --compress_to_fp16 for weights of f16, or --data_type half in IR version 10",
                 "half f16"),
    foreign_flag("fp32", "weights that are f32 stay f32; leave it out", "f32"),
    foreign_flag("int8",
                 "mo does not quantise: give its IR to NNCF (nncf.compress_weights, or nncf.quantize with samples)",
                 "int4 quantize quantise quant"),
    foreign_value("precision", "write --compress_to_fp16 for weights of f16; without it they stay as they are"),
    foreign_flag("quiet", "write --silent", {}, "q"),
    foreign_flag("verbose", "write --log_level=INFO for more messages, or --version", {}, "v V"),
    foreign_value("output_file", "write -o with a path that ends with .xml, or with .onnx for an ONNX model",
                  "output_path output_model outfile"),
    foreign_value("opset", "write --onnx-opset with --to onnx; an IR has the op set of --target_runtime",
                  "opset_version"),
};

}  // namespace

std::span<const Row> foreign_options() { return kForeignRows; }

}  // namespace mo::cli
