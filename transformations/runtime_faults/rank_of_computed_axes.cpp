#include <vector>

#include "ops/build/tensors.hpp"
#include "ops/comparison.hpp"
#include "ops/gather.hpp"
#include "ops/reshape.hpp"
#include "ops/scatter.hpp"
#include "ops/select.hpp"
#include "ops/squeeze.hpp"
#include "ops/top_k.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/reductions.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

constexpr std::int64_t kMostDimensions = 64;

/// How many axes a computed list has, where the rank of what they leave follows from it.
std::optional<std::int64_t> computed_axes(const Value& data, const Value& axes) {
  if (!axes || integers_of(axes) || !data.type().rank()) return std::nullopt;
  const auto count = axes.type().shape.element_count();
  return count && *count > 0 && *count + *data.type().rank() <= kMostDimensions ? count : std::nullopt;
}

/// The places of a list of `rank` elements that `axes` (`count` of them, of either sign) leave alone, in ascending
/// order: `rank - count` indices.
Value other_places(Rewriter& rw, const Value& axes, std::int64_t rank, std::int64_t count) {
  const Value list =
      rw.create(ops::Reshape{.special_zero = false}, build::as_type(rw, axes, ElementType::i64), rw.integers({count}));
  const Value is_negative = rw.create(ops::Less{}, list, rw.scalar<std::int64_t>(0));
  const Value places =
      rw.create(ops::Select{}, is_negative, rw.create(ops::Add{}, list, rw.scalar<std::int64_t>(rank)), list);
  const std::vector<float> ones(static_cast<std::size_t>(rank), 1.0F);
  const std::vector<float> zeros(static_cast<std::size_t>(count), 0.0F);
  const Value marks = rw.create(ops::v3::ScatterElementsUpdate{}, rw.constant(Tensor::vector(ones)), places,
                                rw.constant(Tensor::vector(zeros)), rw.scalar<std::int64_t>(0));
  ops::v3::TopK top_k;
  top_k.axis = 0;
  top_k.sort = ops::TopKSort::index;
  top_k.index_element_type = ElementType::i64;
  return rw.create_node(top_k, {marks, rw.scalar<std::int64_t>(rank - count)}).output(1);
}

/// `data` of a computed shape; of a constant where only one shape has as many elements, since IR version 10 takes no
/// dynamic ones.
Value reshaped(Rewriter& rw, const Value& data, const Value& shape) {
  const Value made = rw.create(ops::Reshape{.special_zero = false}, data, shape);
  const auto only = made.type().shape.to_shape();
  return only ? rw.create(ops::Reshape{.special_zero = false}, data, rw.integers(*only)) : made;
}

/// `data`, in which dimensions at `axes` are 1, without them.
Replacement without_axes(Rewriter& rw, const Value& data, const Value& axes, std::int64_t count) {
  const std::int64_t rank = *data.type().rank();
  if (count > rank) return Replacement::declined();
  if (count == rank) return rw.create(ops::Reshape{.special_zero = false}, data, rw.integers({}));
  const Value shape = rw.create(ops::ShapeOf{.output_type = ElementType::i64}, data);
  const Value kept =
      rw.create(ops::v1::Gather{}, shape, other_places(rw, axes, rank, count), rw.scalar<std::int64_t>(0));
  return reshaped(rw, data, kept);
}

Replacement squeeze(const Node& node, Rewriter& rw) {
  const auto count = node.in_port_count() > 1 ? computed_axes(node.input(0), node.input(1)) : std::nullopt;
  if (!count) return Replacement::declined();
  return without_axes(rw, node.input(0), node.input(1), *count);
}

Replacement unsqueeze(const Node& node, Rewriter& rw) {
  const Value data = node.input(0);
  const auto count = computed_axes(data, node.input(1));
  if (!count) return Replacement::declined();
  const std::int64_t rank = *data.type().rank() + *count;
  const Value ones = rw.integers(std::vector<std::int64_t>(static_cast<std::size_t>(rank), 1));
  if (rank == *count) return rw.create(ops::Reshape{.special_zero = false}, data, ones);
  const Value shape = rw.create(ops::ShapeOf{.output_type = ElementType::i64}, data);
  const Value target = rw.create(ops::v3::ScatterElementsUpdate{}, ones, other_places(rw, node.input(1), rank, *count),
                                 shape, rw.scalar<std::int64_t>(0));
  return reshaped(rw, data, target);
}

/// A reduction that keeps its dimensions has the rank of its input.
Replacement reduction(ops::ReduceKind kind, const Node& node, Rewriter& rw) {
  if (keeps_dimensions(kind, node)) return Replacement::declined();
  const auto count = computed_axes(node.input(0), node.input(1));
  if (!count || *count > *node.input_type(0).rank()) return Replacement::declined();
  return without_axes(rw, reduced_with_dimensions(rw, kind, node.input(0), node.input(1)), node.input(1), *count);
}

}  // namespace

void register_rank_of_computed_axes(PassRegistry& passes) {
  passes.add(with_all_reductions(
      avoid_fault("RankOfComputedAxes",
                  {.form = "Unsqueeze, Squeeze and reductions without keep_dims, with a known number of computed axes",
                   .symptom = "not compiled: the rank of the output is dynamic for the runtime",
                   .first = "2022.1",
                   .last = "latest",
                   .replacement = "Reshape to the sizes at the other places"})
          .add(lowering<ops::Squeeze>("Squeeze", squeeze))
          .add(lowering<ops::Unsqueeze>("Unsqueeze", unsqueeze)),
      reduction));
}

}  // namespace mo::transformations
