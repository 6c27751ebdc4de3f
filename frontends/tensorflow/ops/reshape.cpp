#include "ops/reshape.hpp"

#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::tensorflow {
namespace {

/// A 0 in the target is an empty dimension.
Replacement reshape(const FrameworkNode& node, Rewriter& rw) {
  node.ignore({"shape"}, "of graphs older than TensorFlow 1.0, which have the input as well");
  MO_TRY(node.expect_inputs(2));
  return rw.create(ops::Reshape{.special_zero = false}, node.input(0), with_hidden(rw, node, node.input(1), 2));
}

Replacement expand_dims(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  if (!is_complex(node)) return rw.create(ops::Unsqueeze{}, node.input(0), node.input(1));
  MO_ASSIGN(const std::int64_t axis, known_number(node, 1, "the axis"));
  return rw.create(ops::Unsqueeze{}, node.input(0), rw.integers({with_hidden_axis(node, axis)}));
}

/// No axes mean all dimensions of 1. The hidden dimension of complex numbers is none of them.
Replacement squeeze(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_TRY(node.expect_inputs(1));
  auto axes = node.attr("squeeze_dims", Integers());
  if (axes.empty()) return rw.create(ops::Squeeze{}, node.input(0));
  for (std::int64_t& axis : axes) axis = with_hidden_axis(node, axis);
  return rw.create(ops::Squeeze{}, node.input(0), rw.integers(axes));
}

}  // namespace

/// The same elements under another shape, and ops that only pass a tensor on.
void register_reshape(OperatorTable& table) {
  table.translate("Reshape", reshape);
  table.translate("ExpandDims", expand_dims);
  table.translate("Squeeze", squeeze);
  for (const char* op : {"GuaranteeConst", "Copy", "CopyHost"})
    table.extract(op, [](const FrameworkNode& node) -> Expected<Op> {
      node.ignore({"tensor_name", "debug_ops_spec"}, "for debuggers");
      return ops::Identity{};
    });
}

}  // namespace mo::tensorflow
