#pragma once

#include "core/rewrite.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {

/// DFT, IDFT, RDFT or IRDFT as products with matrices (fourier_matrix.hpp), one for each axis. Sizes, lengths of
/// signals and axes may be computed. Where the axes are, there is a product for each dimension, with the identity where
/// the dimension is none of them. Declines where the rank is unknown, or a signal is known to be empty or too long for
/// a matrix.
Replacement fourier_by_matrices(const Node& node, Rewriter& rw);

/// Returns true if all sizes of data of a transform, and all of the result, are known.
bool has_known_sizes(const Node& transform);
/// Returns true if the axes of a transform are constants.
bool has_known_axes(const Node& transform);

/// A row about the transforms T…: those for which `is_faulty` says so become products with matrices.
template <OpLike... T>
GraphRewriteBuilder avoid_transforms(std::string name, RuntimeFault fault, bool (*is_faulty)(const Node&)) {
  GraphRewriteBuilder pass = avoid_fault(std::move(name), std::move(fault));
  const auto add = [&]<OpLike Transform>() {
    pass = std::move(pass).add(rewrite(std::string(Transform::id.type))
                                   .match(pattern::op<Transform>())
                                   .rule([is_faulty](const Match& m, Rewriter& rw) -> Replacement {
                                     const Node node = m.root().node();
                                     return is_faulty(node) ? fourier_by_matrices(node, rw)
                                                            : declined("the sizes or the axes are known");
                                   }));
  };
  (add.template operator()<T>(), ...);
  return pass;
}

}  // namespace mo::transformations
