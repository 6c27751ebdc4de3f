#include "core/graph/values.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/squeeze.hpp"
#include "transformations/reshaping/support/masked_slice.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

void insert_at(std::vector<std::int64_t>& numbers, std::size_t place, std::int64_t number) {
  numbers.insert(numbers.begin() + static_cast<std::ptrdiff_t>(place), number);
}

/// A dimension of size 1 before the one at `axis`, which goes.
void insert_dimension(MaskedSlice& slice, std::size_t axis) {
  slice.extend(axis);
  insert_at(slice.begin, axis, 0);
  insert_at(slice.end, axis, 1);
  insert_at(slice.stride, axis, 1);
  for (auto* mask : {&slice.op.begin_mask, &slice.op.end_mask, &slice.op.new_axis_mask, &slice.op.ellipsis_mask})
    insert_at(*mask, axis, 0);
  insert_at(slice.op.shrink_axis_mask, axis, 1);
}

}  // namespace

void register_squeeze_strided_slice(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat axes = constant();
  const Pat squeeze = op<ops::Squeeze>(x, axes).one_use();
  passes.offer(
      rewrite("SqueezeStridedSlice")
          .described(
              "StridedSlice(Squeeze(x, axes))", "StridedSlice(x) that drops these axes, too",
              "constant bounds and axes; one reader of the Squeeze; the slice has no masks that add or take dimensions")
          .match(op<ops::StridedSlice>(squeeze, constant(), constant(), constant()))
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            auto parts = masked_slice(m.root().node());
            const auto rank = m[x].type().rank();
            const auto places = rank ? known_axes(m[axes], *rank) : std::nullopt;
            if (!parts || !places || places->empty())
              return declined("bounds or axes are unknown, or it adds or drops dimensions already");
            for (const std::int64_t axis : *places) insert_dimension(*parts, static_cast<std::size_t>(axis));
            return parts->create(rw, m[x]);
          }));
}

}  // namespace mo::transformations
