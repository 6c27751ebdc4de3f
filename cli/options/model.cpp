#include <array>

#include "cli/option_table.hpp"
#include "core/command_line/setters.hpp"
#include "driver/option_grammar.hpp"

namespace mo::cli {
namespace {

Expected<void> set_inputs(CommandLine& line, std::string_view text) {
  // ovc takes shapes without names: those of all inputs in their order, which is --input_shape.
  if (text.starts_with('[')) {
    MO_ASSIGN(line.options.input_shapes, parse_shapes(text));
    return {};
  }
  MO_ASSIGN(line.options.inputs, parse_inputs(text));
  return {};
}

Expected<void> set_outputs(CommandLine& line, std::string_view text) {
  MO_ASSIGN(line.options.outputs, parse_outputs(text));
  return {};
}

Expected<void> set_input_shapes(CommandLine& line, std::string_view text) {
  if (!line.options.input_shapes.empty())
    return error("MO-CLI-0007", "--input has shapes without names, and --input_shape has shapes")
        .hint("write the shapes once");
  MO_ASSIGN(line.options.input_shapes, parse_shapes(text));
  return {};
}

Expected<void> set_batch(CommandLine& line, std::string_view text) {
  MO_ASSIGN(line.options.batch, parse_batch(text));
  return {};
}

Expected<void> set_frozen(CommandLine& line, std::string_view text) {
  MO_ASSIGN(line.options.freeze_placeholder_with_value, parse_frozen_placeholders(text));
  return {};
}

constexpr std::array kModelRows = {
    Row{{.name = "input",
         .takes = Takes::value,
         .section = &kModel,
         .metavar = "LIST",
         .help = "new inputs of the model, everything before them is cut off: [port:]name[:port], each with an "
                 "optional shape [1 3 ?], type {f32} and constant ->5 or ->[1 2]; separated by commas",
         .manual =
             {.value = "[grammar](#--input-and---output)",
              .meaning =
                  "new inputs; everything that only they need is cut off. Other inputs are no longer model inputs"}},
        set_inputs},
    Row{{.name = "output",
         .takes = Takes::value,
         .section = &kModel,
         .metavar = "LIST",
         .help = "new outputs of the model, everything after them is removed: [port:]name[:port], separated by commas",
         .manual = {.value = "[grammar](#--input-and---output)", .meaning = "new outputs"}},
        set_outputs},
    Row{{.name = "input_shape",
         .takes = Takes::value,
         .section = &kModel,
         .metavar = "SHAPES",
         .help = "shapes of the inputs in the model's own layout: [1,3,224,224],(1,10); -1 or ? is unknown, 1..8 a "
                 "range; several shapes need --input",
         .manual = {.value = "[grammar](#shapes)",
                    .meaning = "shapes of the inputs, in the model's own layout; several need the same number of names "
                               "in `--input`"}},
        set_input_shapes},
    Row{{.name = "batch",
         .letters = "b",
         .takes = Takes::value,
         .section = &kModel,
         .metavar = "NUMBER",
         .help = "overwrite the batch of the inputs: N of their layout, or the first dimension",
         .manual = {.value = "number ≥ 1",
                    .meaning = "overwrites the batch of every input: the dimension N of its [layout](#layouts), or "
                               "else the first one (an input whose layout has no N keeps its shape)"}},
        set_batch},
    Row{{.name = "freeze_placeholder_with_value",
         .takes = Takes::value,
         .section = &kModel,
         .metavar = "LIST",
         .help = "inputs that become constants: name->5,other->[1 2]",
         .manual = {.value = "[grammar](#constants)", .meaning = "inputs that become constants"}},
        set_frozen},
    Row{{.name = "static_shape",
         .section = &kModel,
         .help = "compute everything that depends only on shapes; the IR cannot be reshaped",
         .manual = {.meaning = "computes whatever depends on shapes only; the result cannot be reshaped"}},
        set_flag<&Options::static_shape>},
    Row{{.name = "ignore_attribute",
         .takes = Takes::list,
         .section = &kModel,
         .acts = Acts::beside_ir,
         .metavar = "NAMES",
         .help = "OP.NAME: convert nodes of the operator OP as if they had no attribute NAME, which mo does not know "
                 "(MO-FRONT-0005)",
         .manual =
             {.value = "`OP.NAME`, comma list",
              .meaning =
                  "converts nodes of the operator `OP` as if they had no [attribute](#unknown-attributes) `NAME`"}},
        add_words<&Options::ignored_attributes>},
};

}  // namespace

std::span<const Row> model_options() { return kModelRows; }

}  // namespace mo::cli
