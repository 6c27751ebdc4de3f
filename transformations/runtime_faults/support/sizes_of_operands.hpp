#pragma once

#include "ops/reshape.hpp"
#include "transformations/op_versions/older_classes.hpp"

/// Operands whose sizes the definition of their op gives, though the model does not tell them.
namespace mo::transformations {

/// The last dimension of input `i` is not known.
inline bool is_open(const Node& node, std::size_t i) {
  if (i >= node.in_port_count() || !node.input(i)) return false;
  const PartialShape& shape = node.input_type(i).shape;
  return !shape.has_rank() || shape.size() == 0 || !shape[shape.size() - 1].is_known();
}

/// `node` with the inputs from `first` to `last` that are open reshaped to `sizes`, which its definition gives them.
inline Replacement with_sizes(const Node& node, std::size_t first, std::size_t last,
                              const std::vector<std::int64_t>& sizes, Rewriter& rw) {
  std::vector<Value> inputs = inputs_of(node);
  bool any = false;
  for (std::size_t i = first; i <= last; ++i) {
    if (!is_open(node, i)) continue;
    inputs[i] = rw.create(ops::Reshape{.special_zero = false}, inputs[i], rw.integers(sizes));
    any = true;
  }
  if (!any) return declined("the sizes are known");
  return rw.copy_with_new_inputs(node, inputs).output();
}

}  // namespace mo::transformations
