#include "core/graph/values.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/broadcast.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/logical.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {
namespace {

using Mode = ops::v3::BroadcastMode;

/// opset1 always has a third input; where axes mean nothing it is this one.
Value no_axes(Rewriter& rw) { return rw.scalar<std::uint8_t>(0); }

/// The shape of the result of a bidirectional broadcast; nothing when a dimension depends on the data.
std::optional<std::vector<std::int64_t>> common_shape(const PartialShape& data,
                                                      const std::vector<std::int64_t>& target) {
  if (!data.has_rank()) return std::nullopt;
  std::vector<std::int64_t> shape(std::max(data.size(), target.size()), 1);
  for (std::size_t i = 0; i < shape.size(); ++i) {  // from the last dimension to the first
    std::int64_t& made = shape[shape.size() - 1 - i];
    if (i < target.size()) made = target[target.size() - 1 - i];
    if (made != 1 || i >= data.size()) continue;
    const Dimension& own = data[data.size() - 1 - i];
    if (!own.is_known()) return std::nullopt;
    made = own.value();
  }
  return shape;
}

/// By the neutral element of an operation that broadcasts in both directions.
Replacement bidirectional(const Node& node, Rewriter& rw) {
  const TensorType& data = node.input_type(0);
  if (const auto target = constant_integers_of(node.input(1)))
    if (const auto shape = common_shape(data.shape, *target))
      return rw.create(ops::v1::Broadcast{}, node.input(0), rw.integers(*shape), no_axes(rw));
  auto tensor = from_integers(data.element_type, {1}, {1});
  if (!tensor) return declined("the type has no number 1");
  const Value ones = rw.fold(ops::v1::Broadcast{}, rw.constant(*std::move(tensor)), node.input(1), no_axes(rw));
  if (data.element_type == ElementType::boolean) return rw.create(ops::LogicalAnd{}, node.input(0), ones);
  return rw.create(ops::Multiply{}, node.input(0), ones);
}

}  // namespace

void register_convert_broadcast3(PassRegistry& passes) {
  passes.offer(rewrite("ConvertBroadcast3")
                   .described("Broadcast.v3(x, shape)",
                              "Broadcast.v1(x, shape, axes); bidirectional: Broadcast.v1 to the common shape where it "
                              "is known, otherwise "
                              "x * Broadcast.v1(1, shape), LogicalAnd for booleans")
                   .match(pattern::op<ops::v3::Broadcast>())
                   .replace(of_op<ops::v3::Broadcast>(
                       [](const Node& node, const ops::v3::Broadcast& op, Rewriter& rw) -> Replacement {
                         if (op.mode == Mode::bidirectional) return bidirectional(node, rw);
                         ops::v1::Broadcast older;
                         Value axes = no_axes(rw);
                         if (op.mode == Mode::explicit_ || op.mode == Mode::none) {
                           older.mode = ops::v1::BroadcastMode::explicit_;
                           axes = node.input(2);
                           if (!axes) return declined("there are no axes");
                         } else if (op.mode == Mode::pdpd) {
                           older.mode = ops::v1::BroadcastMode::pdpd;
                           older.axis = op.axis;
                         }
                         return rw.create(older, node.input(0), node.input(1), axes);
                       })));
}

}  // namespace mo::transformations
