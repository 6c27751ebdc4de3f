#include <algorithm>

#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/gather.hpp"
#include "ops/gather_nd.hpp"
#include "ops/interpolate.hpp"
#include "ops/pad.hpp"
#include "ops/reshape.hpp"
#include "ops/roll.hpp"
#include "ops/tile.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

bool is_empty(const Node& node, std::size_t input) {
  return node.in_port_count() > input && node.input(input) && node.input_type(input).shape.element_count() == 0;
}

/// An op whose input 1 has no element -> its data: nothing is repeated, inserted, moved, padded.
Replacement data_of(const Node& node, Rewriter&) {
  if (!is_empty(node, 1)) return Replacement::declined();
  return node.input(0);
}

/// An empty order reverses the dimensions, of which there is at most one here.
Replacement data_of_transpose(const Node& node, Rewriter&) {
  const auto rank = node.input_type(0).rank();
  if (!rank || *rank > 1 || !is_empty(node, 1)) return Replacement::declined();
  return node.input(0);
}

template <OpLike Resize, std::size_t axes>
Replacement data_of_interpolate(const Node& node, Rewriter&) {
  const auto& op = *node.as<Resize>();
  const auto is_zero = [](std::int64_t pad) { return pad == 0; };
  if (!is_empty(node, axes) || !std::all_of(op.pads_begin.begin(), op.pads_begin.end(), is_zero) ||
      !std::all_of(op.pads_end.begin(), op.pads_end.end(), is_zero))
    return Replacement::declined();
  return node.input(0);
}

/// GatherND of indices without an element each -> Broadcast of the data to one copy for each of these indices. Without
/// batch dimensions.
template <OpLike Gather>
Replacement copies_of_data(const Node& node, Rewriter& rw) {
  const PartialShape& indices = node.input_type(1).shape;
  if (node.as<Gather>()->batch_dims != 0 || !indices.has_rank() || indices.size() == 0 ||
      indices[indices.size() - 1] != Dimension(0))
    return Replacement::declined();
  if (const auto shape = node.output_type().shape.to_shape())
    return rw.create(ops::Broadcast{}, node.input(0), rw.integers(*shape));
  std::vector<std::int64_t> places;
  for (std::size_t i = 0; i + 1 < indices.size(); ++i) places.push_back(static_cast<std::int64_t>(i));
  const Value counts = rw.create(ops::v1::Gather{}, rw.create(ops::ShapeOf{}, node.input(1)), rw.integers(places),
                                 rw.scalar<std::int64_t>(0));
  return rw.create(ops::Broadcast{}, node.input(0),
                   rw.create(ops::Concat{.axis = 0}, counts, rw.create(ops::ShapeOf{}, node.input(0))));
}

}  // namespace

void register_empty_shape_operands(PassRegistry& passes) {
  passes.add(
      avoid_fault("EmptyShapeOperands", {.form = "empty repeats, target shape, order, pads, axes or indices of Tile, "
                                                 "Broadcast, Transpose, Pad, Unsqueeze, Roll, "
                                                 "Interpolate, GatherND",
                                         .symptom = "uninitialised memory, or the model is not read or compiled",
                                         .first = "2021.4",
                                         .last = "latest",
                                         .replacement = "the data; Broadcast instead of GatherND"})
          .add(lowering<ops::Tile>("TileByNothing", data_of))
          .add(lowering<ops::v1::Broadcast>("Broadcast1ToScalar", data_of))
          .add(lowering<ops::v3::Broadcast>("Broadcast3ToScalar", data_of))
          .add(lowering<ops::v1::Pad>("Pad1OfScalar", data_of))
          .add(lowering<ops::v12::Pad>("Pad12OfScalar", data_of))
          .add(lowering<ops::Unsqueeze>("UnsqueezeNothing", data_of))
          .add(lowering<ops::Roll>("RollNothing", data_of))
          .add(lowering<ops::Transpose>("TransposeOfVector", data_of_transpose))
          .add(lowering<ops::v4::Interpolate>("Interpolate4OverNoAxes", data_of_interpolate<ops::v4::Interpolate, 3>))
          .add(
              lowering<ops::v11::Interpolate>("Interpolate11OverNoAxes", data_of_interpolate<ops::v11::Interpolate, 2>))
          .add(lowering<ops::v5::GatherND>("GatherND5OfWhole", copies_of_data<ops::v5::GatherND>))
          .add(lowering<ops::v8::GatherND>("GatherND8OfWhole", copies_of_data<ops::v8::GatherND>)));
}

}  // namespace mo::transformations
