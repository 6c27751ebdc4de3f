#include "transformations/runtime_faults/support/gathered_slice.hpp"

#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/build/non_negative.hpp"
#include "ops/comparison.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/select.hpp"
#include "ops/shape_of.hpp"
#include "ops/squeeze.hpp"

namespace mo::transformations {
namespace {

using Integers = std::vector<std::int64_t>;

bool is_set(const Integers& mask, std::size_t i) { return i < mask.size() && mask[i] != 0; }

/// The vector of one number that a Concat puts at place `i` of `bounds`; empty when they are not made so.
Value joined_element(const Value& bounds, std::size_t i) {
  const auto* concat = bounds.node().as<ops::Concat>();
  bool is_of_elements = concat && concat->axis == 0 && i < bounds.node().in_port_count();
  for (std::size_t k = 0; is_of_elements && k <= i; ++k)
    is_of_elements = bounds.node().input_type(k).shape.element_count() == 1;
  return is_of_elements ? bounds.node().input(i) : Value();
}

/// One number of the vector `bounds`, as a scalar.
Value element_of(Rewriter& rw, const Value& bounds, std::size_t i) {
  if (const Value element = joined_element(bounds, i)) return rw.fold(ops::Squeeze{}, element, rw.integers({0}));
  return rw.fold(ops::v1::Gather{}, bounds, rw.scalar(static_cast<std::int64_t>(i)), rw.scalar<std::int64_t>(0));
}

/// The numbers of `bounds` at `places`: a constant where those are known, whatever the others are.
Value elements_of(Rewriter& rw, const Value& bounds, const Integers& places) {
  Integers numbers;
  for (const std::int64_t place : places) {
    const Value element = joined_element(bounds, static_cast<std::size_t>(place));
    const auto number = element ? constant_integers_of(element) : std::nullopt;
    if (!number) return rw.fold(ops::v1::Gather{}, bounds, rw.integers(places), rw.scalar<std::int64_t>(0));
    numbers.push_back((*number)[0]);
  }
  return rw.fold(ops::Convert{.destination_type = bounds.type().element_type}, rw.integers(numbers));
}

/// `index` into dimension `axis` of `x`, counted from the front.
Value from_the_front(Rewriter& rw, const Value& index, const Value& x, std::int64_t axis) {
  if (build::is_not_negative(index)) return index;
  const ElementType type = index.type().element_type;
  const PartialShape& shape = x.type().shape;
  Value size;
  if (const auto place = static_cast<std::size_t>(axis);
      shape.has_rank() && place < shape.size() && shape[place].is_known())
    size = rw.scalar_like(index, static_cast<double>(shape[place].value()));
  else
    size = rw.create(ops::v1::Gather{}, rw.create(ops::ShapeOf{.output_type = type}, x), rw.scalar(axis),
                     rw.scalar<std::int64_t>(0));
  const Value is_negative = rw.fold(ops::Less{}, index, rw.scalar_like(index, 0));
  return rw.fold(ops::Select{}, is_negative, rw.fold(ops::Add{}, index, size), index);
}

/// What one element of the bounds of a StridedSlice does.
struct Step {
  bool takes_one = false;  ///< shrink: the element at begin, without the dimension
  bool keeps_all = false;  ///< the whole dimension, or those of the ellipsis
  std::int64_t axis = 0;   ///< of the data
};

/// Empty when the axes are unknown.
std::vector<Step> steps_of(const Node& node, const ops::StridedSlice& op, std::size_t count) {
  const auto strides =
      node.in_port_count() > 3 && node.input(3) ? integers_of(node.input(3)) : std::optional(Integers(count, 1));
  const auto rank = node.input_type(0).rank();
  std::int64_t taken = 0;  // dimensions that the elements other than the ellipsis stand for
  for (std::size_t i = 0; i < count; ++i) taken += is_set(op.ellipsis_mask, i) || is_set(op.new_axis_mask, i) ? 0 : 1;
  std::vector<Step> steps;
  std::int64_t axis = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Step step{.axis = axis};
    if (is_set(op.ellipsis_mask, i)) {
      if (!rank) return {};
      step.keeps_all = true;
      axis += *rank - taken;
    } else if (!is_set(op.new_axis_mask, i)) {
      step.takes_one = is_set(op.shrink_axis_mask, i);
      if (step.takes_one && is_set(op.begin_mask, i)) return {};
      step.keeps_all =
          !step.takes_one && is_set(op.begin_mask, i) && is_set(op.end_mask, i) && strides && (*strides)[i] == 1;
      ++axis;
    }
    steps.push_back(step);
  }
  return steps;
}

}  // namespace

bool drops_dimensions(const ops::StridedSlice& op) {
  return std::any_of(op.shrink_axis_mask.begin(), op.shrink_axis_mask.end(), [](std::int64_t m) { return m != 0; });
}

Value as_gathers(const Node& node, Rewriter& rw) {
  ops::StridedSlice op = *node.as<ops::StridedSlice>();
  const auto count = node.input_type(1).shape.element_count();
  const std::vector<Step> steps = count ? steps_of(node, op, static_cast<std::size_t>(*count)) : std::vector<Step>();
  if (steps.empty()) return {};
  Value x = node.input(0);
  for (std::size_t i = steps.size(); i-- > 0;) {
    if (!steps[i].takes_one) continue;
    const Value index = from_the_front(rw, element_of(rw, node.input(1), i), x, steps[i].axis);
    x = rw.create(ops::v1::Gather{}, x, index, rw.scalar(steps[i].axis));
  }
  Integers rest;
  bool is_whole = true;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].takes_one) continue;
    rest.push_back(static_cast<std::int64_t>(i));
    is_whole = is_whole && steps[i].keeps_all;
  }
  if (is_whole) return x;
  for (Integers* mask : {&op.begin_mask, &op.end_mask, &op.new_axis_mask, &op.shrink_axis_mask, &op.ellipsis_mask}) {
    if (mask->empty()) continue;
    Integers kept;
    for (const std::int64_t i : rest) kept.push_back(is_set(*mask, static_cast<std::size_t>(i)) ? 1 : 0);
    *mask = std::move(kept);
  }
  std::vector<Value> inputs = {x};
  for (std::size_t i = 1; i < node.in_port_count(); ++i) inputs.push_back(elements_of(rw, node.input(i), rest));
  return rw.create(std::move(op), inputs);
}

}  // namespace mo::transformations
