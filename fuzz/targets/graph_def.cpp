// TensorFlow: conversion of a binary GraphDef.
#include "fuzz/harness/conversion.hpp"
#include "fuzz/harness/targets.hpp"

namespace mo::fuzz {

void run_graph_def(std::string_view input) { converted(options_for("tf", "model.pb", input)); }

}  // namespace mo::fuzz
