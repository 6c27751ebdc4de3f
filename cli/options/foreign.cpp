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
constexpr Row foreign_value(std::string_view name, std::string_view advice, std::string_view names = {},
                            std::string_view letters = {}) {
  return {{.name = name,
           .letters = letters,
           .other_names = names,
           .takes = Takes::value,
           .standing = Standing::foreign,
           .advice = advice},
          keep_given};
}

// What people type who know other converters, or guess.
constexpr std::array kForeignRows = {
    foreign_flag("fp16", "write --compress_to_fp16 for weights of f16, or --data_type half in IR version 10",
                 "half f16"),
    foreign_flag("fp32", "weights that are f32 stay f32; leave it out", "f32"),
    foreign_flag("int8", kNoQuantisation,
                 "int4 i8 i4 nf4 quantize quantise quant quantized quantization quantisation compress_weights "
                 "compress_to_int8 compress_to_int4 weights_int8 weights_int4 nncf ptq"),
    foreign_flag("bf16", "write --compress_to_fp16 for weights of f16; runtimes compute in bf16 where the device does",
                 "bfloat16 compress_to_bf16"),
    foreign_value("precision", "write --compress_to_fp16 for weights of f16; without it they stay as they are"),
    foreign_flag("quiet", "write --silent", {}, "q"),
    foreign_flag("verbose", "write --log_level=INFO for more messages, or --version", {}, "v V"),
    foreign_value("output_file", "write -o with a path that ends with .xml, or with .onnx for an ONNX model",
                  "output_path output_model outfile"),
    foreign_value("out_dir", "write --output_dir, or -o", "outdir output_folder out_folder outputdir dest destination"),
    foreign_value("output_format", "write --to onnx for an ONNX model; an IR is written without it", "format target"),
    foreign_value("name", "write --model_name, or -n"),
    foreign_value("model_path", "write --input_model, or only the path of the model", "file in_model onnx_model", "i"),
    foreign_value("batch_size", "write --batch, or -b"),
    foreign_value("dtype", "write --data_type", "type output_type"),
    foreign_value("shape", "write --input_shape \"[1,3,224,224]\"",
                  "shapes input_shapes in_shape input_size overwrite_input_shape"),
    foreign_flag("dynamic", "write --input_shape with ? for each open dimension: --input_shape \"[?,3,224,224]\"",
                 "dynamic_batch dynamic_shape dynamic_axes"),
    foreign_value("std", "write --scale_values \"[58.4,57.1,57.4]\"; a mean is --mean_values",
                  "std_values stds scales"),
    foreign_flag("bgr", "write --reverse_input_channels", "rgb rgb2bgr bgr2rgb swap_channels"),
    foreign_flag("nhwc", "write --layout \"nchw->nhwc\" for an input in NHWC, \"nhwc->nchw\" for one in NCHW",
                 "nchw channels_last channels_first"),
    foreign_value("config", "write --transformations_config, or --tensorflow_object_detection_api_pipeline_config"),
    foreign_value("device", "leave it out: an IR is for all devices; the application names one when it compiles it",
                  "target_device"),
    foreign_flag("cpu", "leave it out: an IR is for all devices; the application names one when it compiles it",
                 "gpu npu cuda"),
    foreign_flag("simplify", "leave it out: mo always simplifies; `mo opt` runs single passes",
                 "optimize optimise optimization_level"),
    foreign_flag("overwrite", "leave it out: files are overwritten without a question", "force yes", "f y"),
    foreign_flag("debug", "write --log_level=DEBUG"),
    foreign_flag("dry_run", "run `mo inspect MODEL`: it converts without writing anything", "test"),
    foreign_flag("info", "run `mo inspect MODEL`", "summary"),
    foreign_flag("no_verify", "leave it out: nothing is compared without --verify"),
    foreign_value("opset", "write --onnx-opset with --to onnx; an IR has the op set of --target_runtime",
                  "opset_version"),
};

}  // namespace

std::span<const Row> foreign_options() { return kForeignRows; }

}  // namespace mo::cli
