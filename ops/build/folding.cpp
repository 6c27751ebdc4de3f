#include "ops/build/folding.hpp"

#include <algorithm>

#include "core/execution/fold.hpp"
#include "core/execution/recipe.hpp"
#include "core/graph/copying.hpp"
#include "ops/transpose.hpp"

namespace mo::build {
namespace {

/// A matrix that is transposed stays in sight whatever its size: a reader may take it as it is, with a flag (pass
/// MatMulTransposeFusion).
Expected<Tensor> fold_transpose(const Node& node) {
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) inputs.push_back(node.input(i).node().as<Const>()->value);
  return make_recipe(copy_op(node), std::move(inputs), 1, 0, node.output_type());
}

}  // namespace

bool may_have_folded_values(const Node& node, bool of_shapes) {
  return can_fold(node) && (of_shapes || has_constant_inputs(node));
}

Expected<std::optional<std::vector<Tensor>>> folded_values(const Node& node, bool of_shapes) {
  if (!can_fold(node)) return std::nullopt;
  const bool constant = has_constant_inputs(node);
  if (!constant && !of_shapes) return std::nullopt;
  const bool transposes = constant && node.is<ops::Transpose>() && node.output_type().rank().value_or(0) > 1;
  std::vector<Tensor> tensors;
  for (const OutPort& port : node.out_ports()) {
    tensors.emplace_back();
    if (port.disconnected()) continue;
    if (!constant && !port.data().value()) return std::nullopt;
    auto tensor = transposes ? fold_transpose(node) : fold_output(node, port.index());
    if (!tensor) return node.describe(std::move(tensor).error());
    if (tensor->empty()) return std::nullopt;
    tensors.back() = *std::move(tensor);
  }
  return tensors;
}

}  // namespace mo::build
