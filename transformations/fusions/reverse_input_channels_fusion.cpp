#include <map>
#include <set>

#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/activations.hpp"
#include "ops/concat.hpp"
#include "ops/fake_quantize.hpp"
#include "ops/gather.hpp"
#include "ops/pad.hpp"
#include "ops/pattern.hpp"
#include "ops/shape_of.hpp"
#include "ops/transpose.hpp"
#include "transformations/fusions/support/channel_permutation.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/convolutions.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

/// An input of an op whose data are no longer permuted by `order`: it takes the permutation back.
struct Change {
  Node node;
  std::size_t port = 0;
  std::size_t axis = 0;
  ChannelOrder order;  ///< never empty
  NodeId source;
};

/// Carries permutations of channels forward, to the convolutions in whose weights they can be done. Those that meet
/// anything else stay.
class ChannelReversal {
 public:
  ChannelReversal(Graph& graph, const PassContext& context) : graph_(graph), context_(context) {}

  Expected<bool> run() {
    MO_ASSIGN(const std::vector<Node> order, graph_.topological_order());
    for (const Node& node : order) visit(node);
    return apply();
  }

 private:
  const Permutation* at(const Value& value) const {
    const auto found = value ? found_.find(value.id().index) : found_.end();
    return found == found_.end() ? nullptr : &found->second;
  }
  void set(const Node& node, Permutation permutation) { found_[node.output().id().index] = std::move(permutation); }

  /// The order along `axis` of a tensor with that shape; nothing when it must be known how many there are, and is not.
  static std::optional<ChannelOrder> order_for(const Permutation& p, const Dimension& count) {
    if (!count.is_known()) return std::nullopt;
    if (p.order.empty()) return reversed(count.value());
    return count.value() == static_cast<std::int64_t>(p.order.size()) ? std::optional(p.order) : std::nullopt;
  }

  /// Those that come together stay or go together: one of them stands for all (union by path halving).
  NodeId group_of(NodeId source) {
    while (group_[source] != source) source = group_[source] = group_[group_[source]];
    return source;
  }
  void join(NodeId a, NodeId b) { group_[group_of(a)] = group_of(b); }
  bool stays(NodeId source) { return failed_.contains(group_of(source)); }

  void visit(const Node& node) {
    std::optional<NodeId> source;
    for (const InPort& port : node.in_ports()) {
      const Permutation* const p = at(port.get_source());
      if (!p) continue;
      if (source) join(*source, p->source);
      source = p->source;
    }
    if (source && carry(node)) return;
    if (source) refused_.push_back(*source);
    if (auto made = permutation_of(node); made && !context_.skips(node)) {
      group_[node.id()] = node.id();
      sources_.push_back(node);
      set(node, *std::move(made));
    }
  }

  bool carry(const Node& node) {
    if (node.is<ops::Convolution>()) return into_convolution(node);
    if (node.is<ops::GroupConvolution>()) return through_group_convolution(node);
    if (node.is<ops::Transpose>()) return through_transpose(node);
    if (node.is<ops::v1::Pad>() || node.is<ops::v12::Pad>()) return through_pad(node);
    if (node.is<ops::PReLU>()) return through_prelu(node);
    if (node.is<ops::v0::ShapeOf>() || node.is<ops::v3::ShapeOf>()) return true;  // a shape has no order of channels
    return node.op_type().traits.elementwise && node.out_port_count() == 1 && through_elementwise(node);
  }

  bool into_convolution(const Node& node) {
    const Permutation* const p = at(node.input(0));
    if (!p || at(node.input(1)) || p->axis != 1 || node.as<ops::Convolution>()->layout != DataLayout::channels_first)
      return false;
    return permute_weights(node, 1, *p);
  }

  bool permute_weights(const Node& node, std::size_t axis, const Permutation& p) {
    const PartialShape& shape = node.input_type(1).shape;
    const auto order = shape.has_rank() && axis < shape.size() ? order_for(p, shape[axis]) : std::nullopt;
    if (!order) return false;
    permute({node, 1, axis, *order, p.source});
    return true;
  }

