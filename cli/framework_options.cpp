#include <array>

#include "cli/option_setters.hpp"
#include "cli/option_table.hpp"

namespace mo::cli {
namespace {

using Tf = TensorFlowOptions;
using Caffe = CaffeOptions;
using Mxnet = MxnetOptions;
using Kaldi = KaldiOptions;

/// The original refuses blanks here, because a tag would silently be another one.
Expected<void> set_saved_model_tags(Options& options, std::string_view text) {
  if (text.find(' ') != std::string_view::npos)
    return error("MO-CLI-0005", "--saved_model_tags: the list contains blanks")
        .hint("separate the tags by commas only: serve,gpu");
  options.tensorflow.saved_model_tags = parse_words(text);
  return {};
}

Expected<void> set_old_config_name(Options& options, std::string_view text) {
  options.transformations_config = text;
  options.deprecated_tensorflow_config_name = true;
  return {};
}

Expected<void> set_mean_file_offsets(Options& options, std::string_view text) {
  MO_ASSIGN(options.caffe.mean_file_offsets, parse_offsets("--mean_file_offsets", text));
  return {};
}

constexpr std::array kFrameworkRows = {
    OptionRow{"input_model_is_text", "", Takes::nothing, Section::tensorflow, Acts::beside_ir, "",
              "the model file is a protobuf in text form", set_flag<&Options::tensorflow, &Tf::input_model_is_text>},
    OptionRow{"input_checkpoint", "", Takes::value, Section::tensorflow, Acts::on_ir, "PATH",
              "values of the variables of --input_model", set_text<&Options::tensorflow, &Tf::input_checkpoint>, true},
    OptionRow{"input_meta_graph", "", Takes::value, Section::tensorflow, Acts::on_ir, "PATH", "a .meta file",
              set_text<&Options::tensorflow, &Tf::input_meta_graph>, true},
    OptionRow{"saved_model_dir", "", Takes::value, Section::tensorflow, Acts::on_ir, "PATH",
              "directory of a SavedModel", set_text<&Options::tensorflow, &Tf::saved_model_dir>, true},
    OptionRow{"saved_model_tags", "", Takes::value, Section::tensorflow, Acts::on_ir, "LIST",
              "which graph of the SavedModel", set_saved_model_tags},
    OptionRow{"saved_model_signature", "", Takes::value, Section::tensorflow, Acts::on_ir, "NAME",
              "which signature of the SavedModel", set_text<&Options::tensorflow, &Tf::saved_model_signature>},
    OptionRow{"tensorflow_custom_operations_config_update", "", Takes::value, Section::tensorflow, Acts::on_ir, "PATH",
              "complete the node lists of this replacement description, and stop",
              set_text<&Options::tensorflow, &Tf::custom_operations_config_update>, true},
    OptionRow{"tensorflow_use_custom_operations_config", "", Takes::value, Section::tensorflow, Acts::on_ir, "PATH",
              "deprecated name of --transformations_config", set_old_config_name, true},
    OptionRow{"tensorflow_object_detection_api_pipeline_config", "", Takes::value, Section::tensorflow, Acts::on_ir,
              "PATH", "pipeline.config of a model of the Object Detection API",
              set_text<&Options::tensorflow, &Tf::object_detection_api_pipeline_config>, true},
    OptionRow{"tensorboard_logdir", "", Takes::value, Section::tensorflow, Acts::beside_ir, "PATH",
              "write the graph as it was read, for TensorBoard, into this folder",
              set_text<&Options::tensorflow, &Tf::tensorboard_logdir>, true},
    OptionRow{"tensorflow_custom_layer_libraries", "", Takes::value, Section::tensorflow, Acts::beside_ir, "PATHS",
              "accepted for old command lines, without effect",
              [](Options& options, std::string_view text) -> Expected<void> {
                options.tensorflow.custom_layer_libraries = parse_words(text);
                return {};
              },
              true},
    OptionRow{"disable_nhwc_to_nchw", "", Takes::nothing, Section::tensorflow, Acts::on_ir, "",
              "keep the layout of the model", set_flag<&Options::tensorflow, &Tf::disable_nhwc_to_nchw>},

    OptionRow{"input_proto", "d", Takes::value, Section::caffe, Acts::on_ir, "PATH",
              "the topology; default: the model file with .prototxt", set_text<&Options::caffe, &Caffe::input_proto>,
              true},
    OptionRow{"caffe_parser_path", "", Takes::value, Section::caffe, Acts::beside_ir, "PATH",
              "accepted for old command lines, without effect: the messages of Caffe are built in",
              set_text<&Options::caffe, &Caffe::caffe_parser_path>, true},
    OptionRow{"custom_layers_mapping", "k", Takes::value, Section::caffe, Acts::on_ir, "PATH",
              "CustomLayersMapping.xml: description of custom layers",
              set_text<&Options::caffe, &Caffe::custom_layers_mapping>, true},
    OptionRow{"mean_file", "mf", Takes::value, Section::caffe, Acts::on_ir, "PATH", "mean image in binaryproto form",
              set_text<&Options::caffe, &Caffe::mean_file>, true},
    OptionRow{"mean_file_offsets", "mo", Takes::value, Section::caffe, Acts::on_ir, "(X,Y)",
              "corner at which the mean image is cropped", set_mean_file_offsets},
    OptionRow{"disable_omitting_optional", "", Takes::nothing, Section::caffe, Acts::on_ir, "",
              "custom layers: write optional attributes too",
              set_flag<&Options::caffe, &Caffe::disable_omitting_optional>},
    OptionRow{"enable_flattening_nested_params", "", Takes::nothing, Section::caffe, Acts::on_ir, "",
              "custom layers: flatten nested parameters",
              set_flag<&Options::caffe, &Caffe::enable_flattening_nested_params>},
    OptionRow{"disable_weights", "", Takes::nothing, Section::caffe, Acts::on_ir, "",
              "zeros for layers without weights: to check the structure of a net",
              set_flag<&Options::caffe, &Caffe::disable_weights>},
    OptionRow{"interp-zoom-multiplies", "", Takes::nothing, Section::caffe, Acts::on_ir, "",
              "zoom_factor of Interp multiplies sizes: n * zoom in place of n + (n - 1) * (zoom - 1)",
              set_flag<&Options::caffe, &Caffe::interp_zoom_multiplies>},

    OptionRow{"input_symbol", "", Takes::value, Section::mxnet, Acts::beside_ir, "PATH", "the topology",
              set_text<&Options::mxnet, &Mxnet::input_symbol>, true},
    OptionRow{"nd_prefix_name", "", Takes::value, Section::mxnet, Acts::beside_ir, "NAME",
              "prefix of the args and auxs files", set_text<&Options::mxnet, &Mxnet::nd_prefix_name>},
    OptionRow{"pretrained_model_name", "", Takes::value, Section::mxnet, Acts::beside_ir, "NAME",
              "name of a pre-trained model", set_text<&Options::mxnet, &Mxnet::pretrained_model_name>},
    OptionRow{"save_params_from_nd", "", Takes::nothing, Section::mxnet, Acts::beside_ir, "",
              "write the merged parameters", set_flag<&Options::mxnet, &Mxnet::save_params_from_nd>},
    OptionRow{"legacy_mxnet_model", "", Takes::nothing, Section::mxnet, Acts::beside_ir, "",
              "the model was made before MXNet 1.0", set_flag<&Options::mxnet, &Mxnet::legacy_mxnet_model>},
    OptionRow{"enable_ssd_gluoncv", "", Takes::nothing, Section::mxnet, Acts::beside_ir, "",
              "transform an SSD of GluonCV", set_flag<&Options::mxnet, &Mxnet::enable_ssd_gluoncv>},

    OptionRow{"counts", "", Takes::value, Section::kaldi, Acts::beside_ir, "PATH", "priors to subtract",
              set_text<&Options::kaldi, &Kaldi::counts>, true},
    OptionRow{"remove_output_softmax", "", Takes::nothing, Section::kaldi, Acts::beside_ir, "",
              "remove the SoftMax at the end", set_flag<&Options::kaldi, &Kaldi::remove_output_softmax>},
    OptionRow{"remove_memory", "", Takes::nothing, Section::kaldi, Acts::beside_ir, "",
              "turn memory layers into inputs and outputs", set_flag<&Options::kaldi, &Kaldi::remove_memory>},
};

}  // namespace

std::span<const OptionRow> framework_options() { return kFrameworkRows; }

}  // namespace mo::cli
