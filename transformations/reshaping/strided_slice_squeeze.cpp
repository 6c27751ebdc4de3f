#include "core/graph/values.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/squeeze.hpp"
#include "transformations/reshaping/support/masked_slice.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {

void register_strided_slice_squeeze(PassRegistry& passes) {
  using namespace pattern;
  const Pat slice = op<ops::StridedSlice>().one_use();
  const Pat axes = constant();
  passes.offer(rewrite("StridedSliceSqueeze")
                   .described("Squeeze(StridedSlice(x), axes)",
                              "StridedSlice(x) that takes one element of these axes and drops them",
                              "constant bounds and axes; one reader of the slice, which has no such masks yet")
                   .match(op<ops::Squeeze>(slice, axes))
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.node(slice);
                     auto parts = masked_slice(node);
                     const auto rank = m[slice].type().rank();
                     const auto places = rank ? known_axes(m[axes], *rank) : std::nullopt;
                     if (!parts || !places || places->empty())
                       return declined("bounds or axes are unknown, or it adds or drops dimensions already");
                     for (const std::int64_t axis : *places) parts->shrink(static_cast<std::size_t>(axis));
                     return parts->create(rw, node.input(0));
                   }));
}

}  // namespace mo::transformations
