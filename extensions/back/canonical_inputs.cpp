#include <algorithm>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "extensions/back/lowering.hpp"
#include "ops/cum_sum.hpp"
#include "ops/einsum.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/gather_elements.hpp"
#include "ops/interpolate.hpp"
#include "ops/pad.hpp"
#include "ops/reshape.hpp"
#include "ops/scatter.hpp"
#include "ops/shape_of.hpp"
#include "ops/squeeze.hpp"
#include "ops/support/einsum_equation.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::back {
namespace {

using Numbers = std::vector<std::int64_t>;

std::vector<Value> inputs_of(const Node& node) {
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
  return inputs;
}

/// Masks with one number for each bound: runtimes refuse lists of different lengths, although missing numbers could only mean 0.
Replacement strided_slice(const Node& node, Rewriter& rw) {
  auto op = *node.as<ops::StridedSlice>();
  std::size_t count = 0;
  Numbers* const masks[] = {&op.begin_mask, &op.end_mask, &op.new_axis_mask, &op.shrink_axis_mask, &op.ellipsis_mask};
  if (const PartialShape& shape = node.input_type(1).shape; shape.has_rank() && shape.size() == 1 && shape[0].is_known())
    count = static_cast<std::size_t>(shape[0].value());
  else
    for (const Numbers* mask : masks) count = std::max(count, mask->size());
  if (std::all_of(std::begin(masks), std::end(masks), [&](const Numbers* mask) { return mask->size() == count; })) return Replacement::declined();
  for (Numbers* mask : masks) mask->resize(count, 0);
  return rw.create(std::move(op), inputs_of(node));
}

/// CumSum(x) -> CumSum(x, 0): the runtimes' classes always read the axis.
Replacement cum_sum(const Node& node, Rewriter& rw) {
  if (node.in_port_count() > 1 && node.input(1)) return Replacement::declined();
  return rw.create(*node.as<ops::CumSum>(), node.input(0), rw.scalar<std::int64_t>(0));
}

/// "bij, bjk" -> "bij,bjk->bik": runtimes know no blanks, and 2022.1 has its own idea of what the implicit output is.
Replacement einsum(const Node& node, Rewriter& rw) {
  const std::string& equation = node.as<ops::Einsum>()->equation;
  MO_ASSIGN(const ops::EinsumEquation parsed, ops::parse_einsum(equation));
  std::string text;
  for (std::size_t i = 0; i < parsed.inputs.size(); ++i) text += (i == 0 ? "" : ",") + ops::label_text(parsed.inputs[i]);
  text += "->" + ops::label_text(parsed.output);
  if (text == equation) return Replacement::declined();
  return rw.create(ops::Einsum{.equation = std::move(text)}, inputs_of(node));
}

/// Axes as a list also where there is just one: a scalar is refused as soon as a runtime folds what follows.
template <class T>
Replacement listed_axes(const Node& node, Rewriter& rw) {
  if (node.in_port_count() < 2 || !node.input(1) || node.input_type(1).rank() != 0) return Replacement::declined();
  const Value axes = rw.fold(ops::Reshape{.special_zero = false}, node.input(1), rw.integers({1}));
  return rw.create(*node.as<T>(), node.input(0), axes);
}

/// linear_onnx interpolates between the neighbours along the last two axes (three of 5-D data), or along all axes: elsewhere (images that stay
/// channels-last) runtimes refuse it. linear gives the same numbers without antialiasing, which linear_onnx does not have.
Replacement interpolate(const Node& node, Rewriter& rw) {
  auto op = *node.as<ops::v4::Interpolate>();
  const auto rank = node.input_type(0).rank();
  if (op.mode != ops::v4::InterpolateMode::linear_onnx || !rank || node.in_port_count() < 4 || !node.input(3)) return Replacement::declined();
  auto axes = integers_of(node.input(3));
  if (!axes) return Replacement::declined();
  for (std::int64_t& axis : *axes) axis = normalize_axis(axis, *rank).value_or(axis);
  std::sort(axes->begin(), axes->end());
  const auto count = static_cast<std::int64_t>(axes->size());
  const bool all = count == *rank;
  const bool spatial = *rank >= 4 && count == *rank - 2 && axes->front() == 2 && axes->back() == *rank - 1;
  if (all || spatial) return Replacement::declined();
  op.mode = ops::v4::InterpolateMode::linear;
  op.antialias = false;
  return rw.create(std::move(op), inputs_of(node));
}

/// Constant indices that count from the back -> the same from the front, by the length that the dimension has when the model runs; nothing when
/// none does.
Value from_the_front(Rewriter& rw, const Value& indices, const Value& data, std::optional<std::int64_t> axis) {
  const auto numbers = integers_of(indices, std::int64_t{1} << 17);
  const auto rank = data.type().rank();
  const auto place = axis && rank ? normalize_axis(*axis, *rank) : std::nullopt;
  if (!place || !numbers || none_negative(numbers) || !indices.node().is<Const>()) return {};
  Numbers counts_back;
  for (const std::int64_t number : *numbers) counts_back.push_back(number < 0 ? 1 : 0);
  const ElementType type = indices.type().element_type;
  auto from_back = from_integers(type, *indices.type().shape.to_shape(), counts_back);
  if (!from_back) return {};
  const Value lengths = rw.fold(ops::ShapeOf{.output_type = type}, data);
  const Value length = rw.fold(ops::v1::Gather{}, lengths, rw.scalar<std::int64_t>(*place), rw.scalar<std::int64_t>(0));
  return rw.fold(ops::Add{}, indices, rw.fold(ops::Multiply{}, rw.constant(*std::move(from_back)), length));
}

/// IR opset6: indices of GatherElements are not negative; ONNX GatherElements-11 allows them.
Replacement gather_elements(const Node& node, Rewriter& rw) {
  const Value indices = from_the_front(rw, node.input(1), node.input(0), node.as<ops::GatherElements>()->axis);
  if (!indices) return Replacement::declined();
  return rw.create(*node.as<ops::GatherElements>(), node.input(0), indices);
}

/// The same of ScatterElementsUpdate, whose class of opset3 all versions of the IR have.
Replacement scatter_elements(const Node& node, Rewriter& rw) {
  const auto axis = integers_of(node.input(3));
  const Value indices = from_the_front(rw, node.input(1), node.input(0), axis && axis->size() == 1 ? std::optional(axis->front()) : std::nullopt);
  if (!indices) return Replacement::declined();
  return rw.create(*node.as<ops::v3::ScatterElementsUpdate>(), node.input(0), indices, node.input(2), node.input(3));
}

/// Runtimes want every dimension from axis 2 on to be 2 or more for a reflection, padded or not: dimensions of 1 that are not padded step aside.
Replacement reflect_pad(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::v1::Pad>();
  const PartialShape& shape = node.input_type(0).shape;
  const auto begin = integers_of(node.input(1));
  const auto end = integers_of(node.input(2));
  if (op.pad_mode != ops::PadMode::reflect || !shape.has_rank() || !begin || !end) return Replacement::declined();
  if (begin->size() != shape.size() || end->size() != shape.size()) return Replacement::declined();
  Numbers gone;
  Numbers begins;
  Numbers ends;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i >= 2 && shape[i] == Dimension(1) && (*begin)[i] == 0 && (*end)[i] == 0) {
      gone.push_back(static_cast<std::int64_t>(i));
      continue;
    }
    begins.push_back((*begin)[i]);
    ends.push_back((*end)[i]);
  }
  if (gone.empty()) return Replacement::declined();
  const Value axes = rw.integers(gone);
  const Value squeezed = rw.create(ops::Squeeze{}, node.input(0), axes);
  return rw.create(ops::Unsqueeze{}, rw.create(op, squeezed, rw.integers(begins), rw.integers(ends)), axes);
}

}  // namespace

/// Forms of inputs and attributes that the runtimes insist on, where an op's definition would allow others as well.
void register_canonical_inputs(PassRegistry& passes) {
  passes.add(graph_rewrite("CanonicalInputs")
                 .phase(Phase::back)
                 .run_after({"LowerOpSets"})
                 .add(lowering<ops::StridedSlice>("StridedSlice", strided_slice))
                 .add(lowering<ops::CumSum>("CumSum", cum_sum))
                 .add(lowering<ops::Einsum>("Einsum", einsum))
                 .add(lowering<ops::v4::Interpolate>("Interpolate", interpolate))
                 .add(lowering<ops::Unsqueeze>("Unsqueeze", listed_axes<ops::Unsqueeze>))
                 .add(lowering<ops::Squeeze>("Squeeze", listed_axes<ops::Squeeze>))
                 .add(lowering<ops::GatherElements>("GatherElements", gather_elements))
                 .add(lowering<ops::v3::ScatterElementsUpdate>("ScatterElementsUpdate", scatter_elements))
                 .add(lowering<ops::v1::Pad>("Pad", reflect_pad)));
}

}  // namespace mo::back
