#pragma once

#include <array>

#include "core/op.hpp"
#include "ops/support/element_kinds.hpp"

namespace mo::ops {

/// How elementwise ops bring the shapes of their inputs together.
enum class AutoBroadcast {
  numpy,  ///< aligned at the last dimension, 1 stretches in both directions
  none,   ///< the shapes must be equal
  /// the second input is stretched to the first, aligned at `auto_broadcast_axis` (PaddlePaddle)
  pdpd,
  explicit_,  ///< old spelling of `none`
};
inline constexpr std::array<std::string_view, 4> kAutoBroadcastNames{"numpy", "none", "pdpd", "explicit"};
constexpr const auto& names_of(AutoBroadcast) { return kAutoBroadcastNames; }

/// The two broadcast attributes of an op together.
struct BroadcastRule {
  AutoBroadcast mode = AutoBroadcast::numpy;
  std::int64_t axis = -1;  ///< only read for pdpd; -1: the trailing dimensions coincide
};

/// The shape that two inputs have together. Errors: MO-OPS-0004 (numpy), MO-OPS-0102 (shapes differ where they must be
/// equal), MO-OPS-0103 (pdpd: the second shape does not fit into the first at this axis).
Expected<PartialShape> combine_shapes(const InferContext& ctx, const BroadcastRule& rule, const PartialShape& a,
                                      const PartialShape& b);

/// Checks the two inputs of an elementwise op (number, element types of `kind`, equal types) and gives their common
/// type.
Expected<TensorType> infer_pair(const InferContext& ctx, const BroadcastRule& rule, const ElementKind& kind);

/// `b` under the shape with which numpy broadcasting against a tensor of `rank` dimensions does what `rule` says. The
/// shapes went through `combine_shapes` before.
Tensor aligned(const BroadcastRule& rule, std::int64_t rank, const Tensor& b);

}  // namespace mo::ops
