#pragma once

#include "core/graph/graph.hpp"

namespace mo {

/// The tensor that `op` makes of `inputs`, computed when it is loaded and not kept: a buffer of kind *recipe*.
/// Used for folded constants that are too large to hold (permuted, cast, scaled weights). `type` must be static: the
/// inferred type of that output. Loading evaluates each recipe among its inputs once, however many others read it. A
/// recipe that would take many times the work of its largest part (a long chain) is computed at once, so that n recipes
/// in a row cost O(n) evaluations, and nothing recurses far.
Expected<Tensor> make_recipe(Op op, std::vector<Tensor> inputs, std::size_t output_count, std::size_t output,
                             const TensorType& type);

/// The op that computes a recipe, and its inputs.
struct RecipeStep {
  const Op* op = nullptr;
  const std::vector<Tensor>* inputs = nullptr;
};
/// The last step of a tensor that is a whole recipe; nothing for other tensors. The pointers live as long as the
/// tensor's buffer.
std::optional<RecipeStep> last_step_of(const Tensor& tensor);

}  // namespace mo