  /// Notes the change at the constants that the input is computed of, element by element, so that quantised weights
  /// stay what they are; at the input itself where it is anything else.
  void permute(Change change) {
    constexpr int kMostSteps = 8;
    std::vector<std::pair<Change, int>> open = {{std::move(change), 0}};
    while (!open.empty()) {
      auto [next, depth] = std::move(open.back());
      open.pop_back();
      const Value source = next.node.input(next.port);
      std::optional<std::vector<Change>> inner;
      if (depth < kMostSteps && source.has_one_destination()) inner = operands_of(source, next);
      if (!inner) {
        changes_.push_back(std::move(next));
        continue;
      }
      for (Change& operand : *inner) open.emplace_back(std::move(operand), depth + 1);
    }
  }

  /// What the change is at the inputs of the elementwise op that makes `value`; nothing when it is another op or a
  /// shape is unknown.
  static std::optional<std::vector<Change>> operands_of(const Value& value, const Change& change) {
    const Node node = value.node();
    const PartialShape& result = value.type().shape;
    if (!node.op_type().traits.elementwise || node.out_port_count() != 1 || !result.has_rank()) return std::nullopt;
    std::vector<Change> operands;
    for (const InPort& port : node.in_ports()) {
      const Value source = port.get_source();
      const PartialShape* const shape = source ? &source.type().shape : nullptr;
      if (!shape || !shape->has_rank() || shape->size() > result.size()) return std::nullopt;
      const std::size_t shift = result.size() - shape->size();
      if (change.axis < shift || (*shape)[change.axis - shift] == Dimension(1)) continue;
      if ((*shape)[change.axis - shift] != Dimension(static_cast<std::int64_t>(change.order.size())))
        return std::nullopt;
      operands.push_back({node, port.index(), change.axis - shift, change.order, change.source});
    }
    return operands;
  }

  /// Groups move as a whole, and their outputs with them.
  bool through_group_convolution(const Node& node) {
    const Permutation* const p = at(node.input(0));
    const PartialShape& weights = node.input_type(1).shape;
    const PartialShape& data = node.input_type(0).shape;
    if (!p || at(node.input(1)) || p->axis != 1 ||
        node.as<ops::GroupConvolution>()->layout != DataLayout::channels_first)
      return false;
    if (!data.has_rank() || !weights.has_rank() || weights.size() < 4 || !weights[0].is_known() ||
        !weights[1].is_known() || !weights[2].is_known())
      return false;
    const std::int64_t groups = weights[0].value();
    const std::int64_t members = weights[2].value();
    const auto order = order_for(*p, Dimension(groups * members));
    if (!order) return false;
    ChannelOrder group_order;
    for (std::int64_t g = 0; g < groups; ++g) {
      const std::int64_t first = (*order)[static_cast<std::size_t>(g * members)];
      if (first % members != 0) return false;
      for (std::int64_t i = 0; i < members; ++i)
        if ((*order)[static_cast<std::size_t>(g * members + i)] != first + i) return false;
      group_order.push_back(first / members);
    }
    // What comes out is not permuted back: each group computes what its members always did, in the place where they are
    // now.
    const std::int64_t outputs = weights[1].value();
    Permutation made{1, {}, p->source};
    for (const std::int64_t group : group_order)
      for (std::int64_t i = 0; i < outputs; ++i) made.order.push_back(group * outputs + i);
    permute({node, 1, 0, group_order, p->source});
    set(node, std::move(made));
    return true;
  }

  bool through_transpose(const Node& node) {
    const Permutation* const p = at(node.input(0));
    const auto rank = node.input_type(0).rank();
    if (!p || !rank || !node.input(1).node().is<Const>()) return false;
    const auto order = known_order(node, static_cast<std::size_t>(*rank));
    if (!order) return false;
    Permutation made = *p;
    made.axis = static_cast<std::size_t>(std::find(order->begin(), order->end(), p->axis) - order->begin());
    set(node, std::move(made));
    return true;
  }

