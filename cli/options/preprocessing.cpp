#include <array>

#include "cli/option_table.hpp"
#include "core/command_line/setters.hpp"
#include "driver/option_grammar.hpp"

namespace mo::cli {
namespace {

Expected<void> set_mean_values(CommandLine& line, std::string_view text) {
  MO_ASSIGN(line.options.mean_values, parse_channel_values("--mean_values", text));
  return {};
}

Expected<void> set_scale_values(CommandLine& line, std::string_view text) {
  MO_ASSIGN(line.options.scale_values, parse_channel_values("--scale_values", text));
  return {};
}

Expected<void> set_layouts(CommandLine& line, std::string_view text) {
  MO_ASSIGN(line.options.layouts, parse_layouts("--layout", text));
  return {};
}

Expected<void> set_source_layouts(CommandLine& line, std::string_view text) {
  MO_ASSIGN(line.options.source_layouts, parse_layouts("--source_layout", text));
  return {};
}

Expected<void> set_target_layouts(CommandLine& line, std::string_view text) {
  MO_ASSIGN(line.options.target_layouts, parse_layouts("--target_layout", text));
  return {};
}

Expected<void> set_scale(CommandLine& line, std::string_view text) {
  MO_ASSIGN(line.options.scale, parse_real("--scale", text));
  return {};
}

constexpr std::array kPreprocessingRows = {
    Row{{.name = "mean_values",
         .letters = "ms",
         .takes = Takes::value,
         .section = &kPreprocessing,
         .metavar = "LISTS",
         .help = "subtracted from each channel: (123,117,104), or for several inputs data(1,2,3),info[0]",
         .manual = {.value = "[grammar](#mean-and-scale-values)", .meaning = "subtracted, per channel"}},
        set_mean_values},
    Row{{.name = "scale_values",
         .takes = Takes::value,
         .section = &kPreprocessing,
         .metavar = "LISTS",
         .help = "divides each channel, after the mean; same form",
         .manual = {.value = "[grammar](#mean-and-scale-values)", .meaning = "divides, per channel; not 0"}},
        set_scale_values},
    Row{{.name = "scale",
         .letters = "s",
         .takes = Takes::value,
         .section = &kPreprocessing,
         .metavar = "NUMBER",
         .help = "divides all channels of all inputs",
         .manual = {.value = "number, not 0", .meaning = "divides all inputs; below 1 gives a warning"}},
        set_scale},
    Row{{.name = "reverse_input_channels",
         .section = &kPreprocessing,
         .help = "swap RGB and BGR in inputs with 3 channels",
         .manual = {.meaning = "swaps RGB and BGR where an input has 3 channels"}},
        set_flag<&Options::reverse_input_channels>},
    Row{{.name = "layout",
         .takes = Takes::value,
         .section = &kPreprocessing,
         .metavar = "LAYOUTS",
         .help = "layout of inputs and outputs in the model and, after ->, in the IR: nhwc, \"nhwc->nchw\", "
                 "\"a(nhwc->nchw),b(n?),c([n,...])\"",
         .manual = {.value = "[grammar](#layouts)",
                    .meaning = "layout of inputs and outputs in the model and, after ->, in the IR"}},
        set_layouts},
    Row{{.name = "source_layout",
         .takes = Takes::value,
         .section = &kPreprocessing,
         .metavar = "LAYOUTS",
         .help = "layout of inputs and outputs in the model only",
         .manual = {.value = "[grammar](#layouts)"}},
        set_source_layouts},
    Row{{.name = "target_layout",
         .takes = Takes::value,
         .section = &kPreprocessing,
         .metavar = "LAYOUTS",
         .help = "layout of inputs and outputs in the IR only",
         .manual = {.value = "[grammar](#layouts)"}},
        set_target_layouts},
};

}  // namespace

std::span<const Row> preprocessing_options() { return kPreprocessingRows; }

}  // namespace mo::cli
