#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/reduce.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::transformations {
namespace {

/// The tensor that an Unsqueeze adds exactly this axis to; empty for anything else.
Value without_axis(const Value& value, std::int64_t axis) {
  const Node node = value.node();
  return node.is<ops::Unsqueeze>() && constant_integers_of(node.input(1)) == std::vector<std::int64_t>{axis}
             ? node.input(0)
             : Value();
}

Value smaller_or_larger(Rewriter& rw, const Node& reduction, const Value& a, const Value& b) {
  return reduction.is<ops::ReduceMin>() ? rw.create(ops::Minimum{}, a, b) : rw.create(ops::Maximum{}, a, b);
}

/// Without a known rank: all three name the same axis in the same way, which both tensors get for the Concat alone.
Replacement of_unknown_rank(const Node& reduction, const Node& concat, std::int64_t axis, Rewriter& rw) {
  const Value a = without_axis(concat.input(0), axis);
  const Value b = without_axis(concat.input(1), axis);
  if (!a || !b || concat.as<ops::Concat>()->axis != axis)
    return declined("the rank is unknown, and not both inputs were given the axis");
  if (reduction.attr<bool>("keep_dims").value_or(false))
    return smaller_or_larger(rw, reduction, concat.input(0), concat.input(1));
  return smaller_or_larger(rw, reduction, a, b);
}

}  // namespace

void register_replace_concat_reduce_by_min_or_max(PassRegistry& passes) {
  using namespace pattern;
  const Pat a = any();
  const Pat b = any();
  const Pat axes = constant();
  const Pat concat = op<ops::Concat>(a, b);
  passes.offer(
      rewrite("ReplaceConcatReduceByMinOrMax")
          .described(
              "ReduceMin(Concat(a, b), axis), ReduceMax", "Minimum(a, b), Maximum, squeezed unless dimensions are kept",
              "the Concat is along that axis, where a and b are of size 1; of unknown rank, an Unsqueeze tells that")
          .match(any_op<ops::ReduceMin, ops::ReduceMax>(concat, axes))
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            const Node root = m.root().node();
            const auto rank = m[concat].type().rank();
            const auto reduced = constant_integers_of(m[axes]);
            if (!reduced || reduced->size() != 1) return declined("not one known axis");
            if (!rank) return of_unknown_rank(root, m.node(concat), reduced->front(), rw);
            const auto axis = normalize_axis(reduced->front(), *rank);
            if (!axis || normalize_axis(m.node(concat).as<ops::Concat>()->axis, *rank) != axis)
              return declined("another axis");
            for (const Pat& input : {a, b}) {
              const PartialShape& shape = m[input].type().shape;
              if (!shape.has_rank() || shape[static_cast<std::size_t>(*axis)] != Dimension(1))
                return declined("an input is longer than 1 there");
            }
            const Value made = smaller_or_larger(rw, root, m[a], m[b]);
            const bool kept = root.attr<bool>("keep_dims").value_or(false);
            return kept ? made : rw.create(ops::Squeeze{}, made, m[axes]);
          }));
}

}  // namespace mo::transformations
