#include <array>

#include "cli/option_setters.hpp"
#include "cli/option_table.hpp"

namespace mo::cli {
namespace {

Expected<void> set_extensions(Options& options, std::string_view text) {
  options.extensions = parse_words(text);
  return {};
}

Expected<void> set_list_ops(Options& options, std::string_view text) {
  if (text.empty()) return error("MO-CLI-0005", "--list-ops: the framework is missing").hint("write --list-ops onnx");
  options.list_ops = text;
  return {};
}

Expected<void> set_print_config(Options& options, std::string_view text) {
  if (text.empty())
    return error("MO-CLI-0005", "--print-config: the name is missing").hint("write --print-config yolo_v3.json");
  options.print_config = text;
  return {};
}

constexpr std::array kSteeringRows = {
    OptionRow{"finegrain_fusing", "", Takes::value, Section::optimisation, Acts::on_ir, "LIST",
              "regular expressions: what has one of them in its name is not fused with others",
              [](Options& options, std::string_view text) -> Expected<void> {
                options.finegrain_fusing = parse_words(text);
                return {};
              }},
    OptionRow{"disable_resnet_optimization", "", Takes::nothing, Section::optimisation, Acts::on_ir, "",
              "leave strides of convolutions of single pixels where they are",
              set_flag<&Options::disable_resnet_optimization>},
    OptionRow{"enable_concat_optimization", "", Takes::nothing, Section::optimisation, Acts::on_ir, "",
              "read tensors that several concatenations join from the shorter one",
              set_flag<&Options::enable_concat_optimization>},
    OptionRow{"disable_fusing", "", Takes::nothing, Section::optimisation, Acts::on_ir, "",
              "deprecated: do not fold multiplications and additions into convolutions",
              set_flag<&Options::disable_fusing>},
    OptionRow{"disable_gfusing", "", Takes::nothing, Section::optimisation, Acts::beside_ir, "",
              "deprecated: do not join the convolutions of a Split and a Concat into a grouped one",
              set_flag<&Options::disable_gfusing>},

    OptionRow{"transformations_config", "", Takes::value, Section::extension, Acts::on_ir, "PATH",
              "JSON description of sub-graph replacements: a file, the name of a built-in one, or auto, which chooses "
              "that by the model",
              set_text<&Options::transformations_config>, true},
    OptionRow{"custom_ops", "", Takes::list, Section::extension, Acts::on_ir, "PATHS",
              "JSON descriptions of operations that the converter does not know", add_words<&Options::custom_ops>,
              true},
    OptionRow{"extensions", "", Takes::value, Section::extension, Acts::on_ir, "PATHS",
              "plugins (shared libraries) and directories of them, separated by commas", set_extensions, true},
    OptionRow{"transform", "", Takes::value, Section::extension, Acts::on_ir, "LIST",
              "additional transformations at the end: Name[key=value;key=value],Name2", set_text<&Options::transform>},

    OptionRow{"disable-pass", "", Takes::list, Section::debugging, Acts::on_ir, "NAMES", "do not run these passes",
              add_words<&Options::passes, &PassOptions::disable>},
    OptionRow{"only-pass", "", Takes::list, Section::debugging, Acts::on_ir, "NAMES",
              "of the optional passes, run only these", add_words<&Options::passes, &PassOptions::only>},
    OptionRow{"explain-pass", "", Takes::list, Section::debugging, Acts::beside_ir, "NAMES",
              "print what each rule of these passes did at each node, and why not",
              add_words<&Options::passes, &PassOptions::explain>},
    OptionRow{"dump-after", "", Takes::value, Section::debugging, Acts::beside_ir, "REGEX",
              "print the graph after each pass whose name matches",
              set_text<&Options::passes, &PassOptions::dump_after>},
    OptionRow{"time-passes", "", Takes::nothing, Section::debugging, Acts::beside_ir, "",
              "print the time that each pass took", set_flag<&Options::passes, &PassOptions::time>},
    OptionRow{"verify-each", "", Takes::nothing, Section::debugging, Acts::beside_ir, "",
              "check the graph after each pass", set_flag<&Options::passes, &PassOptions::verify_each>},
    OptionRow{"print-pipeline", "", Takes::nothing, Section::debugging, Acts::beside_ir, "",
              "list the passes in their order, and stop", set_flag<&Options::passes, &PassOptions::print_pipeline>},
    OptionRow{"list-extensions", "", Takes::nothing, Section::debugging, Acts::beside_ir, "",
              "list everything that is registered, and by whom, and stop", set_flag<&Options::list_extensions>},
    OptionRow{"list-options", "", Takes::nothing, Section::debugging, Acts::beside_ir, "",
              "list all options, and stop; with --json as a JSON list", set_nothing},
    OptionRow{"json", "", Takes::nothing, Section::debugging, Acts::beside_ir, "",
              "with --list-options: name, short names, group and value of each as JSON", set_nothing},
    OptionRow{"list-ops", "", Takes::value, Section::debugging, Acts::beside_ir, "FRAMEWORK",
              "list the supported operations of a framework, those of the IR (ir), or forms that some runtimes compute "
              "wrongly (ir-faults), and stop",
              set_list_ops},
    OptionRow{"record-usage", "", Takes::value, Section::debugging, Acts::beside_ir, "FILE",
              "append to a file what the conversion used of mo, for a build that has only that (MO_SELECTIVE)",
              set_text<&Options::record_usage>, true},
    OptionRow{"depfile", "", Takes::value, Section::debugging, Acts::beside_ir, "FILE",
              "write which files the IR depends on, as a rule of make (make, Ninja and CMake read it)",
              set_text<&Options::depfile>, true},
    OptionRow{"print-config", "", Takes::value, Section::debugging, Acts::beside_ir, "NAME",
              "print the built-in configuration of that name, and stop", set_print_config},

    OptionRow{"move_to_preprocess", "", Takes::nothing, Section::deprecated, Acts::beside_ir, "",
              "mean values always become part of the model", set_flag<&Options::move_to_preprocess>},
    OptionRow{"keep_shape_ops", "", Takes::nothing, Section::deprecated, Acts::beside_ir, "",
              "the default; see --static_shape", set_flag<&Options::keep_shape_ops>},
    OptionRow{"generate_deprecated_IR_V7", "", Takes::nothing, Section::deprecated, Acts::beside_ir, "",
              "IR version 7 cannot be written any more", set_flag<&Options::generate_deprecated_ir_v7>},
    OptionRow{"use_new_frontend", "", Takes::nothing, Section::deprecated, Acts::beside_ir, "",
              "there is one frontend for each framework", set_flag<&Options::use_new_frontend>},
    OptionRow{"share_weights", "", Takes::nothing, Section::deprecated, Acts::beside_ir, "",
              "weights are written to the .bin file in any case", set_flag<&Options::share_weights>},
    OptionRow{"example_input", "", Takes::value, Section::deprecated, Acts::beside_ir, "INPUT",
              "models are not traced: shapes are given with --input_shape", set_text<&Options::example_input>},
    OptionRow{"use_legacy_frontend", "", Takes::nothing, Section::deprecated, Acts::beside_ir, "",
              "there is one frontend for each framework", set_flag<&Options::use_legacy_frontend>},
    OptionRow{"legacy_ir_generation", "", Takes::nothing, Section::deprecated, Acts::on_ir, "",
              "there is one way to generate an IR", set_flag<&Options::legacy_ir_generation>},
};

}  // namespace

std::span<const OptionRow> steering_options() { return kSteeringRows; }

}  // namespace mo::cli
