#include <algorithm>

#include "ops/build/tensors.hpp"
#include "ops/comparison.hpp"
#include "ops/gather.hpp"
#include "ops/select.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/reductions.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// The dimensions along which `node` reduces and which may be empty; all that may be, where the axes are computed.
/// Nothing if the rank is unknown.
std::optional<std::vector<std::int64_t>> perhaps_empty_dimensions(const Node& node) {
  const PartialShape& shape = node.input_type(0).shape;
  if (!shape.has_rank()) return std::nullopt;
  const auto axes = integers_of(node.input(1));
  std::vector<std::int64_t> places;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto is_here = [&](std::int64_t axis) {
      return normalize_axis(axis, static_cast<std::int64_t>(shape.size())) == static_cast<std::int64_t>(i);
    };
    if (shape[i].min() == 0 && (!axes || std::any_of(axes->begin(), axes->end(), is_here)))
      places.push_back(static_cast<std::int64_t>(i));
  }
  return places;
}

/// The smallest of the sizes of `data` at `places`, a scalar.
Value smallest_size(Rewriter& rw, const Value& data, const std::vector<std::int64_t>& places) {
  const Value shape = build::shape_of(rw, data);
  const Value zero = rw.scalar<std::int64_t>(0);
  if (places.size() == 1) return rw.create(ops::v1::Gather{}, shape, rw.scalar(places.front()), zero);
  return rw.create(ops::ReduceMin{}, rw.create(ops::v1::Gather{}, shape, rw.integers(places), zero), rw.integers({0}));
}

/// Select(smallest size of the data == 0, number, reduction): what this pass makes.
bool is_selected(const Node& reduction, const Node& select) {
  if (!select.is<ops::Select>() || select.input(2).node() != reduction) return false;
  const Node is_empty = select.input(0).node();
  if (!is_empty.is<ops::Equal>() || single_integer_of(is_empty.input(1)) != 0) return false;
  Node size = is_empty.input(0).node();
  if (size.is<ops::ReduceMin>()) size = size.input(0).node();
  if (!size.is<ops::v1::Gather>()) return false;
  const Node shape = size.input(0).node();
  return shape.is<ops::ShapeOf>() && shape.input(0) == reduction.input(0);
}

/// reduce(x, axes) -> select(x has an empty dimension, what the reduction of no elements is, reduce(x, axes))
Replacement unless_empty(ops::ReduceKind kind, const Node& node, Rewriter& rw) {
  const Value data = node.input(0);
  const auto places = perhaps_empty_dimensions(node);
  if (!places) return declined("the rank is unknown");
  if (places->empty() || has_no_elements(data.type().shape)) return declined("it is known whether it reduces elements");
  if (!has_neutral_number(kind, data.type().element_type)) return declined("integers have no infinity");
  const auto readers = node.output().get_destinations();
  if (std::all_of(readers.begin(), readers.end(),
                  [&](const InPort& reader) { return is_selected(node, reader.node()); }))
    return declined("its output is selected already");
  const Value is_empty = rw.create(ops::Equal{}, smallest_size(rw, data, *places), rw.scalar<std::int64_t>(0));
  const Value reduced = rw.copy_with_new_inputs(node, {data, node.input(1)}).output();
  return rw.create(ops::Select{}, is_empty, rw.scalar_like(data, neutral_number(kind)), reduced);
}

}  // namespace

void register_reductions_of_unknown_sizes(PassRegistry& passes) {
  passes.add(with_all_reductions(
      avoid_fault(
          "ReductionsOfUnknownSizes",
          {.form = "reduction along dimensions that may be empty when the model runs",
           .symptom = "of no elements: what was in memory",
           .first = "2022.1",
           .last = "2023.3",
           .replacement = "Select(a dimension is empty, the number that the reduction of nothing is, reduction)"}),
      unless_empty));
}

}  // namespace mo::transformations
