// Caffe: conversion of a topology without weights.
#include <utility>

#include "fuzz/harness/conversion.hpp"
#include "fuzz/harness/targets.hpp"

namespace mo::fuzz {

void run_prototxt(std::string_view input) {
  Options options = options_for("caffe", "model.prototxt", input);
  options.caffe.input_proto = std::exchange(options.input_model, "");
  options.caffe.disable_weights = true;
  converted(std::move(options));
}

}  // namespace mo::fuzz
