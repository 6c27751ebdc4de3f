#include <algorithm>

#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/reshape.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::transformations {
namespace {

/// The dimensions at `axes` are 1 in the tensor itself, so that it can be squeezed alone.
bool is_one_at(const Value& value, const std::vector<std::int64_t>& axes, std::int64_t rank) {
  const PartialShape& shape = value.type().shape;
  if (shape.rank() != rank) return false;
  return std::all_of(axes.begin(), axes.end(), [&](std::int64_t axis) {
    const auto place = normalize_axis(axis, rank);
    return place && shape[static_cast<std::size_t>(*place)] == Dimension(1);
  });
}

/// Without a known rank: dimensions that were added in front, or counted from the back.
bool adds_at(const Value& value, const std::vector<std::int64_t>& axes) {
  if (!value.node().is<ops::Unsqueeze>() || constant_integers_of(value.node().input(1)) != axes) return false;
  if (std::all_of(axes.begin(), axes.end(), [](std::int64_t axis) { return axis < 0; })) return true;
  std::vector<std::int64_t> sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i)
    if (sorted[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}

bool is_reshaped_or_constant(const Value& value) {
  return value.node().is<Const>() || value.node().is<ops::Unsqueeze>() || value.node().is<ops::Reshape>();
}

}  // namespace

void register_pull_squeeze_through_eltwise(PassRegistry& passes) {
  using namespace pattern;
  const Pat eltwise = any_op<ops::Add, ops::Subtract, ops::Multiply, ops::Divide, ops::Power, ops::Maximum,
                             ops::Minimum, ops::Mod, ops::FloorMod, ops::SquaredDifference>()
                          .one_use();
  const Pat axes = constant();
  passes.offer(rewrite("PullSqueezeThroughEltwise")
                   .described("Squeeze(Op(a, b), axes)", "Op(Squeeze(a, axes), Squeeze(b, axes))",
                              "arithmetic that broadcasts as numpy does; a and b are constants, Unsqueeze or Reshape, "
                              "and of size 1 at the axes")
                   .match(op<ops::Squeeze>(eltwise, axes))
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.node(eltwise);
                     const auto numbers = constant_integers_of(m[axes]);
                     if (!numbers || numbers->empty() ||
                         node.attr<std::string>("auto_broadcast").value_or("numpy") != "numpy")
                       return declined("unknown axes, or another broadcast");
                     const auto rank = m[eltwise].type().rank();
                     std::vector<Value> inputs;
                     for (std::size_t i = 0; i < 2; ++i) {
                       const Value input = node.input(i);
                       if (!is_reshaped_or_constant(input)) return declined("an input is not of such an op");
                       if (rank ? !is_one_at(input, *numbers, *rank) : !adds_at(input, *numbers))
                         return declined("an input is not known to be of size 1 there");
                       inputs.push_back(rw.create(ops::Squeeze{}, input, m[axes]));
                     }
                     return rw.copy_with_new_inputs(node, inputs).output();
                   }));
}

}  // namespace mo::transformations
