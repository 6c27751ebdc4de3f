#include "core/graph/values.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/broadcast.hpp"
#include "ops/tile.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {
namespace {

using Mode = ops::v1::BroadcastMode;

/// The shape of the data in the dimensions of the result; nothing when the mode does not say it, or the axes do not
/// fit.
std::optional<Shape> aligned_shape(const Node& broadcast, Mode mode, const Shape& data, std::size_t rank) {
  if (data.size() > rank) return std::nullopt;
  Shape aligned(rank, 1);
  if (mode == Mode::numpy) {
    std::copy(data.begin(), data.end(), aligned.end() - static_cast<std::ptrdiff_t>(data.size()));
    return aligned;
  }
  const auto axes = constant_integers_of(broadcast.input(2));
  if (mode == Mode::pdpd || !axes || axes->size() != data.size()) return std::nullopt;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if ((*axes)[i] < 0 || (*axes)[i] >= static_cast<std::int64_t>(rank)) return std::nullopt;
    aligned[static_cast<std::size_t>((*axes)[i])] = data[i];
  }
  return aligned;
}

}  // namespace

void register_convert_broadcast_to_tiles(PassRegistry& passes) {
  passes.offer(rewrite("ConvertBroadcastToTiles")
                   .described("Broadcast.v1(x, shape, axes)",
                              "Tile(x, repeats), after a Reshape where dimensions are missing",
                              "shape and axes are constants, the shape of x is known, and the mode is not pdpd")
                   .match(pattern::op<ops::v1::Broadcast>())
                   .replace(of_op<ops::v1::Broadcast>(
                       [](const Node& node, const ops::v1::Broadcast& op, Rewriter& rw) -> Replacement {
                         const auto data = node.input_type(0).shape.to_shape();
                         const auto target = constant_integers_of(node.input(1));
                         if (!data || !target) return declined("a shape is unknown");
                         const bool given_as_is =
                             data->size() == target->size() && op.mode != Mode::explicit_ && op.mode != Mode::none;
                         const auto shape = given_as_is ? data : aligned_shape(node, op.mode, *data, target->size());
                         if (!shape) return declined("the dimensions cannot be inferred");
                         std::vector<std::int64_t> repeats(shape->size(), 1);
                         for (std::size_t i = 0; i < shape->size(); ++i) {
                           if ((*shape)[i] == (*target)[i]) continue;
                           if ((*shape)[i] != 1) return declined("a dimension is neither 1 nor that of the result");
                           repeats[i] = (*target)[i];
                         }
                         const Value x = *shape == *data ? node.input(0) : reshaped_to(rw, node.input(0), *shape);
                         return rw.create(ops::Tile{}, x, rw.integers(repeats));
                       })));
}

}  // namespace mo::transformations
