#include <array>

#include "cli/option_table.hpp"
#include "core/command_line/setters.hpp"
#include "driver/option_grammar.hpp"

namespace mo::cli {
namespace {

/// The original refuses blanks here, because a tag would silently be another one.
Expected<void> set_saved_model_tags(CommandLine& line, std::string_view text) {
  if (text.find(' ') != std::string_view::npos)
    return error("MO-CLI-0005", "--saved_model_tags: the list contains blanks")
        .hint("separate the tags by commas only: serve,gpu");
  line.options.tensorflow.saved_model_tags = parse_words(text);
  return {};
}

constexpr std::array kTensorflowRows = {
    Row{{.name = "input_model_is_text",
         .section = &kTensorflow,
         .acts = Acts::beside_ir,
         .help = "the model file is a protobuf in text form",
         .manual = {.meaning = "the GraphDef is protobuf text. Its first bytes tell in any case: a binary one is read "
                               "with the warning MO-TF-0018"}},
        set_flag<&Options::tensorflow, &TensorFlowOptions::input_model_is_text>},
    Row{{.name = "input_checkpoint",
         .takes = Takes::value,
         .section = &kTensorflow,
         .metavar = "PATH",
         .is_path = true,
         .help = "values of the variables of --input_model",
         .manual =
             {.meaning =
                  "prefix of a V2 checkpoint (`model.ckpt-100`), one of its files, its folder, or a V1 checkpoint"}},
        set_text<&Options::tensorflow, &TensorFlowOptions::input_checkpoint>},
    Row{{.name = "input_meta_graph",
         .takes = Takes::value,
         .section = &kTensorflow,
         .metavar = "PATH",
         .is_path = true,
         .help = "a .meta file",
         .manual = {.meaning = "a MetaGraphDef (`.meta`); its checkpoint lies beside it"}},
        set_text<&Options::tensorflow, &TensorFlowOptions::input_meta_graph>},
    Row{{.name = "saved_model_dir",
         .takes = Takes::value,
         .section = &kTensorflow,
         .metavar = "PATH",
         .is_path = true,
         .help = "directory of a SavedModel",
         .manual = {.value = "folder", .meaning = "a SavedModel of TensorFlow 1 or 2"}},
        set_text<&Options::tensorflow, &TensorFlowOptions::saved_model_dir>},
    Row{{.name = "saved_model_tags",
         .takes = Takes::value,
         .section = &kTensorflow,
         .metavar = "LIST",
         .help = "which graph of the SavedModel",
         .manual = {.meaning = "which graph of the SavedModel; default: the only one, else `serve`"}},
        set_saved_model_tags},
    Row{{.name = "saved_model_signature",
         .takes = Takes::value,
         .section = &kTensorflow,
         .metavar = "NAME",
         .help = "which signature of the SavedModel",
         .manual = {.meaning =
                        "which signature; default: `serving_default`, else the only one. Not in the original tool"}},
        set_text<&Options::tensorflow, &TensorFlowOptions::saved_model_signature>},
    Row{{.name = "tensorflow_custom_operations_config_update",
         .takes = Takes::value,
         .section = &kTensorflow,
         .metavar = "PATH",
         .is_path = true,
         .help = "complete the node lists of this replacement description, and stop"},
        set_text<&Options::tensorflow, &TensorFlowOptions::custom_operations_config_update>},
    Row{{.name = "tensorflow_use_custom_operations_config",
         .takes = Takes::value,
         .section = &kTensorflow,
         .metavar = "PATH",
         .is_path = true,
         .help = "deprecated name of --transformations_config",
         .standing = Standing::deprecated,
         .advice = "use --transformations_config"},
        set_text<&Options::transformations_config>},
    Row{{.name = "tensorflow_object_detection_api_pipeline_config",
         .takes = Takes::value,
         .section = &kTensorflow,
         .metavar = "PATH",
         .is_path = true,
         .help = "pipeline.config of a model of the Object Detection API"},
        set_text<&Options::tensorflow, &TensorFlowOptions::object_detection_api_pipeline_config>},
    Row{{.name = "tensorboard_logdir",
         .takes = Takes::value,
         .section = &kTensorflow,
         .acts = Acts::beside_ir,
         .metavar = "PATH",
         .is_path = true,
         .help = "write the graph as it was read, for TensorBoard, into this folder",
         .manual = {.value = "folder",
                    .meaning = "writes the graph as it was read (frozen, before any change; constants without their "
                               "values) as `events.out.tfevents.<model>`: `tensorboard --logdir FOLDER`"}},
        set_text<&Options::tensorflow, &TensorFlowOptions::tensorboard_logdir>},
    Row{{.name = "tensorflow_custom_layer_libraries",
         .takes = Takes::value,
         .section = &kTensorflow,
         .acts = Acts::beside_ir,
         .metavar = "PATHS",
         .is_path = true,
         .help = "accepted for old command lines, without effect",
         .standing = Standing::idle,
         .advice = "operations that mo does not know are described with --custom_ops or plugins"},
        keep_given},
    Row{{.name = "disable_nhwc_to_nchw",
         .section = &kTensorflow,
         .help = "keep the layout of the model",
         .manual = {.meaning = "the layout of the model stays; see [layout](layout.md)"}},
        set_flag<&Options::tensorflow, &TensorFlowOptions::disable_nhwc_to_nchw>},
};

}  // namespace

std::span<const Row> tensorflow_options() { return kTensorflowRows; }

}  // namespace mo::cli
