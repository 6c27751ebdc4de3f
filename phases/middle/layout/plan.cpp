#include "phases/middle/layout/plan.hpp"

#include <algorithm>

#include "core/graph/tensor_layout.hpp"
#include "core/op/layout_rule.hpp"
#include "core/tensor/convert.hpp"
#include "core/tensor/permute.hpp"
#include "ops/transpose.hpp"

namespace mo::phases::layout {
namespace {

using Vertex = LabelProblem::Vertex;

/// What an unknown dimension counts as.
constexpr std::uint64_t kTypicalSize = 32;

bool is_label_rank(std::int64_t rank) { return rank == 4 || rank == 5; }

InferContext context_of(const Node& node) {
  std::vector<TensorFact> facts(node.in_port_count());
  std::vector<bool> present(facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i)
    if (const Value source = node.input(i)) {
      facts[i] = source.data().fact();
      present[i] = true;
    }
  return {node.op_type(), std::move(facts), std::move(present), node.out_port_count()};
}

/// PaddlePaddle's broadcast aligns somewhere else than at the last dimension.
bool aligns_elsewhere(const Node& node) {
  const AttributeValue mode = node.attribute("auto_broadcast");
  const auto* text = mode.get_if<std::string>();
  return text && *text == "pdpd";
}

/// The inputs that hold axes, or numbers for each axis, are lists that can be remapped.
bool lists_fit(const Node& node, const LayoutRule& rule, std::int64_t rank) {
  bool lists_axes = false;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) {
    if (!node.input(i) || !mask_has(rule.axes_inputs, i)) continue;
    const auto list_rank = node.input_type(i).rank();
    if (!list_rank || *list_rank > 1) return false;
    lists_axes = true;
  }
  for (std::size_t i = 0; i < node.in_port_count() && !lists_axes; ++i) {
    if (!node.input(i) || !mask_has(rule.per_axis_inputs, i)) continue;
    const PartialShape& shape = node.input_type(i).shape;
    if (!shape.has_rank() || shape.size() != 1 || shape[0] != Dimension(rank)) return false;
  }
  return true;
}

/// The rank that the labelled ports of a follower have; 0 when it cannot follow.
std::uint8_t follower_rank(const Node& node, const LayoutRule& rule) {
  std::int64_t rank = 0;
  bool lower = false;
  const auto look_at = [&](const TensorType& type) {
    if (!type.rank()) return false;
    lower = lower || (rank != 0 && *type.rank() != rank);
    rank = std::max(rank, *type.rank());
    return true;
  };
  for (std::size_t i = 0; i < node.out_port_count(); ++i)
    if (!node.out_port(i).disconnected() && !look_at(node.output_type(i))) return 0;
  for (std::size_t i = 0; i < node.in_port_count(); ++i)
    if (node.input(i) && mask_has(rule.data_inputs, i) && !look_at(node.input_type(i))) return 0;
  if (!is_label_rank(rank) || !lists_fit(node, rule, rank)) return 0;
  if (lower && rule.broadcasts && aligns_elsewhere(node)) return 0;
  return static_cast<std::uint8_t>(rank);
}

std::optional<std::vector<std::int64_t>> known_order(const Node& node) {
  const Value order = node.input(1);
  if (!order || !order.data().value()) return std::nullopt;
  auto numbers = to_integers(*order.data().value());
  return numbers ? std::optional(*std::move(numbers)) : std::nullopt;
}

class Planner {
 public:
  Planner(const Graph& graph, Interface interface, Extent extent, int ir_version)
      : graph_(graph), interface_(interface), extent_(extent), ir_version_(ir_version) {}

