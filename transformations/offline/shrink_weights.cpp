#include <fmt/format.h>

#include <algorithm>

#include "core/graph/values.hpp"
#include "core/inference/infer.hpp"
#include "core/rewrite.hpp"
#include "ops/concat.hpp"
#include "ops/gather.hpp"
#include "ops/reshape.hpp"
#include "transformations/offline/support/channel_analysis.hpp"

namespace mo::transformations {
namespace {

const AttributeMap* mask_of(const Node& node) {
  const AttributeMap* const info = node.rt_info();
  const AttributeValue* const mask = info ? info->find(kChannelMask) : nullptr;
  return mask ? mask->map() : nullptr;
}

/// Whether some channel of what the node makes goes.
bool shrinks(const Node& node) {
  const AttributeMap* const mask = mask_of(node);
  return mask && mask->size() > (mask->find("zero") ? 1U : 0U);
}

/// The channels that go from an axis of the output of `node`.
std::vector<std::int64_t> gone_from(const Node& node, std::size_t axis) {
  const AttributeMap* const mask = mask_of(node);
  const AttributeValue* const channels = mask ? mask->find(fmt::format("axis_{}", axis)) : nullptr;
  const auto* const list = channels ? channels->get_if<std::vector<std::int64_t>>() : nullptr;
  return list ? *list : std::vector<std::int64_t>();
}

/// The constant without these channels.
Value without(Rewriter& rw, const Value& constant, std::size_t axis, const std::vector<std::int64_t>& gone) {
  std::vector<std::int64_t> kept;
  for (std::int64_t i = 0; i < constant.type().shape[axis].value(); ++i)
    if (!std::binary_search(gone.begin(), gone.end(), i)) kept.push_back(i);
  return rw.fold(ops::v1::Gather{}, constant, rw.integers(kept), rw.scalar(static_cast<std::int64_t>(axis)));
}

void shrink_constant(Rewriter& rw, const Node& node) {
  Value value = node.output();
  for (std::size_t axis = 0; axis < node.output_type().shape.size(); ++axis)
    if (const auto gone = gone_from(node, axis); !gone.empty()) value = without(rw, value, axis, gone);
  if (value != node.output()) rw.replace(node, {value});
}

/// The filters of a convolution by groups come out of a Reshape whose shape may be computed: the number of groups is
/// left to it.
void shrink_group_filters(Rewriter& rw, const Node& node) {
  std::vector<std::int64_t> rest;
  for (std::size_t i = 2; i < node.output_type().shape.size(); ++i) rest.push_back(static_cast<std::int64_t>(i));
  const Value tail = rw.create(ops::v1::Gather{}, node.input(1), rw.integers(rest), rw.scalar<std::int8_t>(0));
  const ElementType type = node.input_type(1).element_type;
  const Value head =
      type == ElementType::i32 ? rw.constant(Tensor::vector<std::int32_t>({-1, 1})) : rw.integers({-1, 1});
  rw.set_input(node, 1, rw.create(ops::Concat{.axis = 0}, head, tail));
}

/// The wanted shape with the new numbers of channels.
void shrink_shape(Rewriter& rw, const Node& node) {
  auto wanted = constant_integers_of(node.input(1));
  if (!wanted) return;  // computed of tensors that are smaller now
  for (std::size_t axis = 0; axis < wanted->size(); ++axis)
    if ((*wanted)[axis] > 0) (*wanted)[axis] -= static_cast<std::int64_t>(gone_from(node, axis).size());
  const bool narrow = node.input_type(1).element_type == ElementType::i32;
  rw.set_input(node, 1,
               narrow ? rw.constant(Tensor::vector(std::vector<std::int32_t>(wanted->begin(), wanted->end())))
                      : rw.integers(*wanted));
}

bool feeds_groups(const Node& reshape) {
  const std::vector<InPort> readers = reshape.output().get_destinations();
  return std::any_of(readers.begin(), readers.end(),
                     [](const InPort& reader) { return reader.node().is("GroupConvolution") && reader.index() == 1; });
}

Expected<void> shrink(Graph& graph) {
  std::vector<Node> marked;
  for (const Node node : graph.nodes())
    if (mask_of(node)) marked.push_back(node);
  Rewriter rw(graph);
  // Types in between contradict each other: everything is inferred at the end.
  graph.set_has_types(false);
  for (const Node& node : marked) {
    if (!node.is<ops::Reshape>() || !shrinks(node)) continue;
    if (feeds_groups(node))
      shrink_group_filters(rw, node);
    else
      shrink_shape(rw, node);
  }
  for (const Node& node : marked)
    if (node.alive() && node.is<Const>()) shrink_constant(rw, node);
  if (rw.error()) return Error(*rw.error());
  for (const Node node : graph.nodes())
    if (mask_of(node)) node.erase_rt_info(kChannelMask);
  MO_TRY(infer_graph(graph));
  graph.set_has_types(true);
  return {};
}

bool same_interface(const Graph& a, const Graph& b) {
  const std::vector<Node> x = a.results();
  const std::vector<Node> y = b.results();
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const Node& p, const Node& q) {
    const PartialShape& s = p.input_type(0).shape;
    const PartialShape& t = q.input_type(0).shape;
    return p.input_type(0).element_type == q.input_type(0).element_type && s.compatible(t) &&
           s.is_static() == t.is_static();
  });
}

}  // namespace

void register_shrink_weights(PassRegistry& passes) {
  passes.offer(graph_pass("ShrinkWeights")
                   .described("what PropagateMasks marked",
                              "constants without these channels; Reshapes to the shapes that follow",
                              "all types can be inferred afterwards and the outputs keep theirs, otherwise nothing "
                              "changes; last step of Pruning")
                   .only_top_level()
                   .whole_graph("a channel is removed from all nodes that have it")
                   .run([](Graph& graph, PassContext&) -> Expected<bool> {
                     bool smaller_ones = false;
                     for (const Node node : graph.nodes()) smaller_ones = smaller_ones || shrinks(node);
                     std::unique_ptr<Graph> smaller = smaller_ones ? graph.clone() : nullptr;
                     if (smaller && shrink(*smaller) && same_interface(graph, *smaller)) {
                       graph.adopt(std::move(smaller));
                       return true;
                     }
                     for (const Node node : graph.nodes())
                       if (mask_of(node)) node.erase_rt_info(kChannelMask);
                     return false;
                   }));
}

}  // namespace mo::transformations
