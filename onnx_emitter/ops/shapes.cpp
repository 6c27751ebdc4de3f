#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/translator.hpp"
#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/range.hpp"
#include "ops/reshape.hpp"
#include "ops/shape_of.hpp"
#include "ops/split.hpp"
#include "ops/squeeze.hpp"
#include "ops/tile.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::onnx_emitter {
namespace {

Expected<Outputs> shape_of(Translation& t) {
  const Value shape = t.op("Shape", {t.input(0)});
  const ElementType type = t.node.output_type().element_type;
  return Outputs{type == ElementType::i64 ? shape : t.cast(shape, type)};
}

/// A 0 copies the dimension in ONNX as with special_zero; without it 0 is a size, which allowzero says from op set 14
/// on.
Expected<Outputs> reshape(Translation& t) {
  const bool special_zero = t.node.as<ops::Reshape>()->special_zero;
  const auto target = integers_of(t.node.input(1));
  const bool has_zero = target && std::find(target->begin(), target->end(), 0) != target->end();
  AttributeMap attributes;
  // Runtimes refuse 0 and -1 together for a size of 0, which Flatten takes.
  const TensorType& data = t.node.input_type(0);
  if (special_zero && target == std::vector<std::int64_t>{0, -1} && data.rank() != 0 && !data.shape.is_static())
    return Outputs{t.op("Flatten", {t.input(0)}, {{"axis", 1}})};
  // A computed 0 is a size, too; only data without elements can have one.
  const PartialShape& shape = data.shape;
  const bool is_empty = shape.has_rank() && std::any_of(shape.begin(), shape.end(),
                                                        [](const Dimension& size) { return size == Dimension(0); });
  if (!special_zero && (has_zero || (!target && is_empty)) && t.opset < 14) return t.needs_opset(14);
  if (!special_zero && (has_zero || !target) && t.opset >= 14) attributes.set("allowzero", 1);
  return Outputs{t.op("Reshape", {t.input(0), t.input_vector(1)}, std::move(attributes))};
}

template <class Op>
Expected<Outputs> squeeze(Translation& t) {
  if (t.node.in_port_count() < 2 || !t.input(1)) return Outputs{t.op("Squeeze", {t.input(0)})};
  if (!integers_of(t.node.input(1))) {
    if (t.opset < 13) return t.needs_opset(13);
    return Outputs{t.op("Squeeze", {t.input(0), t.input_vector(1)})};
  }
  MO_ASSIGN(const std::vector<std::int64_t> axes, t.signed_axes(1));
  if (axes.empty()) return Outputs{t.op("Squeeze", {t.input(0)})};
  return Outputs{t.with_axes("Squeeze", t.input(0), axes)};
}

/// Dimensions that are not 1 stay where they may be skipped: their sizes must be known.
Expected<Outputs> squeeze15(Translation& t) {
  const bool has_axes = t.node.in_port_count() > 1 && t.input(1);
  if (!t.node.as<ops::v15::Squeeze>()->allow_axis_skip || !has_axes) return squeeze<ops::v15::Squeeze>(t);
  MO_ASSIGN(const std::vector<std::int64_t> axes, t.axes(1));
  const PartialShape& shape = t.node.input_type(0).shape;
  std::vector<std::int64_t> dropped;
  for (const std::int64_t axis : axes) {
    const Dimension& size = shape[static_cast<std::size_t>(axis)];
    if (!size.is_known()) return t.refused("an axis that may be skipped has an unknown size");
    if (size == Dimension(1)) dropped.push_back(axis);
  }
  if (axes.empty()) return Outputs{t.op("Squeeze", {t.input(0)})};
  return Outputs{dropped.empty() ? t.op("Identity", {t.input(0)}) : t.with_axes("Squeeze", t.input(0), dropped)};
}

/// The axes count in the result.
Expected<Outputs> unsqueeze(Translation& t) {
  const auto count = integers_of(t.node.input(1));
  if (!count && t.opset < 13) return t.needs_opset(13);
  if (!count) return Outputs{t.op("Unsqueeze", {t.input(0), t.input_vector(1)})};
  if (none_negative(count) && t.opset >= 13) return Outputs{t.op("Unsqueeze", {t.input(0), t.input_vector(1)})};
  MO_ASSIGN(const std::int64_t rank, t.rank());
  MO_ASSIGN(std::vector<std::int64_t> axes, t.axes(1, rank + static_cast<std::int64_t>(count->size())));
  std::sort(axes.begin(), axes.end());
  return Outputs{t.with_axes("Unsqueeze", t.input(0), axes)};
}

/// The place of each element of the result among all elements: the sum over dimensions of index times stride, with the
/// sizes and strides of the data in the computed order.
Expected<Outputs> transpose_by_places(Translation& t) {
  MO_ASSIGN(const std::int64_t rank, t.rank());
  Value order = t.input_vector(1);
  if (!t.node.input_type(1).shape.element_count()) {  // without elements: backwards
    std::vector<std::int64_t> backwards;
    for (std::int64_t axis = rank; axis-- > 0;) backwards.push_back(axis);
    order = sizes::part(t, t.op("Concat", {order, t.integers(backwards)}, {{"axis", 0}}), 0, 0, rank);
  }
  const Value shape = t.op("Shape", {t.input(0)});
  Value stride = t.integers({1});
  std::vector<Value> all_strides;
  for (std::int64_t axis = rank; axis-- > 0;) {
    all_strides.insert(all_strides.begin(), stride);
    stride = t.op("Mul", {stride, sizes::part(t, shape, 0, axis, axis + 1)});
  }
  const Value strides = t.op("Gather", {t.op("Concat", all_strides, {{"axis", 0}}), order}, {{"axis", 0}});
  const Value lengths = t.op("Gather", {shape, order}, {{"axis", 0}});
  Value places;
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    const Value length = t.op("Gather", {lengths, sizes::scalar(t, axis)}, {{"axis", 0}});
    Value along = t.op("Mul", {sizes::counted(t, length), sizes::part(t, strides, 0, axis, axis + 1)});
    std::vector<std::int64_t> after;
    for (std::int64_t i = axis + 1; i < rank; ++i) after.push_back(i - axis);
    if (!after.empty()) along = t.with_axes("Unsqueeze", along, after);
    places = places ? t.op("Add", {places, along}) : along;
  }
  const Value flat = t.op("Reshape", {t.input(0), t.integers({-1})});
  return Outputs{t.op("Gather", {flat, places}, {{"axis", 0}})};
}

