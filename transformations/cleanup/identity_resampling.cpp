#include "core/graph/values.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/reduce.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

constexpr std::int64_t kMostWeights = 1 << 16;

/// Row i of `places` and `weights` [length, taps] is element i with weight 1, and others with weight 0.
bool picks_each_element(const std::vector<std::int64_t>& places, const std::vector<double>& weights,
                        std::int64_t length) {
  if (length < 1 || places.size() != weights.size() || places.size() % static_cast<std::size_t>(length) != 0)
    return false;
  const std::size_t taps = places.size() / static_cast<std::size_t>(length);
  for (std::size_t i = 0; i < static_cast<std::size_t>(length); ++i) {
    double own = 0;
    for (std::size_t k = i * taps; k < (i + 1) * taps; ++k) {
      if (places[k] == static_cast<std::int64_t>(i))
        own += weights[k];
      else if (weights[k] != 0)
        return false;
    }
    if (own != 1) return false;
  }
  return true;
}

/// ReduceSum(Gather(x, places [length, taps], axis) * weights, axis + 1) -> x, when each element of the result is the
/// element at the same place: a resize that lists all axes leaves most of them as they are.
Replacement identity_of(const Node& node, Rewriter&) {
  const Value product = node.input(0);
  if (!product || !product.node().is<ops::Multiply>() || node.as<ops::ReduceSum>()->keep_dims)
    return Replacement::declined();
  const auto pair = tensor_and_constant(product.node());
  if (!pair || !pair->tensor.node().is<ops::Gather>()) return Replacement::declined();
  const Node gather = pair->tensor.node();
  const Value x = gather.input(0);
  const auto rank = x.type().rank();
  const auto axis = single_integer_of(gather.input(2));
  const auto place = rank && axis ? normalize_axis(*axis, *rank) : std::nullopt;
  if (!place || gather.input(1).type().rank() != 2 || gather.as<ops::Gather>()->batch_dims != 0)
    return Replacement::declined();
  const Dimension& length = x.type().shape[static_cast<std::size_t>(*place)];
  const PartialShape& parts = gather.input(1).type().shape;
  if (!length.is_known() || !parts[0].is_known() || parts[0].value() != length.value()) return Replacement::declined();
  const auto summed = known_axes(node.input(1), *rank + 1);
  if (!summed || summed->size() != 1 || summed->front() != *place + 1) return Replacement::declined();
  // The weights vary along the two dimensions of the places only.
  const PartialShape& shape = pair->constant.type().shape;
  if (!shape.has_rank()) return Replacement::declined();
  std::int64_t count = 1;
  for (std::int64_t i = 0; i < *shape.rank(); ++i) {
    const std::int64_t from_back = *shape.rank() - i;
    const bool of_places = from_back == *rank - *place || from_back == *rank - *place + 1;
    const Dimension& size = shape[static_cast<std::size_t>(i)];
    if (!size.is_known() || (!of_places && size.value() != 1)) return Replacement::declined();
    count *= size.value();
  }
  const auto places = integers_of(gather.input(1), kMostWeights);
  const auto weights = reals_of(pair->constant, kMostWeights);
  if (!places || !weights || static_cast<std::int64_t>(weights->size()) != count) return Replacement::declined();
  return picks_each_element(*places, *weights, length.value())
             ? Replacement(x)
             : declined("places and weights do not pick each element once");
}

}  // namespace

void register_identity_resampling(PassRegistry& passes) {
  passes.add(front_replacement_op("ReduceSum")
                 .named("IdentityResampling")
                 .phase(Phase::middle)
                 .run_after({"ConstantFolding"})
                 .replace_op(identity_of));
}

}  // namespace mo::transformations
