#include "ops/concat.hpp"
#include "ops/pooling.hpp"
#include "ops/reduce.hpp"
#include "transformations/op_versions/lowering.hpp"

namespace mo::transformations {
namespace {

/// More results than this along an axis are not written out one by one.
constexpr std::int64_t kMostBins = 256;

/// Bin i of `count` bins of `size` elements: from i * size / count, rounded down, to (i + 1) * size / count, rounded
/// up.
template <OpLike Reduce>
Value reduced_bins(Rewriter& rw, const Value& x, std::size_t axis, std::int64_t size, std::int64_t count) {
  const Value axes = rw.integers({static_cast<std::int64_t>(axis)});
  std::vector<Value> bins;
  for (std::int64_t i = 0; i < count; ++i) {
    const Value bin =
        count == 1 ? x : sliced_along(rw, x, axis, i * size / count, ((i + 1) * size + count - 1) / count);
    bins.push_back(rw.create(Reduce{.keep_dims = true}, bin, axes));
  }
  return count == 1 ? bins.front() : rw.create(ops::Concat{.axis = static_cast<std::int64_t>(axis)}, bins);
}

/// A pooling with equal windows where the bins are equal; else the bins of one axis after the other, which is the same
/// because a bin is a box.
template <OpLike Pool, OpLike Reduce>
Replacement adaptive(const Node& node, Rewriter& rw) {
  const auto data = node.input_type(0).shape.to_shape();
  const auto out = node.output_type().shape.to_shape();
  if (!data || !out || data->size() != out->size() || data->size() < 3) return Replacement::declined();
  if (node.out_port_count() > 1 && !node.out_port(1).disconnected()) return Replacement::declined();
  bool equal = true;
  for (std::size_t i = 2; i < data->size(); ++i) {
    if ((*data)[i] < 1 || (*out)[i] < 1) return Replacement::declined();
    equal = equal && (*data)[i] % (*out)[i] == 0;
  }
  if (equal) {
    Pool pool;
    for (std::size_t i = 2; i < data->size(); ++i) {
      pool.kernel.push_back((*data)[i] / (*out)[i]);
      pool.pads_begin.push_back(0);
      pool.pads_end.push_back(0);
    }
    pool.strides = pool.kernel;
    return rw.create(std::move(pool), node.input(0));
  }
  for (std::size_t i = 2; i < data->size(); ++i)
    if ((*out)[i] > kMostBins && (*out)[i] != (*data)[i]) return Replacement::declined();
  Value x = node.input(0);
  for (std::size_t i = 2; i < data->size(); ++i)
    if ((*out)[i] != (*data)[i]) x = reduced_bins<Reduce>(rw, x, i, (*data)[i], (*out)[i]);
  return x;
}

}  // namespace

/// AdaptiveAvgPool and AdaptiveMaxPool, which came with opset8, where shapes are static.
void register_lower_adaptive_pooling(PassRegistry& passes) {
  passes.add(graph_rewrite("LowerAdaptivePooling")
                 .phase(Phase::back)
                 .run_after({"LowerOpSets"})
                 .add(where_too_new(lowering<ops::AdaptiveAvgPool>("AdaptiveAvgPoolDecomposition",
                                                                   adaptive<ops::v1::AvgPool, ops::ReduceMean>)))
                 .add(where_too_new(lowering<ops::AdaptiveMaxPool>("AdaptiveMaxPoolDecomposition",
                                                                   adaptive<ops::v1::MaxPool, ops::ReduceMax>))));
}

}  // namespace mo::transformations
