#include <algorithm>

#include "core/tensor/convert.hpp"
#include "extensions/support/front_shapes.hpp"
#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/eye.hpp"
#include "ops/gather.hpp"
#include "ops/non_zero.hpp"
#include "ops/one_hot.hpp"
#include "ops/range.hpp"
#include "ops/reshape.hpp"
#include "ops/scatter.hpp"
#include "ops/select.hpp"
#include "ops/squeeze.hpp"
#include "ops/unique.hpp"

namespace mo::front::onnx {
namespace {

Replacement replace_gather(const Node& node, Rewriter& rw) {
  if (!node.input(0) || !node.input(1)) return missing_input(node);
  return rw.create(ops::Gather{}, node.input(0), node.input(1), rw.scalar(node.attr<std::int64_t>("axis").value_or(0)));
}

Replacement replace_scatter_elements(const Node& node, Rewriter& rw) {
  if (!node.input(0) || !node.input(1) || !node.input(2)) return missing_input(node);
  const Value axis = rw.scalar(node.attr<std::int64_t>("axis").value_or(0));
  const auto reduction = node.attr<std::string>("reduction");
  if (!reduction || *reduction == "none") return rw.create(ops::v3::ScatterElementsUpdate{}, node.input(0), node.input(1), node.input(2), axis);
  Op op = ops::v12::ScatterElementsUpdate{};
  if (auto set = op.set_attribute("reduction", *reduction); !set) return std::move(set).error();
  return rw.create(std::move(op), node.input(0), node.input(1), node.input(2), axis);
}

/// Compress(x, condition, axis) -> Gather(x, the places where the condition holds, axis); without axis, of all elements in a row.
/// The condition may be shorter than the dimension; what it does not mention is dropped.
Replacement replace_compress(const Node& node, Rewriter& rw) {
  if (!node.input(0) || !node.input(1)) return missing_input(node);
  const auto axis = node.attr<std::int64_t>("axis");
  const Value data = axis ? node.input(0) : rw.create(ops::Reshape{}, node.input(0), rw.integers({-1}));
  const Value places = rw.create(ops::Squeeze{}, rw.create(ops::NonZero{.output_type = ElementType::i64}, node.input(1)), rw.integers({0}));
  return rw.create(ops::Gather{}, data, places, rw.scalar(axis.value_or(0)));
}

/// The three inputs have one element type, which is that of the result; any of them may tell it.
Replacement replace_range(const Node& node, Rewriter& rw) {
  std::vector<Value> bounds;
  ElementType type = ElementType::dynamic;
  for (std::size_t i = 0; i < 3; ++i) {
    const Value bound = node.input(i);
    if (!bound) return missing_input(node);
    if (type == ElementType::dynamic) type = known_element_type(bound);
    bounds.push_back(known_constant(bound) ? as_scalar(rw, bound) : bound);
  }
  if (type == ElementType::dynamic) return rw.create(ops::v0::Range{}, bounds);
  return rw.create(ops::Range{.output_type = type}, bounds);
}

/// Inputs: indices, depth, values [off, on].
Replacement replace_one_hot(const Node& node, Rewriter& rw) {
  if (!node.input(0) || !node.input(1) || !node.input(2)) return missing_input(node);
  Value indices = as_i64(rw, node.input(0));
  const Value depth = as_scalar(rw, as_i64(rw, node.input(1)));
  const auto known = known_integers(node.input(0));
  const bool only_positive = known && std::all_of(known->begin(), known->end(), [](std::int64_t v) { return v >= 0; });
  if (node.attr<bool>("wrap").value_or(false) && !only_positive) {
    const Value negative = rw.create(ops::Less{}, indices, rw.scalar<std::int64_t>(0));
    indices = rw.create(ops::Select{}, negative, rw.create(ops::Add{}, indices, depth), indices);
  }
  const Value first = rw.scalar<std::int64_t>(0);
  const Value off = rw.create(ops::Gather{}, node.input(2), rw.scalar<std::int64_t>(0), first);
  const Value on = rw.create(ops::Gather{}, node.input(2), rw.scalar<std::int64_t>(1), first);
  return rw.create(ops::OneHot{.axis = node.attr<std::int64_t>("axis").value_or(-1)}, indices, depth, on, off);
}

/// EyeLike(x) -> Eye(rows of x, columns of x, k), of the type of x unless another one is wanted
Replacement replace_eye_like(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  if (!x) return missing_input(node);
  const auto wanted = node.attr<ElementType>("dtype");
  const ElementType type = wanted ? *wanted : known_element_type(x);
  const Value rows = as_scalar(rw, length_along(rw, x, 0));
  const Value columns = as_scalar(rw, length_along(rw, x, 1));
  const Value k = rw.scalar(node.attr<std::int64_t>("k").value_or(0));
  if (type != ElementType::dynamic) return rw.create(ops::Eye{.output_type = type}, rows, columns, k);
  return rw.create(ops::ConvertLike{}, rw.create(ops::Eye{.output_type = ElementType::f32}, rows, columns, k), x);
}

Replacement replace_unique(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  if (!x) return missing_input(node);
  const ops::Unique op{
      .sorted = node.attr<bool>("sorted").value_or(true), .index_element_type = ElementType::i64, .count_element_type = ElementType::i64};
  const auto axis = node.attr<std::int64_t>("axis");
  const Node unique = axis ? rw.create_node(op, {x, rw.scalar(*axis)}, 4) : rw.create_node(op, {x}, 4);
  Outputs outputs;
  for (std::size_t i = 0; i < node.out_port_count(); ++i) outputs.push_back(unique.output(i));
  return outputs;
}

}  // namespace

void register_indexing(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxGather").replace_op(replace_gather));
  passes.add(front_replacement_op("OnnxScatterElements").replace_op(replace_scatter_elements));
  passes.add(front_replacement_op("OnnxCompress").replace_op(replace_compress));
  passes.add(front_replacement_op("OnnxRange").replace_op(replace_range));
  passes.add(front_replacement_op("OnnxOneHot").replace_op(replace_one_hot));
  passes.add(front_replacement_op("OnnxEyeLike").replace_op(replace_eye_like));
  passes.add(front_replacement_op("OnnxUnique").replace_op(replace_unique));
}

}  // namespace mo::front::onnx
