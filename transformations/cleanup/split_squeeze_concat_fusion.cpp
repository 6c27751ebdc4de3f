#include <numeric>

#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/concat.hpp"
#include "ops/reshape.hpp"
#include "ops/split.hpp"
#include "ops/squeeze.hpp"
#include "ops/transpose.hpp"

namespace mo::transformations {
namespace {

std::optional<std::int64_t> one_axis(const Value& axes, const std::optional<std::int64_t>& rank) {
  const auto numbers = constant_integers_of(axes);
  if (!numbers || numbers->size() != 1 || !rank) return std::nullopt;
  return normalize_axis(numbers->front(), *rank);
}

/// The Split whose outputs, all of them, in their order and without the dimension that they were cut along, are what
/// the Concat reads.
Node split_of(const Node& concat) {
  Node split;
  for (std::size_t i = 0; i < concat.in_port_count(); ++i) {
    const Node squeeze = concat.input(i).node();
    if (!squeeze.is<ops::Squeeze>()) return {};
    const Value part = squeeze.input(0);
    if (!part.node().is<ops::Split>() || part.index() != i || !part.has_one_destination() ||
        (i > 0 && part.node() != split))
      return {};
    split = part.node();
    const auto rank = split.input_type(0).rank();
    const auto cut = one_axis(split.input(1), rank);
    if (!cut || one_axis(squeeze.input(1), rank) != cut) return {};
  }
  return split && split.out_port_count() == concat.in_port_count() ? split : Node();
}

}  // namespace

void register_split_squeeze_concat_fusion(PassRegistry& passes) {
  const Pat concat = pattern::op<ops::Concat>();
  passes.offer(rewrite("SplitSqueezeConcatFusion")
                   .described("Concat(Squeeze(Split(x, axis)[0], axis), Squeeze(Split(x, axis)[1], axis), …)",
                              "Reshape(Transpose(x, order), shape)",
                              "all outputs of the Split in their order; constant axes; static result")
                   .match(concat)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.node(concat);
                     const Node split = split_of(node);
                     if (!split) return declined("not all outputs of one Split in their order, squeezed");
                     const auto shape = node.output_type().shape.to_shape();
                     if (!shape) return declined("the shape of the result is unknown");
                     const auto rank = *split.input_type(0).rank();
                     const std::int64_t cut = *one_axis(split.input(1), rank);
                     const auto joined = normalize_axis(node.as<ops::Concat>()->axis, rank - 1);
                     if (!joined) return declined("the axis is outside");
                     std::vector<std::int64_t> order(static_cast<std::size_t>(rank));
                     std::iota(order.begin(), order.end(), std::int64_t{0});
                     order.erase(order.begin() + cut);
                     order.insert(order.begin() + *joined, cut);
                     return rw.create(ops::Reshape{.special_zero = false},
                                      rw.create(ops::Transpose{}, split.input(0), rw.integers(order)),
                                      rw.integers(*shape));
                   }));
}

}  // namespace mo::transformations