  Expected<Plan> run() {
    plan_.groups.resize(graph_.node_capacity());
    for (const Node node : graph_.nodes()) { MO_ASSIGN(plan_.groups[node.id().index], group_of(node)); }
    find_images();
    if (interface_ == Interface::channels_first && extent_ == Extent::region)
      for (const Node& node : plan_.images)
        plan_.groups[node.id().index] = {Group::labelled, static_cast<std::uint8_t>(image_type(node).shape.size()),
                                         LabelProblem::kChannelsFirst};
    for (const Node node : graph_.nodes())
      for (const OutPort& port : node.out_ports()) add_tensor(port);
    if (extent_ == Extent::region) {
      plan_.labels = cheapest_labels(plan_.problem);
    } else {
      plan_.labels.assign(plan_.problem.vertex_count(), Label::original);
      plan_.labels[LabelProblem::kChannelsFirst] = Label::channels_first;
    }
    return std::move(plan_);
  }

 private:
  Expected<Group> group_of(const Node& node) {
    const OpType& type = node.op_type();
    Group group;
    if (node.is<Const>() || node.is<Parameter>() || node.is<Result>()) return group;
    if (type.is_channels_last(node.payload())) {
      // A window says how many dimensions there are even when the input does not.
      const auto known = rank_of_images(type.layout_rule.data_inputs, node.in_port_count(),
                                        [&](std::size_t i) { return node.input_type(i).rank(); });
      const auto rank = known ? known : node.output_type(0).rank();
      if (!rank)  // an input of the model without a shape, and no attribute with a number for each axis
        return node.error("MO-LAYOUT-0001", "{} is channels-last and the rank of its input is not known", type.name)
            .hint("give the shape of the model's input with --input_shape");
      if (!is_label_rank(*rank)) {
        group.role = Group::bracketed;
        return group;
      }
      return Group{Group::labelled, static_cast<std::uint8_t>(*rank), LabelProblem::kChannelsFirst};
    }
    if (extent_ == Extent::op_by_op && !asks_for_channels_first(node, ir_version_)) return group;
    if (node.is<ops::Transpose>()) {
      const auto order = known_order(node);
      const auto rank = node.input_type(0).rank();
      if (!order || !rank || !is_label_rank(*rank)) return group;
      const Vertex input = plan_.problem.add_group();
      return Group{Group::transpose, static_cast<std::uint8_t>(*rank), input, plan_.problem.add_group()};
    }
    const LayoutRule& rule = type.layout_rule;
    if (!rule.follows) return group;
    const std::uint8_t rank = follower_rank(node, rule);
    if (rank == 0) return group;
    const LayoutNeed need = type.layout_need ? type.layout_need(node.payload(), context_of(node)) : LayoutNeed::either;
    if (need == LayoutNeed::original) return group;
    return Group{Group::labelled, rank,
                 need == LayoutNeed::channels_first ? LabelProblem::kChannelsFirst : plan_.problem.add_group()};
  }

  static const TensorType& image_type(const Node& node) {
    return node.is<Result>() ? node.input_type(0) : node.output_type(0);
  }

  /// Parameters and Results of the right rank, without those that belong to ops whose tensors are not images: from
  /// these backwards and forwards through followers.
  void find_images() {
    std::vector<bool> excluded(graph_.node_capacity());
    for (const bool forwards : {false, true}) {
      std::vector<bool> seen(graph_.node_capacity());
      std::vector<Node> open;
      for (const Node node : graph_.nodes())
        if (node.op_type().layout_rule.not_an_image) open.push_back(node);
      const auto go = [&](const Node& next) {
        if (seen[next.id().index]) return;
        seen[next.id().index] = true;
        const bool end = next.is<Parameter>() || next.is<Result>();
        if (end) excluded[next.id().index] = true;
        const Group& group = plan_.group(next);
        const bool follows = group.role == Group::labelled || group.role == Group::transpose;
        if (!end && follows && group.vertex != LabelProblem::kChannelsFirst) open.push_back(next);
      };
      while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        if (forwards) {
          for (const OutPort& port : node.out_ports())
            if (has_labels(port))
              for (const InPort& reader : port.get_destinations()) go(reader.node());
        } else {
          for (std::size_t i = 0; i < node.in_port_count(); ++i)
            if (const Value source = node.input(i); source && has_labels(source)) go(source.node());
        }
      }
    }
    for (const Node node : graph_.nodes()) {
      if (!node.is<Parameter>() && !node.is<Result>()) continue;
      const auto rank = image_type(node).rank();
      if (rank && is_label_rank(*rank) && !excluded[node.id().index] && !has_chosen_layout(node))
        plan_.images.push_back(node);
    }
  }

