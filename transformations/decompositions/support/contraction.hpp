#pragma once

#include <vector>

#include "ops/support/einsum_equation.hpp"
#include "transformations/support/op_rules.hpp"

/// Einstein sums in ops of linear algebra.
namespace mo::transformations {

/// A tensor and the label of each of its dimensions, without repetitions.
struct LabelledTensor {
  Value value;
  ops::EinsumLabels labels;
};

/// The elements whose places along equal labels are equal. An empty value when a label repeats in a tensor whose shape
/// is not known.
LabelledTensor diagonal(Rewriter& rw, LabelledTensor tensor);

/// Sums over the labels that are not in `kept`.
LabelledTensor summed_to(Rewriter& rw, LabelledTensor tensor, const ops::EinsumLabels& kept);

/// The dimensions in the order of `labels`, which are those of the tensor.
LabelledTensor in_order(Rewriter& rw, LabelledTensor tensor, const ops::EinsumLabels& labels);

/// The sum over the labels that only both have and that are not in `kept`, of the products: a MatMul, or a Multiply
/// when there is no such label.
LabelledTensor contracted(Rewriter& rw, LabelledTensor a, LabelledTensor b, const ops::EinsumLabels& kept);

}  // namespace mo::transformations
