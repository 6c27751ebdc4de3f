// ONNX: conversion of a binary model.
#include "fuzz/harness/conversion.hpp"
#include "fuzz/harness/targets.hpp"

namespace mo::fuzz {

void run_onnx(std::string_view input) { converted(options_for("onnx", "model.onnx", input)); }

}  // namespace mo::fuzz
