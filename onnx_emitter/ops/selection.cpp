#include <algorithm>
#include <iterator>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/translator.hpp"
#include "ops/bucketize.hpp"
#include "ops/classification.hpp"
#include "ops/eye.hpp"
#include "ops/non_zero.hpp"
#include "ops/one_hot.hpp"
#include "ops/search_sorted.hpp"
#include "ops/top_k.hpp"
#include "ops/unique.hpp"

namespace mo::onnx_emitter {
namespace {

bool is_half_type(ElementType type) { return type == ElementType::f16 || type == ElementType::bf16; }

/// A type with the same order of numbers, in which runtimes compare: they lack kernels of short integers.
ElementType ordered_type(ElementType type) {
  switch (type) {
    case ElementType::bf16: return ElementType::f32;
    case ElementType::i8:
    case ElementType::i16:
    case ElementType::u8:
    case ElementType::u16: return ElementType::i32;
    case ElementType::u32: return ElementType::i64;
    default: return type;
  }
}

/// Of equal elements both take the one with the lower index first. Sorted by value is also an order of `none`. By
/// index: the least of the indices, which are sorted then, and the elements at them.
template <class Op>
Expected<Outputs> top_k(Translation& t) {
  const ops::v11::TopK& op = *t.node.as<Op>();
  const ElementType given = t.node.input_type(0).element_type;
  const ElementType type = ordered_type(given);
  const Value data = sizes::typed_input(t, 0, type);
  const Value count = sizes::one_as_vector(t, 1);
  const int largest = op.mode == ops::TopKMode::max ? 1 : 0;
  Outputs found = t.ops("TopK", {data, count}, 2, {{"axis", op.axis}, {"largest", largest}});
  if (op.sort == ops::TopKSort::index) {
    found[1] = t.ops("TopK", {found[1], count}, 2, {{"axis", op.axis}, {"largest", 0}}).front();
    if (sizes::is_read(t, 0)) found[0] = t.op("GatherElements", {data, found[1]}, {{"axis", op.axis}});
  }
  if (type != given && sizes::is_read(t, 0)) found[0] = t.cast(found[0], given);
  if (sizes::is_read(t, 1)) found[1] = sizes::as_index_type(t, found[1], op.index_element_type);
  return found;
}

/// As booleans where runtimes lack a kernel.
Expected<Outputs> non_zero(Translation& t) {
  const TensorType& data = t.node.input_type(0);
  if (data.rank() == 0) return t.refused("a scalar input: runtimes disagree on the shape of the result");
  constexpr ElementType kPlain[] = {ElementType::boolean, ElementType::f32, ElementType::i32, ElementType::i64,
                                    ElementType::u8};
  const bool is_plain = std::find(std::begin(kPlain), std::end(kPlain), data.element_type) != std::end(kPlain);
  const Value places = t.op("NonZero", {is_plain ? t.input(0) : t.cast(t.input(0), ElementType::boolean)});
  return Outputs{sizes::as_index_type(t, places, t.node.as<ops::NonZero>()->output_type)};
}

/// In ONNX a negative index counts from the back, and one outside has no hot element: `depth` in place of a negative
/// one. Values of other types than f32 and i64, which runtimes lack, are chosen by a one-hot tensor of booleans.
Expected<Outputs> one_hot_along(Translation& t, std::int64_t axis, bool counts_from_back) {
  const ElementType index_type = t.node.input_type(0).element_type;
  const ElementType type = t.node.output_type().element_type;
  const Value depth = sizes::one_as_scalar(t, 1);
  Value indices = t.input_i64(0);
  const bool may_be_negative =
      (is_signed(index_type) || index_type == ElementType::u64) && !none_negative(integers_of(t.node.input(0)));
  if (!counts_from_back && may_be_negative)
    indices = t.op("Where", {t.op("Less", {indices, sizes::scalar(t, 0)}), depth, indices});
  const AttributeMap attributes{{"axis", axis}};
  if (type != ElementType::f32 && type != ElementType::i64) {
    const Value hot = t.op("OneHot", {indices, depth, t.integers({0, 1})}, attributes);
    return Outputs{t.op("Where", {t.cast(hot, ElementType::boolean), t.input(2), t.input(3)})};
  }
  const auto on = single_real_of(t.node.input(2));
  const auto off = single_real_of(t.node.input(3));
  Value values;
  if (on && off && type == ElementType::f32) {
    values = t.constant(*from_reals(type, {2}, {*off, *on}));
  } else {
    const auto as_vector = [&](std::size_t i) { return t.op("Reshape", {t.input(i), t.integers({1})}); };
    values = t.op("Concat", {as_vector(3), as_vector(2)}, {{"axis", 0}});
  }
  return Outputs{t.op("OneHot", {indices, depth, values}, attributes)};
}

Expected<Outputs> one_hot1(Translation& t) { return one_hot_along(t, t.node.as<ops::OneHot>()->axis, false); }

Expected<Outputs> one_hot16(Translation& t) {
  const auto& op = *t.node.as<ops::v16::OneHot>();
  return one_hot_along(t, op.axis, op.negative_indices_mode == ops::v16::NegativeIndices::normalize);
}

/// In the types that runtimes have: f32, f64, i64, i8. u64 does not fit into one of them.
ElementType type_of_unique(ElementType type) {
  if (is_half_type(type)) return ElementType::f32;
  const bool is_short = type == ElementType::boolean || (is_integral(type) && type != ElementType::u64);
  return is_short && type != ElementType::i8 ? ElementType::i64 : type;
}

/// The outputs of both are in the same order.
Expected<Outputs> unique_elements(Translation& t) {
  const auto& op = *t.node.as<ops::Unique>();
  AttributeMap attributes{{"sorted", op.sorted ? 1 : 0}};
  if (t.input(1)) {
    const auto axis = single_integer_of(t.node.input(1));
    if (!axis) return t.refused("its axis is computed");
    attributes.set("axis", *axis);
  }
  const ElementType given = t.node.input_type(0).element_type;
  const ElementType type = type_of_unique(given);
  Outputs found = t.ops("Unique", {sizes::typed_input(t, 0, type)}, 4, std::move(attributes));
  if (type != given && sizes::is_read(t, 0)) found[0] = t.cast(found[0], given);
  for (const std::size_t i : {1, 2})
    if (sizes::is_read(t, i)) found[i] = sizes::as_index_type(t, found[i], op.index_element_type);
  if (sizes::is_read(t, 3)) found[3] = sizes::as_index_type(t, found[3], op.count_element_type);
  return found;
}

/// The type in which elements of both types are compared.
ElementType common_ordered_type(ElementType a, ElementType b) {
  if (a == b) return a == ElementType::f16 ? ElementType::f32 : ordered_type(a);
  return is_integral(a) && is_integral(b) ? ElementType::i64 : ElementType::f64;
}

/// Along the last dimension: how many of the limits are less than a value, or (`or_equal`) not larger. NaN as a value
/// is larger than all limits, so the count is that of limits of which the opposite is false.
Value count_of_less(Translation& t, const Value& limits, const Value& values, bool or_equal, ElementType type) {
  Value others;
  if (or_equal)
    others = t.op("Less", {values, limits});
  else if (t.opset >= 12)
    others = t.op("LessOrEqual", {values, limits});
  else
    others = t.op("Or", {t.op("Less", {values, limits}), t.op("Equal", {values, limits})});
  return t.with_axes("ReduceSum", t.cast(t.op("Not", {others}), type), {-1}, {{"keepdims", 0}});
}

/// Each value is compared with all limits.
Expected<Outputs> bucketize(Translation& t) {
  const auto& op = *t.node.as<ops::Bucketize>();
  const ElementType type = common_ordered_type(t.node.input_type(0).element_type, t.node.input_type(1).element_type);
  const Value values = t.with_axes("Unsqueeze", sizes::typed_input(t, 0, type), {-1});
  return Outputs{count_of_less(t, sizes::typed_input(t, 1, type), values, !op.with_right_bound, op.output_type)};
}

/// Sorted [..., 1, n] with values [..., m, 1]; one sorted vector serves all values.
Expected<Outputs> search_sorted(Translation& t) {
  const auto& op = *t.node.as<ops::SearchSorted>();
  MO_ASSIGN(const std::int64_t rank, t.rank(0));
  const ElementType type = common_ordered_type(t.node.input_type(0).element_type, t.node.input_type(1).element_type);
  Value sorted = sizes::typed_input(t, 0, type);
  if (rank > 1) sorted = t.with_axes("Unsqueeze", sorted, {-2});
  const Value values = t.with_axes("Unsqueeze", sizes::typed_input(t, 1, type), {-1});
  return Outputs{count_of_less(t, sorted, values, op.right_mode, op.output_type)};
}

/// Ones where column - row is the number of the diagonal.
Expected<Outputs> eye(Translation& t) {
  const ElementType type = t.node.as<ops::Eye>()->output_type;
  const auto places = [&](std::size_t i) { return sizes::counted(t, sizes::one_as_scalar(t, i)); };
  const Value rows = t.with_axes("Unsqueeze", places(0), {1});
  const Value diagonals = t.op("Sub", {places(1), rows});
  Value matrix = t.op("Equal", {diagonals, sizes::one_as_scalar(t, 2)});
  if (type != ElementType::boolean) matrix = t.cast(matrix, type);
  if (!t.input(3)) return Outputs{matrix};
  const Value shape = t.op("Concat", {t.input_vector(3), t.integers({1, 1})}, {{"axis", 0}});
  return Outputs{t.op("Expand", {matrix, shape})};
}

/// Input 0; half types, which older op sets lack here, as f32.
Value classified(Translation& t) {
  const bool is_half = is_half_type(t.node.input_type(0).element_type);
  return is_half ? t.cast(t.input(0), ElementType::f32) : t.input(0);
}

Expected<Outputs> is_nan(Translation& t) { return Outputs{t.op("IsNaN", {classified(t)})}; }

Expected<Outputs> is_inf(Translation& t) {
  const auto& op = *t.node.as<ops::IsInf>();
  return Outputs{
      t.op("IsInf", {classified(t)},
           {{"detect_negative", op.detect_negative ? 1 : 0}, {"detect_positive", op.detect_positive ? 1 : 0}})};
}

Expected<Outputs> is_finite(Translation& t) {
  const Value x = classified(t);
  return Outputs{t.op("Not", {t.op("Or", {t.op("IsNaN", {x}), t.op("IsInf", {x})})})};
}

}  // namespace

void register_selection(OnnxForms& table) {
  table.add<ops::v1::TopK>(top_k<ops::v1::TopK>);
  table.add<ops::v3::TopK>(top_k<ops::v3::TopK>);
  table.add<ops::v11::TopK>(top_k<ops::v11::TopK>);
  table.add<ops::NonZero>(non_zero);
  table.add<ops::OneHot>(one_hot1);
  table.add<ops::v16::OneHot>(one_hot16);
  table.add<ops::Unique>(unique_elements);
  table.add<ops::Bucketize>(bucketize);
  table.add<ops::SearchSorted>(search_sorted);
  table.add<ops::Eye>(eye);
  table.add<ops::IsNaN>(is_nan);
  table.add<ops::IsInf>(is_inf);
  table.add<ops::IsFinite>(is_finite);
}

}  // namespace mo::onnx_emitter
