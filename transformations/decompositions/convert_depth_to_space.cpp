#include "core/registry/pass_registry.hpp"
#include "ops/depth_to_space.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

/// In three steps: the channels as blocks and what is left of them, each block dimension after its spatial one, both as
/// one.
void register_convert_depth_to_space(PassRegistry& passes) {
  passes.offer(rewrite("ConvertDepthToSpace")
                   .described("DepthToSpace(x)", "Reshape(Transpose(Reshape(x)))", "the shape is known")
                   .match(pattern::op<ops::DepthToSpace>())
                   .replace(of_op<ops::DepthToSpace>(
                       [](const Node& node, const ops::DepthToSpace& op, Rewriter& rw) -> Replacement {
                         const auto from = node.input_type(0).shape.to_shape();
                         const auto to = node.output_type().shape.to_shape();
                         if (!from || !to || from->size() < 3) return declined("the shape is unknown");
                         const auto spatial = static_cast<std::int64_t>(from->size()) - 2;
                         const bool blocks_first = op.mode == ops::DepthMode::blocks_first;
                         std::vector<std::int64_t> parts(static_cast<std::size_t>(spatial), op.block_size);
                         parts.insert(blocks_first ? parts.end() : parts.begin(), (*to)[1]);
                         parts.insert(parts.begin(), (*from)[0]);
                         parts.insert(parts.end(), from->begin() + 2, from->end());
                         std::vector<std::int64_t> order{0, blocks_first ? spatial + 1 : 1};
                         for (std::int64_t i = 0; i < spatial; ++i) {
                           order.push_back(spatial + 2 + i);
                           order.push_back(blocks_first ? 1 + i : 2 + i);
                         }
                         if (element_count(*from) == 0) return declined("there are no elements");
                         const auto reshaped = [&](const Value& x, const Shape& shape) {
                           return reshaped_to(rw, x, shape, /*special_zero=*/true);
                         };
                         return reshaped(transposed_by(rw, reshaped(node.input(0), parts), order), *to);
                       })));
}

}  // namespace mo::transformations
