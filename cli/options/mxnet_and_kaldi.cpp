#include <array>

#include "cli/option_table.hpp"
#include "core/command_line/setters.hpp"

namespace mo::cli {
namespace {

constexpr std::array kMxnetAndKaldiRows = {
    Row{{.name = "input_symbol",
         .takes = Takes::value,
         .section = &kMxnet,
         .acts = Acts::beside_ir,
         .metavar = "PATH",
         .is_path = true,
         .help = "the topology"},
        keep_given},
    Row{{.name = "nd_prefix_name",
         .takes = Takes::value,
         .section = &kMxnet,
         .acts = Acts::beside_ir,
         .metavar = "NAME",
         .help = "prefix of the args and auxs files"},
        keep_given},
    Row{{.name = "pretrained_model_name",
         .takes = Takes::value,
         .section = &kMxnet,
         .acts = Acts::beside_ir,
         .metavar = "NAME",
         .help = "name of a pre-trained model"},
        keep_given},
    Row{{.name = "save_params_from_nd",
         .section = &kMxnet,
         .acts = Acts::beside_ir,
         .help = "write the merged parameters"},
        keep_given},
    Row{{.name = "legacy_mxnet_model",
         .section = &kMxnet,
         .acts = Acts::beside_ir,
         .help = "the model was made before MXNet 1.0"},
        keep_given},
    Row{{.name = "enable_ssd_gluoncv",
         .section = &kMxnet,
         .acts = Acts::beside_ir,
         .help = "transform an SSD of GluonCV"},
        keep_given},
    Row{{.name = "counts",
         .takes = Takes::value,
         .section = &kKaldi,
         .acts = Acts::beside_ir,
         .metavar = "PATH",
         .is_path = true,
         .help = "priors to subtract"},
        keep_given},
    Row{{.name = "remove_output_softmax",
         .section = &kKaldi,
         .acts = Acts::beside_ir,
         .help = "remove the SoftMax at the end"},
        keep_given},
    Row{{.name = "remove_memory",
         .section = &kKaldi,
         .acts = Acts::beside_ir,
         .help = "turn memory layers into inputs and outputs"},
        keep_given},
};

}  // namespace

std::span<const Row> mxnet_and_kaldi_options() { return kMxnetAndKaldiRows; }

}  // namespace mo::cli
