#include <map>
#include <numeric>
#include <set>

#include "core/graph/values.hpp"
#include "extensions/library/support/convolutions.hpp"
#include "extensions/library/support/fusing.hpp"
#include "ops/activations.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/fake_quantize.hpp"
#include "ops/gather.hpp"
#include "ops/pad.hpp"
#include "ops/range.hpp"
#include "ops/shape_of.hpp"
#include "ops/split.hpp"
#include "ops/transpose.hpp"

namespace mo::library::fusions {
namespace {

using Order = std::vector<std::int64_t>;

/// The tensor is what it was before with the elements along `axis` in another order: element i is the former element order[i]. An empty order reverses
/// them, however many there are.
struct Permutation {
  std::size_t axis = 0;
  Order order;
  std::set<NodeId> sources;  ///< the ops that permute, as many as come together here

  bool same_as(const Permutation& other) const { return axis == other.axis && order == other.order; }
};

Order reversed(std::int64_t count) {
  Order order(static_cast<std::size_t>(count));
  std::iota(order.rbegin(), order.rend(), std::int64_t{0});
  return order;
}

bool is_permutation_of(Order order, std::int64_t count) {
  if (static_cast<std::int64_t>(order.size()) != count) return false;
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}

/// `value` is the length of `axis` of `data` minus one.
bool is_last_index(const Value& value, const Value& data, std::int64_t axis) {
  if (!value || !value.node().is<ops::Add>()) return false;
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const Node gather = value.node().input(i).node();
    if (single_integer_of(value.node().input(1 - i)) != -1) continue;
    if (!gather.is<ops::v8::Gather>() && !gather.is<ops::v7::Gather>() && !gather.is<ops::v1::Gather>()) continue;
    const Node shape = gather.input(0).node();
    const bool is_shape = shape.is<ops::v0::ShapeOf>() || shape.is<ops::v3::ShapeOf>();
    if (is_shape && shape.input(0) == data && single_integer_of(gather.input(1)) == axis) return true;
  }
  return false;
}

/// Gather(x, order, axis): channels from `order`, or from last to first.
std::optional<Permutation> permutation_of_gather(const Node& node) {
  const auto batch_dims = node.attr<std::int64_t>("batch_dims").value_or(0);
  const PartialShape& shape = node.input_type(0).shape;
  const auto axis = single_integer_of(node.input(2));
  const auto place = axis && shape.has_rank() && batch_dims == 0 ? normalize_axis(*axis, static_cast<std::int64_t>(shape.size())) : std::nullopt;
  if (!place) return std::nullopt;
  Permutation made{static_cast<std::size_t>(*place), {}, {node.id()}};
  const Value indices = node.input(1);
  if (auto known = integers_of(indices)) {
    const Dimension count = shape[made.axis];
    if (indices.type().rank() != 1 || !count.is_known() || !is_permutation_of(*known, count.value())) return std::nullopt;
    if (*known != reversed(count.value())) made.order = *std::move(known);
    return made;
  }
  const Node range = indices.node();
  if (!range.is<ops::v4::Range>() || single_integer_of(range.input(1)) != -1 || single_integer_of(range.input(2)) != -1) return std::nullopt;
  return is_last_index(range.input(0), node.input(0), *place) ? std::optional(made) : std::nullopt;
}

/// Concat of all slices of one Split, each once and read by nobody else.
std::optional<Permutation> permutation_of_concat(const Node& node) {
  const Node split = node.in_port_count() > 1 && node.input(0) ? node.input(0).node() : Node();
  if (!split || !split.is<ops::Split>() || split.out_port_count() != node.in_port_count()) return std::nullopt;
  const PartialShape& shape = split.input_type(0).shape;
  const auto axis = single_integer_of(split.input(1));
  if (!axis || !shape.has_rank()) return std::nullopt;
  const auto rank = static_cast<std::int64_t>(shape.size());
  const auto place = normalize_axis(*axis, rank);
  if (!place || normalize_axis(node.as<ops::Concat>()->axis, rank) != place) return std::nullopt;
  Order order;
  for (const InPort& port : node.in_ports()) {
    const Value slice = port.get_source();
    if (!slice || slice.node() != split || !slice.has_one_destination()) return std::nullopt;
    order.push_back(static_cast<std::int64_t>(slice.index()));
  }
  const auto count = static_cast<std::int64_t>(order.size());
  if (shape[static_cast<std::size_t>(*place)] != Dimension(count) || !is_permutation_of(order, count)) return std::nullopt;
  if (order == reversed(count)) order.clear();
  return Permutation{static_cast<std::size_t>(*place), std::move(order), {node.id()}};
}

std::optional<Permutation> permutation_of(const Node& node) {
  if (node.is<ops::v8::Gather>() || node.is<ops::v7::Gather>() || node.is<ops::v1::Gather>()) return permutation_of_gather(node);
  return node.is<ops::Concat>() ? permutation_of_concat(node) : std::nullopt;
}

/// An input of an op whose data are no longer permuted by `order`: it takes the permutation back.
struct Change {
  Node node;
  std::size_t port = 0;
  std::size_t axis = 0;
  Order order;  ///< never empty
};

Order inverse_of(const Order& order) {
  Order inverse(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) inverse[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  return inverse;
}

/// Carries permutations of channels forward, to the convolutions in whose weights they can be done. Those that meet anything else stay.
class ChannelReversal {
 public:
  explicit ChannelReversal(Graph& graph) : graph_(graph) {}

  Expected<bool> run() {
    MO_ASSIGN(const std::vector<Node> order, graph_.topological_order());
    // Those that fail take others with them, with which they came together.
    do {
      failed_.clear();
      found_.clear();
      changes_.clear();
      for (const Node& node : order) visit(node);
      refused_.insert(failed_.begin(), failed_.end());
    } while (!failed_.empty());
    return apply(order);
  }

 private:
  const Permutation* at(const Value& value) const {
    const auto found = value ? found_.find(value.id().index) : found_.end();
    return found == found_.end() ? nullptr : &found->second;
  }
  void set(const Node& node, Permutation permutation) { found_[node.output().id().index] = std::move(permutation); }

  /// The order along `axis` of a tensor with that shape; nothing when it must be known how many there are, and is not.
  static std::optional<Order> order_for(const Permutation& p, const Dimension& count) {
    if (!count.is_known()) return std::nullopt;
    if (p.order.empty()) return reversed(count.value());
    return count.value() == static_cast<std::int64_t>(p.order.size()) ? std::optional(p.order) : std::nullopt;
  }

  void fail(const Node& node) {
    for (const InPort& port : node.in_ports())
      if (const Permutation* p = at(port.get_source())) failed_.insert(p->sources.begin(), p->sources.end());
  }

  void visit(const Node& node) {
    const auto ports = node.in_ports();
    const bool is_reached = std::any_of(ports.begin(), ports.end(), [&](const InPort& port) { return at(port.get_source()) != nullptr; });
    if (is_reached) {
      if (!carry(node)) fail(node);
    } else if (auto made = refused_.contains(node.id()) ? std::nullopt : permutation_of(node)) {
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
    if (!p || at(node.input(1)) || p->axis != 1 || node.as<ops::Convolution>()->layout != DataLayout::channels_first) return false;
    return permute_weights(node, 1, *p);
  }

  bool permute_weights(const Node& node, std::size_t axis, const Permutation& p) {
    const PartialShape& shape = node.input_type(1).shape;
    const auto order = shape.has_rank() && axis < shape.size() ? order_for(p, shape[axis]) : std::nullopt;
    if (!order) return false;
    // Quantised weights stay quantised constants.
    const Node weights = node.input(1).node();
    if (weights.is<ops::FakeQuantize>() && weights.output().has_one_destination()) return permute_operands(weights, shape.size(), axis, *order);
    changes_.push_back({node, 1, axis, *order});
    return true;
  }

  /// All inputs of an op that broadcasts, with a result of `rank` dimensions, which no permutation reaches.
  bool permute_operands(const Node& node, std::size_t rank, std::size_t axis, const Order& order) {
    for (const InPort& port : node.in_ports())
      if (!permute_operand(port, rank, axis, order)) return false;
    return true;
  }

  bool permute_operand(const InPort& port, std::size_t rank, std::size_t axis, const Order& order) {
    const PartialShape& shape = port.get_source().type().shape;
    if (!shape.has_rank() || shape.size() > rank) return false;
    const std::size_t shift = rank - shape.size();
    if (axis < shift || shape[axis - shift] == Dimension(1)) return true;
    if (shape[axis - shift] != Dimension(static_cast<std::int64_t>(order.size()))) return false;
    changes_.push_back({port.node(), port.index(), axis - shift, order});
    return true;
  }

  /// Groups move as a whole, and their outputs with them.
  bool through_group_convolution(const Node& node) {
    const Permutation* const p = at(node.input(0));
    const PartialShape& weights = node.input_type(1).shape;
    const PartialShape& data = node.input_type(0).shape;
    if (!p || at(node.input(1)) || p->axis != 1 || node.as<ops::GroupConvolution>()->layout != DataLayout::channels_first) return false;
    if (!data.has_rank() || !weights.has_rank() || weights.size() < 4 || !weights[0].is_known() || !weights[1].is_known() || !weights[2].is_known())
      return false;
    const std::int64_t groups = weights[0].value();
    const std::int64_t members = weights[2].value();
    const auto order = order_for(*p, Dimension(groups * members));
    if (!order) return false;
    Order group_order;
    for (std::int64_t g = 0; g < groups; ++g) {
      const std::int64_t first = (*order)[static_cast<std::size_t>(g * members)];
      if (first % members != 0) return false;
      for (std::int64_t i = 0; i < members; ++i)
        if ((*order)[static_cast<std::size_t>(g * members + i)] != first + i) return false;
      group_order.push_back(first / members);
    }
    // What comes out is not permuted back: each group computes what its members always did, in the place where they are now.
    const std::int64_t outputs = weights[1].value();
    Permutation made{1, {}, p->sources};
    for (const std::int64_t group : group_order)
      for (std::int64_t i = 0; i < outputs; ++i) made.order.push_back(group * outputs + i);
    changes_.push_back({node, 1, 0, group_order});
    set(node, std::move(made));
    return true;
  }

  bool through_transpose(const Node& node) {
    const Permutation* const p = at(node.input(0));
    const auto rank = node.input_type(0).rank();
    if (!p || !rank || !node.input(1).node().is<Const>()) return false;
    const auto order = middle::known_order(node, static_cast<std::size_t>(*rank));
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
    if (!p || !begin || !end || p->axis >= begin->size() || p->axis >= end->size() || (*begin)[p->axis] != 0 || (*end)[p->axis] != 0) return false;
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
      changes_.push_back({node, 1, 0, *order});
    } else if (!others_fit(node, *p, data.size())) {
      return false;
    }
    set(node, *p);
    return true;
  }

  /// The inputs that are not permuted have one element along the axis, or are permuted in front of the op.
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
      changes_.push_back({node, port.index(), p.axis - shift, *order});
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
      if (!common) common = *p;
      common->sources.insert(p->sources.begin(), p->sources.end());
    }
    if (!others_fit(node, *common, result.size())) return false;
    set(node, *std::move(common));
    return true;
  }

