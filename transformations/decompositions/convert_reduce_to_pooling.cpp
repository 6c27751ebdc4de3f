#include "core/registry/pass_registry.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/reduce.hpp"
#include "transformations/decompositions/support/reduction_to_pooling.hpp"

namespace mo::transformations {
namespace {

constexpr const char* kConditions =
    "the shape is known; the axes are constant and neighbours; means and sums of reals only";

Value average(Rewriter& rw, const Value& data, const ops::SlidingWindow& window) {
  auto pool = pool_over<ops::v1::AvgPool>(window);
  pool.exclude_pad = true;
  return rw.create(std::move(pool), data);
}

void register_mean(PassRegistry& passes) {
  passes.offer(
      rewrite("ConvertReduceMeanToPooling")
          .described("ReduceMean(x, axes)", "AvgPool(x) between Reshapes where they are needed", kConditions)
          .match(pattern::op<ops::ReduceMean>())
          .replace(of_op<ops::ReduceMean>([](const Node& node, const ops::ReduceMean&, Rewriter& rw) -> Replacement {
            if (!is_real(node.output_type().element_type)) return declined("no real type");
            return pooled_reduction(
                node, rw, [&](const Value& x, const ops::SlidingWindow& w, std::int64_t) { return average(rw, x, w); });
          })));
}

void register_sum(PassRegistry& passes) {
  passes.offer(
      rewrite("ConvertReduceSumToPooling")
          .described("ReduceSum(x, axes)", "AvgPool(x) * count between Reshapes where they are needed", kConditions)
          .match(pattern::op<ops::ReduceSum>())
          .replace(of_op<ops::ReduceSum>([](const Node& node, const ops::ReduceSum&, Rewriter& rw) -> Replacement {
            if (!is_real(node.output_type().element_type)) return declined("no real type");
            return pooled_reduction(node, rw, [&](const Value& x, const ops::SlidingWindow& w, std::int64_t count) {
              return rw.create(ops::Multiply{}, average(rw, x, w), one_number_for(rw, x, static_cast<double>(count)));
            });
          })));
}

void register_max(PassRegistry& passes) {
  passes.offer(
      rewrite("ConvertReduceMaxToPooling")
          .described("ReduceMax(x, axes)", "MaxPool(x) between Reshapes where they are needed", kConditions)
          .match(pattern::op<ops::ReduceMax>())
          .replace(of_op<ops::ReduceMax>([](const Node& node, const ops::ReduceMax&, Rewriter& rw) -> Replacement {
            return pooled_reduction(node, rw, [&](const Value& x, const ops::SlidingWindow& w, std::int64_t) {
              return rw.create(pool_over<ops::v1::MaxPool>(w), x);
            });
          })));
}

}  // namespace

/// Runtimes of convolutional networks pool faster than they reduce.
void register_convert_reduce_to_pooling(PassRegistry& passes) {
  register_mean(passes);
  register_max(passes);
  register_sum(passes);
  passes.offer(pipeline("ConvertReduceToPooling")
                   .described("ReduceMean, ReduceMax, ReduceSum", "AvgPool, MaxPool")
                   .group("ConvertReduceToPooling",
                          {"ConvertReduceMeanToPooling", "ConvertReduceMaxToPooling", "ConvertReduceSumToPooling"}));
}

}  // namespace mo::transformations
