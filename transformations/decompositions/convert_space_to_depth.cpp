#include "core/registry/pass_registry.hpp"
#include "ops/space_to_depth.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

/// In three steps: each spatial dimension as blocks and places inside of one, the places beside the channels, all of
/// those as channels.
void register_convert_space_to_depth(PassRegistry& passes) {
  passes.offer(rewrite("ConvertSpaceToDepth")
                   .described("SpaceToDepth(x)", "Reshape(Transpose(Reshape(x)))", "the shape is known")
                   .match(pattern::op<ops::SpaceToDepth>())
                   .replace(of_op<ops::SpaceToDepth>(
                       [](const Node& node, const ops::SpaceToDepth& op, Rewriter& rw) -> Replacement {
                         const auto from = node.input_type(0).shape.to_shape();
                         const auto to = node.output_type().shape.to_shape();
                         if (!from || !to || from->size() < 3) return declined("the shape is unknown");
                         std::vector<std::int64_t> parts{(*from)[0], (*from)[1]};
                         std::vector<std::int64_t> places;
                         std::vector<std::int64_t> blocks;
                         for (std::size_t i = 2; i < from->size(); ++i) {
                           blocks.push_back(static_cast<std::int64_t>(parts.size()));
                           places.push_back(static_cast<std::int64_t>(parts.size()) + 1);
                           parts.insert(parts.end(), {(*to)[i], op.block_size});
                         }
                         std::vector<std::int64_t> order{0};
                         order.insert(order.end(), places.begin(), places.end());
                         order.insert(op.mode == ops::DepthMode::blocks_first ? order.end() : order.begin() + 1, 1);
                         order.insert(order.end(), blocks.begin(), blocks.end());
                         if (element_count(*from) == 0) return declined("there are no elements");
                         const auto reshaped = [&](const Value& x, const Shape& shape) {
                           return reshaped_to(rw, x, shape, /*special_zero=*/true);
                         };
                         return reshaped(transposed_by(rw, reshaped(node.input(0), parts), order), *to);
                       })));
}

}  // namespace mo::transformations
