#include <array>

#include "cli/option_table.hpp"
#include "core/command_line/setters.hpp"
#include "driver/option_grammar.hpp"

namespace mo::cli {
namespace {

constexpr std::array kOptimisationRows = {
    Row{{.name = "finegrain_fusing",
         .takes = Takes::value,
         .section = &kOptimisation,
         .metavar = "LIST",
         .help = "regular expressions: what has one of them in its name is not fused with others",
         .manual = {.value = "regular expressions ([RE2](https://github.com/google/re2/wiki/Syntax)), comma list",
                    .meaning = "nodes in whose name one of them occurs are left out of fusing"}},
        [](CommandLine& line, std::string_view text) -> Expected<void> {
          line.options.finegrain_fusing = parse_words(text);
          return {};
        }},
    Row{{.name = "disable_resnet_optimization",
         .section = &kOptimisation,
         .help = "leave strides of convolutions of single pixels where they are",
         .manual = {.meaning = "strides of 1x1 convolutions stay where they are. Otherwise they move to the "
                               "convolutions in front, which then compute less; the results are the same"}},
        set_flag<&Options::disable_resnet_optimization>},
    Row{{.name = "enable_concat_optimization",
         .section = &kOptimisation,
         .help = "read tensors that several concatenations join from the shorter one",
         .manual = {.meaning = "a run of inputs of a concatenation that another one joins already is read from there "
                               "(dense blocks): fewer edges, the same results"}},
        set_flag<&Options::enable_concat_optimization>},
    Row{{.name = "disable_fusing",
         .section = &kOptimisation,
         .help = "deprecated: do not fold multiplications and additions into convolutions",
         .manual = {.meaning = "deprecated: nothing is fused into weights"},
         .standing = Standing::deprecated,
         .advice = "use --finegrain_fusing to keep single nodes as they are"},
        set_flag<&Options::disable_fusing>},
    Row{{.name = "disable_gfusing",
         .section = &kOptimisation,
         .acts = Acts::beside_ir,
         .help = "deprecated: do not join the convolutions of a Split and a Concat into a grouped one",
         .manual = {.meaning = "deprecated: convolutions between a Split and a Concat do not become a grouped one"},
         .standing = Standing::deprecated,
         .advice = "use --finegrain_fusing to keep single nodes as they are"},
        set_flag<&Options::disable_gfusing>},
};

}  // namespace

std::span<const Row> optimisation_options() { return kOptimisationRows; }

}  // namespace mo::cli
