#include <algorithm>

#include "core/graph/values.hpp"
#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/strided_slice.hpp"

namespace mo::transformations {

void register_useless_strided_slice_eraser(PassRegistry& passes) {
  const Pat slice = pattern::op<ops::StridedSlice>();
  passes.offer(rewrite("UselessStridedSliceEraser")
                   .described("StridedSlice(x)", "x", "it keeps the static shape; constant strides above 0")
                   .match(slice)
                   .replace([=](const Match& m, Rewriter&) -> Replacement {
                     const Node node = m.node(slice);
                     const auto shape = node.input_type(0).shape.to_shape();
                     if (!shape || node.output_type().shape.to_shape() != shape)
                       return declined("it changes the shape, or that is unknown");
                     if (node.input(3)) {
                       const auto strides = constant_integers_of(node.input(3));
                       if (!strides ||
                           std::any_of(strides->begin(), strides->end(), [](std::int64_t s) { return s < 0; }))
                         return declined("it may turn dimensions round");
                     }
                     return bypass(node, node.input(0));
                   }));
}

}  // namespace mo::transformations
