#pragma once

#include "ops/non_max_suppression.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

/// NonMaxSuppression of opset5 with the first five inputs of `node`; one that is absent is a 0.
Replacement suppressed_by_opset5(const Node& node, ops::v5::NonMaxSuppression op, Rewriter& rw);

/// The same for a class before opset5, whose only output is the indices.
template <OpLike Older>
Replacement suppressed_by_opset5(const Node& node, const Older& op, Rewriter& rw) {
  ops::v5::NonMaxSuppression newer;
  newer.box_encoding = op.box_encoding;
  newer.sort_result_descending = op.sort_result_descending;
  newer.output_type = op.output_type;
  return suppressed_by_opset5(node, std::move(newer), rw);
}

}  // namespace mo::transformations
