// TensorFlow: conversion of a GraphDef in protobuf text.
#include "fuzz/harness/conversion.hpp"
#include "fuzz/harness/targets.hpp"

namespace mo::fuzz {

void run_graph_def_text(std::string_view input) {
  Options options = options_for("tf", "model.pbtxt", input);
  options.tensorflow.input_model_is_text = true;
  converted(std::move(options));
}

}  // namespace mo::fuzz