Expected<Outputs> transpose(Translation& t) {
  auto order = integers_of(t.node.input(1));
  if (!order && t.node.input_type(1).shape.element_count() == 0) order.emplace();
  if (!order) return transpose_by_places(t);
  if (order->empty()) return Outputs{t.op("Transpose", {t.input(0)})};
  return Outputs{t.transposed(t.input(0), *order)};
}

/// A Concat of ONNX has no inputs without dimensions.
Expected<Outputs> concat(Translation& t) {
  return Outputs{t.op("Concat", t.inputs(), {{"axis", t.node.as<ops::Concat>()->axis}})};
}

/// A negative axis counts from the back in ONNX, too.
Expected<std::int64_t> split_axis(Translation& t) {
  if (const auto axis = single_integer_of(t.node.input(1))) return *axis;
  MO_ASSIGN(const std::vector<std::int64_t> axes, t.axes(1));
  return axes.front();
}

/// Lengths are an attribute up to op set 12, then an input. From 18 on the operator says the number of equal parts.
Outputs split_into(Translation& t, std::int64_t axis, const std::vector<std::int64_t>& lengths, std::size_t count) {
  AttributeMap attributes{{"axis", axis}};
  std::vector<Value> inputs{t.input(0)};
  if (!lengths.empty() && t.opset < 13) attributes.set("split", lengths);
  if (!lengths.empty() && t.opset >= 13) inputs.push_back(t.integers(lengths));
  if (lengths.empty() && t.opset >= 18) attributes.set("num_outputs", static_cast<std::int64_t>(count));
  return t.ops("Split", std::move(inputs), count, std::move(attributes));
}

