#include <algorithm>
#include <numeric>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "ops/cum_sum.hpp"
#include "ops/einsum.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/gather_elements.hpp"
#include "ops/interpolate.hpp"
#include "ops/pad.hpp"
#include "ops/reshape.hpp"
#include "ops/roi_pooling.hpp"
#include "ops/scatter.hpp"
#include "ops/shape_of.hpp"
#include "ops/squeeze.hpp"
#include "ops/support/einsum_equation.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/op_versions/older_classes.hpp"

namespace mo::transformations {
namespace {

using Numbers = std::vector<std::int64_t>;

/// Where an ellipsis stands that covers no dimension: the runtimes count it against the rank.
std::optional<std::int64_t> empty_ellipsis(const ops::StridedSlice& op, const Node& node) {
  const auto place = std::find(op.ellipsis_mask.begin(), op.ellipsis_mask.end(), 1);
  const auto rank = node.input_type(0).rank();
  const auto length = node.input_type(1).shape.element_count();
  if (place == op.ellipsis_mask.end() || !rank || !length) return std::nullopt;
  const std::int64_t inserted = std::count(op.new_axis_mask.begin(), op.new_axis_mask.end(), 1);
  if (*length - 1 - inserted < *rank) return std::nullopt;
  return place - op.ellipsis_mask.begin();
}

/// A StridedSlice without the bound at `place`.
Replacement without_bound(const Node& node, std::int64_t place, Rewriter& rw) {
  auto op = *node.as<ops::StridedSlice>();
  for (Numbers* mask : {&op.begin_mask, &op.end_mask, &op.new_axis_mask, &op.shrink_axis_mask, &op.ellipsis_mask})
    if (place < static_cast<std::int64_t>(mask->size())) mask->erase(mask->begin() + place);
  std::vector<Value> inputs = inputs_of(node);
  Numbers others(static_cast<std::size_t>(*node.input_type(1).shape.element_count()));
  std::iota(others.begin(), others.end(), 0);
  others.erase(others.begin() + place);
  for (std::size_t i = 1; i < inputs.size(); ++i)
    inputs[i] = rw.fold(ops::v1::Gather{}, inputs[i], rw.integers(others), rw.scalar<std::int64_t>(0));
  return rw.create(std::move(op), inputs);
}

/// Masks with one number for each bound: runtimes refuse lists of different lengths, although missing numbers could
/// only mean 0.
Replacement strided_slice(const Node& node, Rewriter& rw) {
  auto op = *node.as<ops::StridedSlice>();
  if (const auto place = empty_ellipsis(op, node)) return without_bound(node, *place, rw);
  std::size_t count = 0;
  Numbers* const masks[] = {&op.begin_mask, &op.end_mask, &op.new_axis_mask, &op.shrink_axis_mask, &op.ellipsis_mask};
  if (const PartialShape& shape = node.input_type(1).shape;
      shape.has_rank() && shape.size() == 1 && shape[0].is_known())
    count = static_cast<std::size_t>(shape[0].value());
  else
    for (const Numbers* mask : masks) count = std::max(count, mask->size());
  if (std::all_of(std::begin(masks), std::end(masks), [&](const Numbers* mask) { return mask->size() == count; }))
    return Replacement::declined();
  for (Numbers* mask : masks) mask->resize(count, 0);
  return rw.create(std::move(op), inputs_of(node));
}

/// CumSum(x) -> CumSum(x, 0): the runtimes' classes always read the axis.
Replacement cum_sum(const Node& node, Rewriter& rw) {
  if (node.in_port_count() > 1 && node.input(1)) return Replacement::declined();
  return rw.create(*node.as<ops::CumSum>(), node.input(0), rw.scalar<std::int64_t>(0));
}

/// "..." where it stands for no dimension: the runtimes count it against the rank.
void drop_empty_ellipses(const Node& node, ops::EinsumEquation& equation) {
  bool left = false;
  const bool in_output =
      std::find(equation.output.begin(), equation.output.end(), ops::kEllipsis) != equation.output.end();
  for (std::size_t i = 0; i < equation.inputs.size(); ++i) {
    ops::EinsumLabels& labels = equation.inputs[i];
    const auto rank = node.input_type(i).rank();
    const bool covers_none = rank && static_cast<std::int64_t>(labels.size()) == *rank + 1;
    if (covers_none || !in_output) std::erase(labels, ops::kEllipsis);
    left = left || std::find(labels.begin(), labels.end(), ops::kEllipsis) != labels.end();
  }
  if (!left) std::erase(equation.output, ops::kEllipsis);
}

/// "bij, bjk" -> "bij,bjk->bik": runtimes know no blanks, and 2022.1 has its own idea of what the implicit output is.
Replacement einsum(const Node& node, Rewriter& rw) {
  const std::string& equation = node.as<ops::Einsum>()->equation;
  MO_ASSIGN(ops::EinsumEquation parsed, ops::parse_einsum(equation));
  drop_empty_ellipses(node, parsed);
  std::string text;
  for (std::size_t i = 0; i < parsed.inputs.size(); ++i)
    text += (i == 0 ? "" : ",") + ops::label_text(parsed.inputs[i]);
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

/// linear_onnx interpolates between the neighbours along the last two axes (three of 5-D data), or along all axes:
/// elsewhere (images that stay channels-last) runtimes refuse it. linear gives the same numbers without antialiasing,
/// which linear_onnx does not have.
Replacement interpolate(const Node& node, Rewriter& rw) {
  auto op = *node.as<ops::v4::Interpolate>();
  const auto rank = node.input_type(0).rank();
  if (op.mode != ops::v4::InterpolateMode::linear_onnx || !rank || node.in_port_count() < 4 || !node.input(3))
    return Replacement::declined();
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

/// Constant indices that count from the back -> the same from the front, by the length that the dimension has when the
/// model runs; nothing when none does.
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
  const Value indices = from_the_front(rw, node.input(1), node.input(0),
                                       axis && axis->size() == 1 ? std::optional(axis->front()) : std::nullopt);
  if (!indices) return Replacement::declined();
  return rw.create(*node.as<ops::v3::ScatterElementsUpdate>(), node.input(0), indices, node.input(2), node.input(3));
}

/// Runtimes want every dimension from axis 2 on to be 2 or more for a reflection, padded or not: dimensions of 1 that
/// are not padded step aside.
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

/// The sizes that files of later releases give as a list.
Replacement roi_pooling(const Node& node, Rewriter& rw) {
  auto op = *node.as<ops::ROIPooling>();
  if (op.pooled_h != 0 || op.pooled_w != 0 || op.output_size.size() != 2) return Replacement::declined();
  op.pooled_h = op.output_size[0];
  op.pooled_w = op.output_size[1];
  op.output_size.clear();
  return rw.create(std::move(op), node.input(0), node.input(1));
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
                 .add(lowering<ops::v1::Pad>("Pad", reflect_pad))
                 .add(lowering<ops::ROIPooling>("ROIPooling", roi_pooling)));
}

}  // namespace mo::transformations
