#include <algorithm>

#include "core/graph/copying.hpp"
#include "ops/fake_quantize.hpp"
#include "ops/reshape.hpp"
#include "ops/squeeze.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

/// The shape of a range on data that goes from shape `data` to `target`:
/// dimensions fall into groups that are merged or divided; in each, the range
/// is constant or has all elements. Nothing when it is neither.
std::optional<Shape> range_after_reshape(const Shape& range, const Shape& data, const Shape& target) {
  const auto empty = [](std::int64_t d) { return d < 1; };
  if (std::any_of(data.begin(), data.end(), empty) || std::any_of(target.begin(), target.end(), empty))
    return std::nullopt;
  Shape made;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < data.size() || j < target.size()) {
    const std::size_t i0 = i;
    const std::size_t j0 = j;
    std::int64_t have = i < data.size() ? data[i++] : 1;
    std::int64_t want = j < target.size() ? target[j++] : 1;
    while (have != want) {
      if (have < want) {
        if (i == data.size()) return std::nullopt;
        have *= data[i++];
      } else {
        if (j == target.size()) return std::nullopt;
        want *= target[j++];
      }
    }
    bool constant = true;
    bool complete = true;
    for (std::size_t k = i0; k < i; ++k) {
      constant = constant && range[k] == 1;
      complete = complete && range[k] == data[k];
    }
    if (!constant && !complete) return std::nullopt;
    for (std::size_t k = j0; k < j; ++k) made.push_back(constant ? 1 : target[k]);
  }
  return made;
}

/// A range with as many dimensions as the data, for which it is meant.
Value aligned(Rewriter& rw, const Value& range, std::size_t rank) {
  std::vector<std::int64_t> shape = *range.type().shape.to_shape();
  if (shape.size() >= rank) return range;
  shape.insert(shape.begin(), rank - shape.size(), 1);
  return reshaped(rw, range, shape);
}

}  // namespace

/// Transpose(FakeQuantize(w)) -> FakeQuantize(Transpose(w)) for constants w, so that the layout of weights is computed
/// now; likewise for Reshape, Squeeze and Unsqueeze. FakeQuantize itself is never computed: runtimes look for it before
/// convolutions.
void register_quantized_weights_movement(PassRegistry& passes) {
  const Pat weights = constant();
  const std::vector<Pat> ranges = {constant(), constant(), constant(), constant()};
  const Pat quantize = op<ops::FakeQuantize>(weights, ranges[0], ranges[1], ranges[2], ranges[3]).one_use();
  const Pat transpose = op<ops::Transpose>(quantize, constant());
  const Pat reshape = any_op<ops::Reshape, ops::Unsqueeze, ops::Squeeze, ops::v15::Squeeze>(quantize, constant());

  passes.add(rewrite("QuantizedWeightsMovement")
                 .run_after({"LayoutChange"})
                 .run_before({"ConstantFolding"})
                 .match(any_of(transpose, reshape))
                 .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                   const auto shape = m[weights].type().shape.to_shape();
                   const auto target = m.root().type().shape.to_shape();
                   if (!shape || !target) return declined("shapes are unknown");
                   const bool moves = static_cast<bool>(m.find(transpose));
                   std::vector<Value> inputs = {Value()};
                   for (const Pat& pat : ranges) {
                     const Value range = m[pat];
                     if (range.type().shape.element_count() == 1 && range.type().shape.size() <= target->size()) {
                       inputs.push_back(range);
                       continue;
                     }
                     if (range.type().shape.size() > shape->size())
                       return declined("a limit has more dimensions than the weights");
                     const Value full = aligned(rw, range, shape->size());
                     if (moves) {
                       inputs.push_back(rw.fold(ops::Transpose{}, full, m.root().node().input(1)));
                       continue;
                     }
                     const auto moved = range_after_reshape(*full.type().shape.to_shape(), *shape, *target);
                     if (!moved) return declined("a limit cannot be moved to the other shape");
                     inputs.push_back(reshaped(rw, full, *moved));
                   }
                   inputs[0] = moves ? rw.fold(ops::Transpose{}, m[weights], m.root().node().input(1))
                                     : reshaped(rw, m[weights], *target);
                   return rw.create(copy_op(m.node(quantize)), inputs);
                 }));
}

}  // namespace mo::transformations
