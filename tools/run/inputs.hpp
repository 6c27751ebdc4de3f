#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::tools {

/// What is given for the inputs of a model.
enum class InputsAre : std::uint8_t { files, tensors_of_a_call };

/// Which file feeds which input of the model: one path for each Parameter, in the model's order.
///
/// An argument is `NAME=FILE` or `FILE`. NAME is a tensor name or the friendly name of a Parameter (tensor names win);
/// where a name itself contains '=', the longest name that the model has is meant. Arguments without a name go to the
/// inputs that are not named, in order; one that is made up ("random", "zeros") goes to all that are left. Errors:
/// MO-RUN-0001 (no such input), -0002 (given twice), -0003 (more files than inputs), -0004 (inputs without a file, all
/// of them). Where `what` is tensors of a call, a FILE stands for one of them, and errors do not speak of files.
Expected<std::vector<std::string>> match_inputs(const Graph& graph, const std::vector<std::string>& arguments,
                                                InputsAre what = InputsAre::files);

/// `given` as the Parameter wants it. Another integer type for an integer input, or another real type for a real one,
/// is converted when no value changes its meaning (a note is reported); errors: MO-RUN-0005 (element type), MO-RUN-0006
/// (shape). Integers that are `untyped` (literals of a script) are converted for a real input as well.
Expected<Tensor> fit_input(const Node& parameter, const Tensor& given, DiagnosticSink& sink, bool untyped = false);

/// The tensors that the arguments of --array (of `mo run` also --input) give to the inputs of the graph, one for each.
/// Errors and notes: of expand_archives, match_inputs, read_source and fit_input.
Expected<std::vector<Tensor>> read_inputs(const Graph& graph, const std::vector<std::string>& arguments,
                                          DiagnosticSink& sink);

/// Name of a model output: that of the node that computes it, with ".<port>" when the node has several outputs.
std::string output_name(const Value& source);

}  // namespace mo::tools
