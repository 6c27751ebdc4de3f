#include <numeric>

#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/pad.hpp"
#include "ops/reshape.hpp"
#include "ops/transpose.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

/// Op(x, …) -> x where `is_nop` says so. An output of the model that is directly an input stays an op.
template <OpLike T>
RewriteRule eliminate(std::string name, bool (*is_nop)(const Node&)) {
  const Pat nop = op<T>();
  return rewrite(std::move(name)).match(nop).rule([=](const Match& m, Rewriter&, PassContext&) -> Replacement {
    const Node node = m.node(nop);
    if (!node.input(0) || !is_nop(node)) return declined("it changes its input, or that is unknown");
    return node.input(0);
  });
}

bool converts_to_same_type(const Node& node) {
  return !node.rt_info() && node.input_type(0).element_type == node.as<ops::Convert>()->destination_type;
}

bool has_shape_of_input(const Node& node) { return same_shape(node.input_type(0).shape, node.output_type().shape); }

bool keeps_order(const Node& node) {
  const auto numbers = integers_of(node.input(1));
  if (!numbers || numbers->empty()) return false;
  for (std::size_t i = 0; i < numbers->size(); ++i)
    if ((*numbers)[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}

bool pads_nothing(const Node& node) {
  for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
    const auto numbers = integers_of(node.input(i));
    if (!numbers || std::any_of(numbers->begin(), numbers->end(), [](std::int64_t v) { return v != 0; })) return false;
  }
  return true;
}

}  // namespace

void register_eliminate_nop(PassRegistry& passes) {
  passes.add(graph_rewrite("EliminateNop")
                 .run_after({"ConstantFolding"})
                 .run_before({"DeadCodeElimination"})
                 .add(eliminate<ops::Convert>("NopConvert", converts_to_same_type))
                 .add(eliminate<ops::Reshape>("NopReshape", has_shape_of_input))
                 .add(eliminate<ops::Transpose>("NopTranspose", keeps_order))
                 .add(eliminate<ops::Identity>("EliminateIdentity", [](const Node&) { return true; }))
                 .add(eliminate<ops::v1::Pad>("NopPad", pads_nothing))
                 .add(eliminate<ops::v12::Pad>("EliminatePadV12", pads_nothing)));
}

}  // namespace mo::transformations
