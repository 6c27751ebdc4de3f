// Caffe: conversion of a topology with its weights. Two files: .prototxt and .caffemodel.
#include "fuzz/harness/conversion.hpp"
#include "fuzz/harness/parts.hpp"
#include "fuzz/harness/scratch.hpp"
#include "fuzz/harness/targets.hpp"

namespace mo::fuzz {

void run_caffe(std::string_view input) {
  const std::vector<std::string_view> parts = parts_of(input, 2);
  Options options = options_for("caffe", "model.caffemodel", parts[1]);
  options.caffe.input_proto = Scratch::instance().write("model.prototxt", parts[0]);
  converted(std::move(options));
}

}  // namespace mo::fuzz