  Expected<bool> apply(const std::vector<Node>& order) {
    if (found_.empty()) return false;
    Rewriter rw(graph_);
    for (const Change& change : changes_) {
      const Value permuted = rw.create(ops::v8::Gather{}, change.node.input(change.port), rw.integers(inverse_of(change.order)),
                                       rw.integers({static_cast<std::int64_t>(change.axis)}));
      rw.set_input(change.node, change.port, permuted);
      // It belongs to this op, not to the one that goes.
      for (const Node& made : rw.take_created()) made.add_sources_of(change.node);
    }
    for (const Node& node : order) {
      if (!node.alive() || !is_source(node)) continue;
      rw.replace(node, {node.is<ops::Concat>() ? node.input(0).node().input(0) : node.input(0)});
    }
    if (rw.error()) return Error(*rw.error());
    return true;
  }

  bool is_source(const Node& node) const {
    if (node.out_port_count() != 1) return false;
    const Permutation* const p = at(node.output());
    return p && p->sources.contains(node.id());
  }

  Graph& graph_;
  std::map<std::uint32_t, Permutation> found_;  ///< by value
  std::vector<Change> changes_;
  std::set<NodeId> failed_;
  std::set<NodeId> refused_;
};

}  // namespace

void register_reverse_input_channels_fusion(PassLibrary& library) {
  library.add(
      graph_pass("ReverseInputChannelsFusion")
          .described(
              "channels in another order (Gather, or Split and Concat) -> elementwise ops, Transpose, Pad, PReLU, GroupConvolution -> Convolution",
              "the same without; the weights of the convolutions in that order", "every path from the permutation ends in a Convolution or a ShapeOf")
          .run([](Graph& graph, PassContext&) { return ChannelReversal(graph).run(); }));
}

}  // namespace mo::library::fusions