Expected<Outputs> split_evenly(Translation& t) {
  MO_ASSIGN(const std::int64_t axis, split_axis(t));
  return split_into(t, axis, {}, static_cast<std::size_t>(t.node.as<ops::Split>()->num_splits));
}

Expected<Outputs> variadic_split(Translation& t) {
  MO_ASSIGN(const std::int64_t axis, split_axis(t));
  auto lengths = integers_of(t.node.input(2));
  if (!lengths) {
    if (t.opset < 13) return t.needs_opset(13);
    return t.ops("Split", {t.input(0), t.input_vector(2)}, t.node.out_port_count(), {{"axis", axis}});
  }
  const auto rest = std::find(lengths->begin(), lengths->end(), -1);
  if (rest != lengths->end()) {
    const PartialShape& shape = t.node.input_type(0).shape;
    std::int64_t others = 0;
    for (const std::int64_t length : *lengths) others += length == -1 ? 0 : length;
    const std::int64_t place = axis < 0 && shape.has_rank() ? axis + static_cast<std::int64_t>(shape.size()) : axis;
    if (shape.has_rank() && shape[static_cast<std::size_t>(place)].is_known()) {
      *rest = shape[static_cast<std::size_t>(place)].value() - others;
    } else {
      if (t.opset < 13) return t.needs_opset(13);
      const Value size = t.op("Gather", {t.op("Shape", {t.input(0)}), t.integers({axis})}, {{"axis", 0}});
      const Value left = t.op("Sub", {size, t.integers({others})});
      const auto before = std::vector<std::int64_t>(lengths->begin(), rest);
      const auto after = std::vector<std::int64_t>(rest + 1, lengths->end());
      const Value all = t.op("Concat", {t.integers(before), left, t.integers(after)}, {{"axis", 0}});
      return t.ops("Split", {t.input(0), all}, lengths->size(), {{"axis", axis}});
    }
  }
  return split_into(t, axis, *lengths, lengths->size());
}

/// Expand stretches in both directions; a target of the IR is never smaller in the modes numpy and explicit.
template <class Op>
Expected<Outputs> broadcast(Translation& t) {
  const auto& op = *t.node.as<Op>();
  using Mode = std::remove_cvref_t<decltype(op.mode)>;
  Value data = t.input(0);
  if (op.mode == Mode::pdpd) return t.refused("the mode pdpd");
  if (op.mode == Mode::explicit_) {
    const auto mapping = integers_of(t.node.input(2));
    const auto rank = t.node.output_type().rank();
    if (!mapping || !rank) return t.refused("the places of its dimensions are computed");
    std::vector<std::int64_t> missing;
    for (std::int64_t axis = 0; axis < static_cast<std::int64_t>(*rank); ++axis)
      if (std::find(mapping->begin(), mapping->end(), axis) == mapping->end()) missing.push_back(axis);
    if (!missing.empty()) data = t.with_axes("Unsqueeze", data, missing);
  }
  return Outputs{t.op("Expand", {data, t.input_vector(1)})};
}

