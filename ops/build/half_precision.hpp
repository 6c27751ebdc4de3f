#pragma once

#include "core/graph/graph.hpp"

/// Constants in half the size.
namespace mo::build {

/// A constant in f16, and what became of its elements.
struct HalfConstant {
  Tensor tensor;              ///< a recipe: computed when it is loaded
  std::int64_t clipped = 0;   ///< elements beyond the range of f16
  std::int64_t vanished = 0;  ///< elements that are zero in f16 only
};

/// The f32 or f64 constant `tensor` of `node` as f16. What is beyond the range of f16
/// is clipped (warning MO-HALF-0001), and what is too small becomes zero: a warning (MO-HALF-0002) where the constant
/// has no normal number of f16 either, or where something divides by it or takes it to a power.
Expected<HalfConstant> compressed_to_f16(const Node& node, const Tensor& tensor, DiagnosticSink& diagnostics);

}  // namespace mo::build
