#include "ops/build/tensors.hpp"
#include "ops/concat.hpp"
#include "ops/gather.hpp"
#include "ops/pooling.hpp"
#include "ops/reshape.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// The data is an image or has more dimensions, and one of its sizes may be 1 while the model runs. Where the window is
/// longer, a size of 1 is left to the runtime: the price is paid by each model whose sizes are unknown.
bool may_have_one_place(const PartialShape& shape, const std::vector<std::int64_t>& kernel) {
  if (shape.size() < 4 || kernel.size() + 2 != shape.size() || shape[1] == Dimension(1)) return false;
  for (std::size_t i = 2; i < shape.size(); ++i)
    if (!shape[i].is_known() && shape[i].min() <= 1 && kernel[i - 2] == 1) return true;
  return false;
}

/// pool(x [n, c, …]) -> pool of [n * c, 1, …], whose result gets both dimensions back.
template <OpLike T>
Replacement channels_in_batch(const Node& node, Rewriter& rw) {
  const Value& data = node.input(0);
  const PartialShape& shape = data.type().shape;
  if (!shape.has_rank() || shape.size() < 3) return declined("the rank is unknown");
  if (shape[1].is_known() && !may_have_one_place(shape, node.as<T>()->kernel))
    return declined("the number of channels is known");
  std::vector<std::int64_t> one_channel(shape.size(), 0);
  one_channel[0] = -1;
  one_channel[1] = 1;
  std::vector<std::int64_t> spatial;
  for (std::size_t i = 2; i < shape.size(); ++i) spatial.push_back(static_cast<std::int64_t>(i));
  const auto sizes = [&](const Value& x, const std::vector<std::int64_t>& places) {
    return rw.create(ops::v1::Gather{}, build::shape_of(rw, x), rw.integers(places), rw.scalar<std::int64_t>(0));
  };
  const Value merged = rw.create(ops::Reshape{.special_zero = true}, data, rw.integers(one_channel));
  const Value pooled = rw.create(*node.as<T>(), merged);
  return rw.create(ops::Reshape{.special_zero = false}, pooled,
                   rw.create(ops::Concat{.axis = 0}, sizes(data, {0, 1}), sizes(pooled, spatial)));
}

}  // namespace

void register_pooling_of_unknown_channels(PassRegistry& passes) {
  passes.add(avoid_fault("PoolingOfUnknownChannels",
                         {.form = "MaxPool-1 and AvgPool-1 of an unknown number of channels, or with a kernel of 1 "
                                  "along an unknown size of an image, "
                                  "which may be 1",
                          .symptom = "not computed: primitive descriptor was not found",
                          .first = "2022.1",
                          .last = "2022.3",
                          .replacement = "Reshape of the channels to the batch, the pooling, Reshape"})
                 .add(lowering<ops::v1::MaxPool>("MaxPoolOfBatch", channels_in_batch<ops::v1::MaxPool>))
                 .add(lowering<ops::v1::AvgPool>("AvgPoolOfBatch", channels_in_batch<ops::v1::AvgPool>)));
}

}  // namespace mo::transformations