/// The operator wants as many repeats as there are dimensions.
Expected<Outputs> tile(Translation& t) {
  MO_ASSIGN(const std::int64_t rank, t.rank());
  const PartialShape& repeats = t.node.input_type(1).shape;
  if (repeats.has_rank() && repeats.size() == 0) {
    if (rank != 1) return t.refused("one repeat for several dimensions");
    return Outputs{t.op("Tile", {t.input(0), t.input_vector(1)})};
  }
  if (!repeats.has_rank() || !repeats[0].is_known()) return t.refused("the number of repeats is unknown");
  const std::int64_t count = repeats[0].value();
  Value data = t.input(0);
  Value by = t.input_vector(1);
  if (count < rank)
    by = t.op("Concat", {t.integers(std::vector<std::int64_t>(static_cast<std::size_t>(rank - count), 1)), by},
              {{"axis", 0}});
  if (count > rank) {
    std::vector<std::int64_t> axes;
    for (std::int64_t axis = 0; axis < count - rank; ++axis) axes.push_back(axis);
    data = t.with_axes("Unsqueeze", data, axes);
  }
  return Outputs{t.op("Tile", {data, by})};
}

Expected<Outputs> convert_type(Translation& t) {
  const ElementType type = t.node.output_type().element_type;
  // Convert rounds to f16 before it rounds to 8 bits.
  const Value x = is_small_real(type) && t.node.input_type(0).element_type != ElementType::f16
                      ? t.cast(t.input(0), ElementType::f16)
                      : t.input(0);
  return Outputs{t.cast(x, type)};
}

/// Both in the type that inference has found.
Expected<Outputs> promote(Translation& t) {
  Outputs made;
  for (std::size_t i = 0; i < 2; ++i) {
    const Value typed = sizes::typed_input(t, i, t.node.output_type(i).element_type);
    made.push_back(typed == t.input(i) ? t.op("Identity", {typed}) : typed);
  }
  return made;
}

/// Of i16, i32, i64, f32, f64 scalars of one type. Computed bounds of i32 are i64 inside: ONNX Runtime 1.32 follows
/// sizes through Shape, Cast and Gather as i64, and refuses Range of i32 then ("must be of the same type").
template <class Op>
Expected<Outputs> range(Translation& t) {
  const ElementType wanted = t.node.output_type().element_type;
  bool is_computed = false;
  for (std::size_t i = 0; i < 3; ++i) is_computed = is_computed || !t.node.input(i).node().template is<Const>();
  const ElementType type = wanted == ElementType::i32 && is_computed ? ElementType::i64 : wanted;
  std::vector<Value> bounds;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto number = type == wanted ? std::nullopt : single_integer_of(t.node.input(i));
    Value bound = number ? t.scalar(type, *number) : t.input(i);
    if (!number && t.node.input_type(i).element_type != type) bound = t.cast(bound, type);
    if (!number && t.node.input_type(i).rank() != 0) bound = t.op("Reshape", {bound, t.integers({})});
    bounds.push_back(bound);
  }
  const Value numbers = t.op("Range", bounds);
  return Outputs{type == wanted ? numbers : t.cast(numbers, wanted)};
}

}  // namespace

void register_shapes(OnnxForms& table) {
  table.add<ops::v0::ShapeOf>(shape_of);
  table.add<ops::v3::ShapeOf>(shape_of);
  table.add<ops::Reshape>(reshape);
  table.add<ops::Squeeze>(squeeze<ops::Squeeze>);
  table.add<ops::v15::Squeeze>(squeeze15);
  table.add<ops::Unsqueeze>(unsqueeze);
  table.add<ops::Transpose>(transpose);
  table.add<ops::Concat>(concat);
  table.add<ops::Split>(split_evenly);
  table.add<ops::VariadicSplit>(variadic_split);
  table.add<ops::v1::Broadcast>(broadcast<ops::v1::Broadcast>);
  table.add<ops::v3::Broadcast>(broadcast<ops::v3::Broadcast>);
  table.add<ops::Tile>(tile);
  table.add<ops::Convert>(convert_type);
  table.add<ops::ConvertLike>(convert_type);
  table.add<ops::ConvertPromoteTypes>(promote);
  table.add<ops::v0::Range>(range<ops::v0::Range>);
  table.add<ops::v4::Range>(range<ops::v4::Range>);
}

}  // namespace mo::onnx_emitter