  void add_tensor(const Value& value) {
    const PartialShape& shape = value.type().shape;
    if (!shape.has_rank() || shape.size() > 5 || value.node().is<Const>()) return;
    const bool labelled = has_labels(value);
    readers_.clear();
    for (auto& list : aligned_) list.clear();
    for (const InPort& reader : value.get_destinations()) {
      const Node node = reader.node();
      const std::size_t i = reader.index();
      const LayoutRule& rule = node.op_type().layout_rule;
      if (mask_has(rule.indifferent_inputs, i)) continue;
      const Group& group = plan_.group(node);
      const bool data = mask_has(rule.data_inputs, i);
      if ((group.role == Group::labelled || group.role == Group::transpose) && data && shape.size() == group.rank) {
        readers_.push_back(group.vertex);
        continue;
      }
      if (labelled) readers_.push_back(LabelProblem::kOriginal);
      if (group.role == Group::labelled && data && rule.broadcasts && shape.size() >= 2 && shape.size() < group.rank)
        aligned_[group.rank - 4].push_back(group.vertex);
    }
    if (labelled && !readers_.empty())
      plan_.problem.add_tensor(plan_.vertex_of(value), transpose_cost(shape), readers_);
    // What is aligned at the last dimension comes from the original layout, whatever the label of its reader.
    for (const std::size_t rank : {std::size_t{4}, std::size_t{5}})
      if (!aligned_[rank - 4].empty()) {
        std::vector<Dimension> dims(rank - shape.size(), Dimension(1));
        dims.insert(dims.end(), shape.begin(), shape.end());
        const std::uint64_t cost = transpose_cost(PartialShape(std::move(dims)));
        if (cost > 1) plan_.problem.add_tensor(LabelProblem::kOriginal, cost, aligned_[rank - 4]);
      }
  }

  const Graph& graph_;
  Interface interface_;
  Extent extent_;
  int ir_version_;
  Plan plan_;
  std::vector<Vertex> readers_;
  std::vector<Vertex> aligned_[2];  ///< readers that need the tensor with rank 4, 5
};

}  // namespace

bool has_labels(const Value& value) {
  const auto rank = value.type().rank();
  return rank && is_label_rank(*rank);
}

std::uint64_t transpose_cost(const PartialShape& shape) {
  const std::size_t last = shape.size() - 1;
  const bool one_channel = shape[last] == Dimension(1);
  const bool one_pixel =
      std::all_of(shape.begin() + 1, shape.end() - 1, [](const Dimension& d) { return d == Dimension(1); });
  if (one_channel || one_pixel) return 1;
  std::uint64_t cost = 1;
  for (const Dimension& d : shape) {
    const std::uint64_t size =
        d.is_known() ? static_cast<std::uint64_t>(std::max<std::int64_t>(d.value(), 1)) : kTypicalSize;
    cost = size > (std::uint64_t{1} << 40) / cost ? std::uint64_t{1} << 40 : cost * size;
  }
  return std::max<std::uint64_t>(cost, 2);
}

Vertex Plan::vertex_of(const Value& value) const {
  if (!has_labels(value)) return LabelProblem::kOriginal;
  const Group& of = group(value.node());
  if (of.role == Group::transpose) return of.output_vertex;
  return of.role == Group::labelled && value.type().shape.size() == of.rank ? of.vertex : LabelProblem::kOriginal;
}

bool asks_for_channels_first(const Node& node, int ir_version) {
  const OpType& type = node.op_type();
  return type.layout_rule.asks_up_to >= ir_version && type.layout_need && follower_rank(node, type.layout_rule) != 0 &&
         type.layout_need(node.payload(), context_of(node)) == LayoutNeed::channels_first;
}

Expected<Plan> make_plan(const Graph& graph, Interface interface, Extent extent, int ir_version) {
  return Planner(graph, interface, extent, ir_version).run();
}

}  // namespace mo::phases::layout
