#include <array>

#include "cli/option_table.hpp"
#include "core/command_line/setters.hpp"

namespace mo::cli {
namespace {

constexpr std::array kDeprecatedRows = {
    Row{{.name = "move_to_preprocess",
         .section = &kDeprecated,
         .acts = Acts::beside_ir,
         .help = "mean values always become part of the model",
         .standing = Standing::deprecated,
         .advice = "remove it: mean values always become part of the model"},
        keep_given},
    Row{{.name = "keep_shape_ops",
         .section = &kDeprecated,
         .acts = Acts::beside_ir,
         .help = "the default; see --static_shape",
         .standing = Standing::ignored},
        keep_given},
    Row{{.name = "generate_deprecated_IR_V7",
         .section = &kDeprecated,
         .acts = Acts::beside_ir,
         .help = "IR version 7 cannot be written any more",
         .standing = Standing::ignored},
        keep_given},
    Row{{.name = "use_new_frontend",
         .section = &kDeprecated,
         .acts = Acts::beside_ir,
         .help = "there is one frontend for each framework",
         .standing = Standing::idle,
         .advice = "mo has one frontend for each framework"},
        keep_given},
    Row{{.name = "share_weights",
         .section = &kDeprecated,
         .acts = Acts::beside_ir,
         .help = "weights are written to the .bin file in any case",
         .standing = Standing::idle,
         .advice = "weights are written to the .bin file in any case"},
        keep_given},
    Row{{.name = "example_input",
         .takes = Takes::value,
         .section = &kDeprecated,
         .acts = Acts::beside_ir,
         .metavar = "INPUT",
         .help = "models are not traced: shapes are given with --input_shape",
         .standing = Standing::idle,
         .advice = "models are not traced; shapes are given with --input_shape"},
        keep_given},
    Row{{.name = "use_legacy_frontend",
         .section = &kDeprecated,
         .acts = Acts::beside_ir,
         .help = "there is one frontend for each framework",
         .standing = Standing::idle,
         .advice = "mo has one frontend for each framework"},
        keep_given},
    Row{{.name = "legacy_ir_generation",
         .section = &kDeprecated,
         .help = "there is one way to generate an IR",
         .standing = Standing::deprecated,
         .advice = "remove it: there is only one way to generate an IR"},
        keep_given},
};

}  // namespace

std::span<const Row> deprecated_options() { return kDeprecatedRows; }

}  // namespace mo::cli
