#include "extensions/support/front_shapes.hpp"
#include "ops/proposal.hpp"
#include "ops/psroi_pooling.hpp"
#include "ops/reshape.hpp"
#include "ops/roi_pooling.hpp"

namespace mo::front::caffe {
namespace {

Expected<void> set_region_attributes(const Node& node, Op& op) {
  for (const auto& [name, value] : node.attributes())
    if (!name.starts_with('@')) MO_TRY(op.set_attribute(name, value));
  return {};
}

/// Caffe takes regions of any shape with five numbers for each, as [R, 5, 1, 1].
Value as_regions(Rewriter& rw, const Value& regions) {
  if (known_type(regions).rank() == 2) return regions;
  return rw.create(ops::Reshape{}, regions, rw.integers({-1, 5}));
}

Replacement pool_regions(const Node& node, Rewriter& rw, Op op) {
  if (auto set = set_region_attributes(node, op); !set) return std::move(set).error();
  return rw.create(std::move(op), node.input(0), as_regions(rw, node.input(1)));
}

/// Caffe's image information is [1, 3], the IR's [3].
Replacement replace_proposal(const Node& node, Rewriter& rw) {
  Op op = ops::Proposal{};
  if (auto set = set_region_attributes(node, op); !set) return std::move(set).error();
  const Node made = rw.create_node(std::move(op), {node.input(0), node.input(1), flattened(rw, node.input(2))}, 2);
  Outputs outputs;
  for (std::size_t i = 0; i < node.out_port_count() && i < 2; ++i) outputs.push_back(made.output(i));
  return outputs;
}

}  // namespace

void register_regions(PassRegistry& passes) {
  passes.add(
      front_replacement_op("CaffeROIPooling").replace_op([](const Node& node, Rewriter& rw) { return pool_regions(node, rw, ops::ROIPooling{}); }));
  passes.add(front_replacement_op("CaffePSROIPooling").replace_op([](const Node& node, Rewriter& rw) {
    return pool_regions(node, rw, ops::PSROIPooling{});
  }));
  passes.add(front_replacement_op("CaffeProposal").replace_op(replace_proposal));
}

}  // namespace mo::front::caffe
