#include "ops/build/rows.hpp"

#include "ops/build/tensors.hpp"
#include "ops/concat.hpp"
#include "ops/reshape.hpp"
#include "ops/slice.hpp"

namespace mo::build {

Value Rows::back(Rewriter& rw, const Value& result) const {
  return matrix == original ? result : rw.create(ops::Reshape{}, result, shape_of(rw, original));
}

Expected<Rows> rows_of(const Node& node, Rewriter& rw, const Value& x, std::int64_t axis) {
  constexpr std::int64_t kMostDimensions = 64;
  const auto rank = type_of(x).shape.rank();
  const bool outside = rank ? axis < -*rank || axis > *rank : axis < -kMostDimensions || axis > kMostDimensions;
  if (outside)
    return node.error("MO-FRONT-0011", "axis {} is outside of the tensor", axis)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  if (axis == -1 || (rank && axis == *rank - 1)) return Rows{x, x};
  if (rank && axis < 0) axis += *rank;
  if (axis >= 0) {
    // 0 keeps the dimension.
    std::vector<std::int64_t> shape(static_cast<std::size_t>(axis), 0);
    shape.push_back(-1);
    return Rows{x, rw.create(ops::Reshape{.special_zero = true}, x, rw.integers(shape))};
  }
  const Value leading =
      rw.create(ops::Slice{}, shape_of(rw, x), rw.integers({0}), rw.integers({axis}), rw.integers({1}));
  const Value shape = rw.create(ops::Concat{.axis = 0}, leading, rw.integers({-1}));
  return Rows{x, rw.create(ops::Reshape{}, x, shape)};
}

}  // namespace mo::build
