#pragma once

#include "core/graph/graph.hpp"

/// Constants in half the size.
namespace mo::build {

/// The f32 or f64 constant `tensor` of `node` as f16; a recipe, so that nothing is computed before somebody loads it. What is beyond the range of f16
/// is clipped (warning MO-HALF-0001), and what is too small becomes zero (MO-HALF-0002).
Expected<Tensor> compressed_to_f16(const Node& node, const Tensor& tensor, DiagnosticSink& diagnostics);

}  // namespace mo::build
