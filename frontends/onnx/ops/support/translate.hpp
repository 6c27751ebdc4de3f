#pragma once

// Everything that a file which brings in an ONNX operator needs.
#include "core/graph/values.hpp"
#include "core/registry/operator_table.hpp"
#include "ops/build/lengths.hpp"
#include "ops/build/tensors.hpp"

namespace mo::onnx {

using namespace build;

}  // namespace mo::onnx
