#pragma once

#include <string>
#include <vector>

#include "core/tensor/tensor.hpp"
#include "driver/options.hpp"

namespace mo {

/// A tensor with its name.
struct NamedTensor {
  /// of an input: a tensor name or the name of the node; empty: the next input in the model's order
  std::string name;
  Tensor value;  ///< in memory
  /// of an output: all that the model has for it; `name` is that of the node that computes it
  std::vector<std::string> tensor_names = {};
  /// of an input of integers: they have no type of their own (literals of a script), so the model's input may be real
  bool untyped = false;
};

/// What is to be run.
struct RunRequest {
  /// from `parse_model_options`: an IR, a text form, or whatever mo converts, as it stands before fusions
  Options model;
  std::string weights;  ///< of an IR: the .bin; empty: beside the .xml
  std::vector<NamedTensor> inputs;
  bool portable = false;  ///< without accelerated kernels: slower, the same bytes on every machine
};

/// Runs a model with the reference executor; gives its outputs in the model's order, in memory. Element types of inputs
/// are converted where no value changes its meaning (`sink` gets a note). Errors: of reading, MO-RUN-0001 to -0006
/// (inputs), of the ops, MO-LIMIT-….
Expected<std::vector<NamedTensor>> run(const RunRequest& request, DiagnosticSink& sink);

}  // namespace mo
