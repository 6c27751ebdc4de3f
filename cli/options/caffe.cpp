#include <array>

#include "cli/option_table.hpp"
#include "core/command_line/setters.hpp"
#include "driver/option_grammar.hpp"

namespace mo::cli {
namespace {

Expected<void> set_mean_file_offsets(CommandLine& line, std::string_view text) {
  MO_ASSIGN(line.options.caffe.mean_file_offsets, parse_offsets("--mean_file_offsets", text));
  return {};
}

constexpr std::array kCaffeRows = {
    Row{{.name = "input_proto",
         .letters = "d",
         .takes = Takes::value,
         .section = &kCaffe,
         .metavar = "PATH",
         .is_path = true,
         .help = "the topology; default: the model file with .prototxt",
         .manual = {.meaning = "the topology; default: the `.prototxt` beside the weights"}},
        set_text<&Options::caffe, &CaffeOptions::input_proto>},
    Row{{.name = "caffe_parser_path",
         .takes = Takes::value,
         .section = &kCaffe,
         .acts = Acts::beside_ir,
         .metavar = "PATH",
         .is_path = true,
         .help = "accepted for old command lines, without effect: the messages of Caffe are built in",
         .standing = Standing::idle,
         .advice = "the messages of Caffe are built in"},
        keep_given},
    Row{{.name = "custom_layers_mapping",
         .letters = "k",
         .takes = Takes::value,
         .section = &kCaffe,
         .metavar = "PATH",
         .is_path = true,
         .help = "CustomLayersMapping.xml: description of custom layers",
         .manual = {.meaning = "[which layers become custom operations](caffe.md#custom-layers)"}},
        set_text<&Options::caffe, &CaffeOptions::custom_layers_mapping>},
    Row{{.name = "mean_file",
         .letters = "mf",
         .takes = Takes::value,
         .section = &kCaffe,
         .metavar = "PATH",
         .is_path = true,
         .help = "mean image in binaryproto form",
         .manual = {.meaning = "a mean image (binaryproto), subtracted from the only input"}},
        set_text<&Options::caffe, &CaffeOptions::mean_file>},
    Row{{.name = "mean_file_offsets",
         .letters = "mo",
         .takes = Takes::value,
         .section = &kCaffe,
         .metavar = "(X,Y)",
         .help = "corner at which the mean image is cropped",
         .manual = {.value = "`(a,b)`",
                    .meaning = "first row and column of the part of the mean image that is used; default: its middle"}},
        set_mean_file_offsets},
    Row{{.name = "disable_omitting_optional",
         .section = &kCaffe,
         .help = "custom layers: write optional attributes too",
         .manual = {.meaning = "accepted; there is no schema that knows further parameters (MO-CAFFE-0045)"}},
        set_flag<&Options::caffe, &CaffeOptions::disable_omitting_optional>},
    Row{{.name = "enable_flattening_nested_params",
         .section = &kCaffe,
         .help = "custom layers: flatten nested parameters",
         .manual = {.meaning = "custom layers: nested parameters are called `message__parameter`"}},
        set_flag<&Options::caffe, &CaffeOptions::enable_flattening_nested_params>},
    Row{{.name = "disable_weights",
         .section = &kCaffe,
         .help = "zeros for layers without weights: to check the structure of a net",
         .manual = {.meaning = "zeros for layers without weights. Not in the original tool"}},
        set_flag<&Options::caffe, &CaffeOptions::disable_weights>},
    Row{{.name = "interp-zoom-multiplies",
         .section = &kCaffe,
         .help = "zoom_factor of Interp multiplies sizes: n * zoom in place of n + (n - 1) * (zoom - 1)",
         .manual =
             {.meaning =
                  "`zoom_factor` of [Interp](caffe.md#interp) is that of sizes: n * zoom. Not in the original tool"}},
        set_flag<&Options::caffe, &CaffeOptions::interp_zoom_multiplies>},
};

}  // namespace

std::span<const Row> caffe_options() { return kCaffeRows; }

}  // namespace mo::cli
