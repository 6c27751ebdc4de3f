#include "frontends/onnx/ops/support/data_type_attribute.hpp"
#include "frontends/onnx/ops/support/range.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/eye.hpp"
#include "ops/gather.hpp"
#include "ops/non_zero.hpp"
#include "ops/one_hot.hpp"
#include "ops/reshape.hpp"
#include "ops/select.hpp"
#include "ops/squeeze.hpp"
#include "ops/unique.hpp"

namespace mo::onnx {
namespace {

/// Compress(x, condition, axis) -> Gather(x, the places where the condition holds, axis); without axis, of all elements
/// in a row. The condition may be shorter than the dimension; what it does not mention is dropped.
Replacement compress(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value data = node.has("axis") ? node.input(0) : flattened(rw, node.input(0));
  const Value places = rw.create(
      ops::Squeeze{}, rw.create(ops::NonZero{.output_type = ElementType::i64}, node.input(1)), rw.integers({0}));
  return rw.create(ops::Gather{}, data, places, rw.scalar(node.attr<std::int64_t>("axis", 0)));
}

/// Range-27: numbers of 16 bits are added up in the type that `stash_type` names, f32 by default. Before, in their own
/// type.
Replacement range_of_inputs(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  const ElementType type = node.input_type(0).element_type;
  if (node.version() < 27) return make_range(rw, node.input(0), node.input(1), node.input(2));
  MO_ASSIGN(const ElementType stash, data_type_of_number(node, "stash_type", node.attr<std::int64_t>("stash_type", 1)));
  if ((type != ElementType::f16 && type != ElementType::bf16) || stash == type)
    return make_range(rw, node.input(0), node.input(1), node.input(2));
  const Value range = make_range(rw, as_type(rw, node.input(0), stash), as_type(rw, node.input(1), stash),
                                 as_type(rw, node.input(2), stash));
  return as_type(rw, range, type);
}

/// Inputs: indices, depth, values [off, on].
Replacement one_hot(const FrameworkNode& node, Rewriter& rw, bool negative_from_back) {
  MO_TRY(node.expect_inputs(3));
  Value indices = as_i64(rw, node.input(0));
  const Value depth = as_scalar(rw, as_i64(rw, node.input(1)));
  if (negative_from_back && !none_negative(integers_of(node.input(0)))) {
    const Value negative = rw.create(ops::Less{}, indices, rw.scalar<std::int64_t>(0));
    indices = rw.create(ops::Select{}, negative, rw.create(ops::Add{}, indices, depth), indices);
  }
  const Value first = rw.scalar<std::int64_t>(0);
  const Value off = rw.create(ops::Gather{}, node.input(2), rw.scalar<std::int64_t>(0), first);
  const Value on = rw.create(ops::Gather{}, node.input(2), rw.scalar<std::int64_t>(1), first);
  return rw.create(ops::OneHot{.axis = node.attr<std::int64_t>("axis", -1)}, indices, depth, on, off);
}

/// What lies outside of [0, depth) has no hot element.
Replacement one_hot_of_opset_9(const FrameworkNode& node, Rewriter& rw) { return one_hot(node, rw, false); }

/// Negative indices count from the back.
Replacement one_hot_of_opset_11(const FrameworkNode& node, Rewriter& rw) { return one_hot(node, rw, true); }

/// EyeLike(x) -> Eye(rows of x, columns of x, k), of the type of x unless `dtype` is set
Replacement eye_like(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  ElementType type = x.type().element_type;
  if (const auto number = node.optional_attr<std::int64_t>("dtype")) {
    MO_ASSIGN(type, data_type_of_number(node, "dtype", *number));
  }
  const Value rows = length_along(rw, x, 0);
  const Value columns = length_along(rw, x, 1);
  const Value k = rw.scalar(node.attr<std::int64_t>("k", 0));
  if (type != ElementType::dynamic) return rw.create(ops::Eye{.output_type = type}, rows, columns, k);
  return rw.create(ops::ConvertLike{}, rw.create(ops::Eye{.output_type = ElementType::f32}, rows, columns, k), x);
}

Replacement unique_elements(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  std::vector<Value> inputs = {node.input(0)};
  if (const auto axis = node.optional_attr<std::int64_t>("axis")) inputs.push_back(rw.scalar(*axis));
  const Node unique = rw.create_node(ops::Unique{.sorted = node.attr("sorted", true),
                                                 .index_element_type = ElementType::i64,
                                                 .count_element_type = ElementType::i64},
                                     inputs, 4);
  Outputs outputs;
  for (std::size_t i = 0; i < node.output_count(); ++i) outputs.push_back(unique.output(i));
  return outputs;
}

}  // namespace

/// Ops that make or use indices.
void register_indexing(OperatorTable& table) {
  table.extract("NonZero", since(9),
                [](const FrameworkNode&) -> Expected<Op> { return ops::NonZero{.output_type = ElementType::i64}; });
  table.translate("Compress", since(9), compress);
  table.translate("Range", since(11), range_of_inputs);
  table.translate("OneHot", versions(9, 10), one_hot_of_opset_9);
  table.translate("OneHot", since(11), one_hot_of_opset_11);
  table.translate("EyeLike", since(9), eye_like);
  table.translate("Unique", since(11), unique_elements);
}

}  // namespace mo::onnx
