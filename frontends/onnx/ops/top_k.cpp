#include "ops/top_k.hpp"

#include <limits>

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/rows.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/one_hot.hpp"
#include "ops/slice.hpp"
#include "ops/squeeze.hpp"

namespace mo::onnx {
namespace {

/// ONNX puts the lower index first among equal values, and so does TopK.v3 sorted by value in runtimes; only TopK.v11
/// spells it out.
Node largest_elements(Rewriter& rw, const Value& x, const Value& k, std::int64_t axis, bool largest, bool sorted) {
  return rw.create_node(ops::v3::TopK{{.axis = axis,
                                       .mode = largest ? ops::TopKMode::max : ops::TopKMode::min,
                                       .sort = sorted ? ops::TopKSort::value : ops::TopKSort::none,
                                       .index_element_type = ElementType::i64}},
                        {x, k});
}

/// Index of the first largest or smallest element along the axis, which stays with size 1.
Value first_extreme(Rewriter& rw, const Value& x, std::int64_t axis, bool largest) {
  return largest_elements(rw, x, rw.scalar<std::int64_t>(1), axis, largest, true).output(1);
}

/// TopK-1 has k as an attribute.
Replacement top_k_of_attribute(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value k = rw.scalar(node.required<std::int64_t>("k"));
  const Node made = largest_elements(rw, node.input(0), k, node.attr<std::int64_t>("axis", -1), true, true);
  return Outputs{made.output(0), made.output(1)};
}

/// TopK-10 has k as an input, a vector of one number. In the IR, k is a scalar.
Replacement top_k_of_input(const FrameworkNode& node, Rewriter& rw, bool largest, bool sorted) {
  MO_TRY(node.expect_inputs(2));
  const Value k = rw.create(ops::Squeeze{}, node.input(1), rw.integers({0}));
  const Node made = largest_elements(rw, node.input(0), k, node.attr<std::int64_t>("axis", -1), largest, sorted);
  return Outputs{made.output(0), made.output(1)};
}

Replacement top_k_of_opset_10(const FrameworkNode& node, Rewriter& rw) { return top_k_of_input(node, rw, true, true); }

/// TopK-11 chooses the order.
Replacement top_k_of_opset_11(const FrameworkNode& node, Rewriter& rw) {
  return top_k_of_input(node, rw, node.attr("largest", true), node.attr("sorted", true));
}

/// ArgMax(x) -> indices of TopK(x, 1). With select_last_index, which came with opset 12: size - 1 - ArgMax of x back to
/// front.
Replacement arg_extreme(const FrameworkNode& node, Rewriter& rw, bool largest) {
  MO_TRY(node.expect_inputs(1));
  Value x = node.input(0);
  const auto axis = node.attr<std::int64_t>("axis", 0);
  const bool last = node.version() >= 12 && node.attr("select_last_index", false);
  if (last)
    x = rw.create(ops::Slice{}, x, rw.integers({-1}), rw.integers({std::numeric_limits<std::int64_t>::min()}),
                  rw.integers({-1}), rw.integers({axis}));
  Value index = first_extreme(rw, x, axis, largest);
  if (last) {
    const Value highest = rw.create(ops::Subtract{}, dimension_of(rw, node.input(0), axis), rw.scalar<std::int64_t>(1));
    index = rw.create(ops::Subtract{}, highest, index);
  }
  return node.attr("keepdims", true) ? index : rw.create(ops::Squeeze{}, index, rw.integers({axis}));
}

/// Hardmax(x) -> OneHot of the first largest element along the axis
Value one_hot_of_largest(Rewriter& rw, const Value& x, std::int64_t axis) {
  const Value index = rw.create(ops::Squeeze{}, first_extreme(rw, x, axis, true), rw.integers({axis}));
  return rw.create(ops::OneHot{.axis = axis}, index, dimension_of(rw, x, axis), number_like(rw, x, 1),
                   number_like(rw, x, 0));
}

Replacement hardmax_along_axis(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  return one_hot_of_largest(rw, node.input(0), node.attr<std::int64_t>("axis", -1));
}

/// As Softmax: of each row of a matrix that is split at `axis` up to opset 12.
Replacement hardmax_of_split_matrix(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(const Rows rows, rows_of(node.node(), rw, node.input(0), node.attr<std::int64_t>("axis", 1)));
  return rows.back(rw, one_hot_of_largest(rw, rows.matrix, -1));
}

}  // namespace

/// The largest elements and where they are.
void register_top_k(OperatorTable& table) {
  table.translate("TopK", versions(1, 9), top_k_of_attribute);
  table.translate("TopK", versions(10, 10), top_k_of_opset_10);
  table.translate("TopK", since(11), top_k_of_opset_11);
  table.translate("ArgMax", since(1),
                  [](const FrameworkNode& node, Rewriter& rw) { return arg_extreme(node, rw, true); });
  table.translate("ArgMin", since(1),
                  [](const FrameworkNode& node, Rewriter& rw) { return arg_extreme(node, rw, false); });
  table.translate("Hardmax", versions(1, 12), hardmax_of_split_matrix);
  table.translate("Hardmax", since(13), hardmax_along_axis);
}

}  // namespace mo::onnx