  bool through_pad(const Node& node) {
    const Permutation* const p = at(node.input(0));
    const auto begin = constant_integers_of(node.input(1));
    const auto end = constant_integers_of(node.input(2));
    if (!p || !begin || !end || p->axis >= begin->size() || p->axis >= end->size() || (*begin)[p->axis] != 0 ||
        (*end)[p->axis] != 0)
      return false;
    set(node, *p);
    return true;
  }

  bool through_prelu(const Node& node) {
    const Permutation* const p = at(node.input(0));
    const PartialShape& data = node.input_type(0).shape;
    const PartialShape& slope = node.input_type(1).shape;
    if (!p || at(node.input(1)) || !data.has_rank() || !slope.has_rank()) return false;
    if (slope.size() == 1 && slope[0] != Dimension(1)) {
      // A vector of slopes lies along dimension 1.
      const auto order = p->axis == 1 ? order_for(*p, slope[0]) : std::nullopt;
      if (!order) return false;
      changes_.push_back({node, 1, 0, *order, p->source});
    } else if (!others_fit(node, *p, data.size())) {
      return false;
    }
    set(node, *p);
    return true;
  }

  /// The inputs that are not permuted have one element along the axis, or are permuted before the op.
  bool others_fit(const Node& node, const Permutation& p, std::size_t rank) {
    for (const InPort& port : node.in_ports()) {
      const Value source = port.get_source();
      if (!source) continue;
      if (at(source)) continue;
      const PartialShape& shape = source.type().shape;
      if (!shape.has_rank() || shape.size() > rank) return false;
      const std::size_t shift = rank - shape.size();
      if (p.axis < shift || shape[p.axis - shift] == Dimension(1)) continue;
      const auto order = source.node().is<Const>() ? order_for(p, shape[p.axis - shift]) : std::nullopt;
      if (!order) return false;
      changes_.push_back({node, port.index(), p.axis - shift, *order, p.source});
    }
    return true;
  }

  bool through_elementwise(const Node& node) {
    const PartialShape& result = node.output_type().shape;
    if (!result.has_rank()) return false;
    std::optional<Permutation> common;
    for (const InPort& port : node.in_ports()) {
      const Permutation* const p = at(port.get_source());
      if (!p) continue;
      if (port.get_source().type().rank() != result.rank()) return false;
      if (common && !common->same_as(*p)) return false;
      common = *p;
    }
    if (!others_fit(node, *common, result.size())) return false;
    set(node, *std::move(common));
    return true;
  }

  Expected<bool> apply() {
    for (const NodeId source : refused_) failed_.insert(group_of(source));
    Rewriter rw(graph_);
    for (const Change& change : changes_) {
      if (stays(change.source)) continue;
      const Value permuted =
          rw.create(ops::v8::Gather{}, change.node.input(change.port), rw.integers(inverse_of(change.order)),
                    rw.integers({static_cast<std::int64_t>(change.axis)}));
      rw.set_input(change.node, change.port, permuted);
      // It belongs to this op, not to the one that goes.
      for (const Node& made : rw.take_created()) made.add_sources_of(change.node);
    }
    for (const Node& node : sources_)
      if (!stays(node.id())) rw.replace(node, {node.is<ops::Concat>() ? node.input(0).node().input(0) : node.input(0)});
    if (rw.error()) return Error(*rw.error());
    return rw.has_changed();
  }

  Graph& graph_;
  const PassContext& context_;
  std::map<std::uint32_t, Permutation> found_;  ///< by value
  std::map<NodeId, NodeId> group_;
  std::vector<Change> changes_;
  std::vector<Node> sources_;
  std::vector<NodeId> refused_;
  std::set<NodeId> failed_;
};

}  // namespace

void register_reverse_input_channels_fusion(PassRegistry& passes) {
  passes.offer(graph_pass("ReverseInputChannelsFusion")
                   .described("channels in another order (Gather, or Split and Concat) -> elementwise ops, Transpose, "
                              "Pad, PReLU, GroupConvolution -> Convolution",
                              "the same without; the weights of the convolutions in that order",
                              "every path from the permutation ends in a Convolution or a ShapeOf")
                   .asks_nodes()
                   .run([](Graph& graph, PassContext& context) { return ChannelReversal(graph, context).run(); }));
}

}  // namespace mo::transformations
