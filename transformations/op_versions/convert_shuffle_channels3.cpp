#include "core/registry/pass_registry.hpp"
#include "ops/concat.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/shape_of.hpp"
#include "ops/shuffle_channels.hpp"
#include "ops/split.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {
namespace {

/// The shape of the data around the channels: the number of elements before (empty for the first axis) and after them
/// (empty for the last).
struct Surroundings {
  Value before;
  Value behind;
};

Surroundings surroundings_of(Rewriter& rw, const Value& shape, std::int64_t axis, std::int64_t rank) {
  std::vector<std::int64_t> lengths;
  if (axis > 0) lengths.push_back(axis);
  lengths.push_back(1);
  if (axis + 1 < rank) lengths.push_back(rank - axis - 1);
  const Value parts[] = {shape, rw.integers({0}), rw.integers(lengths)};
  const Node split = rw.create_node(ops::VariadicSplit{}, parts, lengths.size());
  const Value all = rw.integers({0});
  const auto product = [&](std::size_t part) {
    return rw.create(ops::ReduceProd{.keep_dims = true}, split.output(part), all);
  };
  return {axis > 0 ? product(0) : Value(), axis + 1 < rank ? product(lengths.size() - 1) : Value()};
}

}  // namespace

void register_convert_shuffle_channels3(PassRegistry& passes) {
  passes.offer(rewrite("ConvertShuffleChannels3")
                   .described("ShuffleChannels(x)",
                              "Reshape(Transpose(Reshape(x, [before, group, -1, after])), ShapeOf(x))",
                              "the rank is known")
                   .match(pattern::op<ops::ShuffleChannels>())
                   .replace(of_op<ops::ShuffleChannels>([](const Node& node, const ops::ShuffleChannels& op,
                                                           Rewriter& rw) -> Replacement {
                     const Value x = node.input(0);
                     const auto rank = x.type().rank();
                     const auto axis = rank ? normalize_axis(op.axis, *rank) : std::nullopt;
                     if (!axis) return declined("the rank is unknown");
                     const Value shape = rw.create(ops::v0::ShapeOf{}, x);
                     if (*rank == 1) {
                       const Value grouped = reshaped_to(rw, x, {op.group, -1});
                       return rw.create(ops::Reshape{.special_zero = false}, transposed_by(rw, grouped, {1, 0}), shape);
                     }
                     const Surroundings around = surroundings_of(rw, shape, *axis, *rank);
                     std::vector<Value> pieces{rw.integers({op.group}), rw.integers({-1})};
                     std::vector<std::int64_t> order;
                     if (around.before) {
                       pieces.insert(pieces.begin(), around.before);
                       order.push_back(0);
                     }
                     const auto group = static_cast<std::int64_t>(order.size());
                     order.insert(order.end(), {group + 1, group});
                     if (around.behind) {
                       pieces.push_back(around.behind);
                       order.push_back(group + 2);
                     }
                     const Value grouped =
                         rw.create(ops::Reshape{.special_zero = false}, x, rw.create(ops::Concat{.axis = 0}, pieces));
                     return rw.create(ops::Reshape{.special_zero = false}, transposed_by(rw, grouped, order), shape);
                   })));
}

}  // namespace mo::transformations
