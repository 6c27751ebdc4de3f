#include "ops/top_k.hpp"

#include <limits>

#include "extensions/support/front.hpp"
#include "ops/build/rows.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/one_hot.hpp"
#include "ops/slice.hpp"
#include "ops/squeeze.hpp"

namespace mo::front::onnx {
namespace {

/// ONNX puts the lower index first among equal values, and so does TopK.v3 sorted by value in runtimes; only TopK.v11 spells it out.
Node top_k(Rewriter& rw, const Value& x, const Value& k, std::int64_t axis, bool largest, bool sorted) {
  return rw.create_node(ops::v3::TopK{.axis = axis,
                                      .mode = largest ? ops::TopKMode::max : ops::TopKMode::min,
                                      .sort = sorted ? ops::TopKSort::value : ops::TopKSort::none,
                                      .index_element_type = ElementType::i64},
                        {x, k});
}

/// Index of the first largest or smallest element along the axis, which stays with size 1.
Value first_extreme(Rewriter& rw, const Value& x, std::int64_t axis, bool largest) {
  return top_k(rw, x, rw.scalar<std::int64_t>(1), axis, largest, true).output(1);
}

/// TopK(x, k) -> TopK(x, k), k being a scalar in the IR
Replacement onnx_top_k(const Node& node, Rewriter& rw) {
  const auto k = node.attr<std::int64_t>("k");
  const Value count = k ? rw.scalar<std::int64_t>(*k) : rw.create(ops::Squeeze{}, node.input(1), rw.integers({0}));
  const Node made = top_k(rw, node.input(0), count, node.attr<std::int64_t>("axis").value_or(-1), node.attr<bool>("largest").value_or(true),
                          node.attr<bool>("sorted").value_or(true));
  return Outputs{made.output(0), made.output(1)};
}

/// ArgMax(x) -> indices of TopK(x, 1). With select_last_index: size - 1 - ArgMax of x back to front.
Replacement arg_extreme(const Node& node, Rewriter& rw) {
  Value x = node.input(0);
  const auto axis = node.attr<std::int64_t>("axis").value_or(0);
  const bool last = node.attr<bool>("select_last_index").value_or(false);
  if (last)
    x = rw.create(ops::Slice{}, x, rw.integers({-1}), rw.integers({std::numeric_limits<std::int64_t>::min()}), rw.integers({-1}),
                  rw.integers({axis}));
  Value index = first_extreme(rw, x, axis, node.attr<std::string>("mode").value_or("max") == "max");
  if (last) {
    const Value highest = rw.create(ops::Subtract{}, dimension_of(rw, node.input(0), axis), rw.scalar<std::int64_t>(1));
    index = rw.create(ops::Subtract{}, highest, index);
  }
  return node.attr<bool>("keepdims").value_or(true) ? index : rw.create(ops::Squeeze{}, index, rw.integers({axis}));
}

/// Hardmax(x) -> OneHot of the first largest element along the axis; up to opset 12 of each row of a matrix
Replacement hardmax(const Node& node, Rewriter& rw) {
  auto axis = node.attr<std::int64_t>("axis").value_or(-1);
  Rows rows{node.input(0), node.input(0)};
  if (node.attr<bool>("rows").value_or(false)) {
    auto made = rows_of(node, rw, node.input(0), axis);
    if (!made) return std::move(made).error();
    rows = *made;
    axis = -1;
  }
  const Value x = rows.matrix;
  const Value index = rw.create(ops::Squeeze{}, first_extreme(rw, x, axis, true), rw.integers({axis}));
  const Value hot = rw.create(ops::OneHot{.axis = axis}, index, dimension_of(rw, x, axis), number_like(rw, x, 1), number_like(rw, x, 0));
  return rows.back(rw, hot);
}

}  // namespace

void register_top_k(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxTopK").replace_op(onnx_top_k));
  passes.add(front_replacement_op("OnnxArgExtreme").replace_op(arg_extreme));
  passes.add(front_replacement_op("OnnxHardmax").replace_op(hardmax));
}

}  // namespace mo::front::onnx
