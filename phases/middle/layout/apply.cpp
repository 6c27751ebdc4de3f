#include "phases/middle/layout/apply.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/graph/moved_names.hpp"
#include "core/op/layout_rule.hpp"
#include "core/tensor/convert.hpp"
#include "core/tensor/permute.hpp"
#include "ops/gather.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::phases::layout {
namespace {

using Numbers = std::vector<std::int64_t>;

/// The place of an axis of the original layout in channels-first.
std::int64_t moved_axis(std::int64_t axis, std::size_t rank) {
  const auto from_front = normalize_axis(axis, static_cast<std::int64_t>(rank));
  return from_front ? order_to_channels_last(rank)[static_cast<std::size_t>(*from_front)] : axis;
}

Numbers moved_numbers(const Numbers& numbers, std::size_t rank) {
  const Numbers order = order_to_channels_first(rank);
  Numbers moved(rank);
  for (std::size_t i = 0; i < rank; ++i) moved[i] = numbers[static_cast<std::size_t>(order[i])];
  return moved;
}

class Applier {
 public:
  Applier(Rewriter& rewriter, const Plan& plan) : rw_(rewriter), plan_(plan) {}

  Expected<void> run() {
    MO_ASSIGN(const std::vector<Node> order, rw_.graph().topological_order());
    for (const Node& node : order) {
      MO_TRY(visit(node));
      if (rw_.error()) return node.describe(*rw_.error());
    }
    // What lost its last reader: bypassed Transposes, constants in the old order.
    for (const Node& source : left_) erase_if_dead(source);
    for (const Node& made : rw_.take_created()) erase_if_dead(made);
    rw_.take_touched();
    return {};
  }

 private:
  Expected<void> visit(const Node& node) {
    if (node.is<Const>()) return {};
    const Group& group = plan_.group(node);
    const Label label = plan_.labels[group.vertex];
    if (node.is<Parameter>()) {
      if (group.role == Group::labelled && label == Label::channels_first) permute_parameter(node, group.rank);
      return {};
    }
    if (node.is<Result>()) return visit_result(node, label);
    switch (group.role) {
      case Group::transpose: return visit_transpose(node, group);
      case Group::bracketed: return visit_bracketed(node);
      case Group::labelled:
        if (label == Label::channels_first) return visit_channels_first(node, group);
        break;
      case Group::none: break;
    }
    bool other_layout = false;
    for (std::size_t i = 0; i < node.in_port_count(); ++i) {
      const Value source = node.input(i);
      if (!source) continue;
      const bool indifferent = mask_has(node.op_type().layout_rule.indifferent_inputs, i);
      other_layout = other_layout || (indifferent && plan_.label_of(source) == Label::channels_first);
      connect(node, i, indifferent ? resolved(source) : with_label(source, Label::original));
    }
    if (other_layout) {
      rw_.changed(node);
      if (node.op_type().traits.shape_of) restore_shape(node);
    }
    return {};
  }

  void permute_parameter(const Node& node, std::size_t rank) {
    auto* parameter = node.as<Parameter>();
    parameter->shape = permuted(parameter->shape, order_to_channels_first(rank));
    rw_.changed(node);
  }

  /// The names of a tensor belong to it as the framework has it: when a Transpose restores that for a Result, they move
  /// there.
  Expected<void> visit_result(const Node& node, Label label) {
    const Value source = node.input(0);
    if (!source) return {};
    const Value value = with_label(source, label);
    connect(node, 0, value);
    if (label == Label::channels_first || value == resolved(source) || source.node().is<Parameter>() ||
        source.node().is<Const>())
      return {};
    move_names(source, value);
    return {};
  }

  Expected<void> visit_transpose(const Node& node, const Group& group) {
    const std::size_t rank = group.rank;
    Numbers order = *to_integers(*node.input(1).data().value());
    if (order.empty()) {
      order.resize(rank);
      std::iota(order.rbegin(), order.rend(), 0);
    }
    const Label in = plan_.labels[group.vertex];
    const Label out = plan_.labels[group.output_vertex];
    const Value data = with_label(node.input(0), in);
    if (in == Label::original && out == Label::original) {
      connect(node, 0, data);
      return {};
    }
    Numbers composed = out == Label::channels_first ? moved_numbers(order, rank) : order;
    if (in == Label::channels_first)
      for (std::int64_t& axis : composed) axis = moved_axis(axis, rank);
    if (is_identity_order(composed)) {
      move_tensor_names(node.output(), data);
      stands_for_[node.output().id()] = data;
      left_.push_back(node);
      return {};
    }
    connect(node, 0, data);
    connect(node, 1, rw_.integers(composed));
    rw_.changed(node);
    return {};
  }

  Expected<void> visit_bracketed(const Node& node) {
    const std::uint32_t data_inputs = node.op_type().layout_rule.data_inputs;
    const auto known =
        rank_of_images(data_inputs, node.in_port_count(), [&](std::size_t i) { return node.input_type(i).rank(); });
    const std::size_t rank = known ? static_cast<std::size_t>(*known) : node.output_type(0).shape.size();
    for (std::size_t i = 0; i < node.in_port_count(); ++i) {
      const Value source = node.input(i);
      if (!source) continue;
      const Value original = with_label(source, Label::original);
      // Where no rank is known, an attribute of the op tells that of its input 0.
      const bool moves = known ? mask_has(data_inputs, i) && is_image(original.type().rank(), known) : i == 0;
      connect(node, i, moves ? transposed(original, order_to_channels_first(rank)) : original);
    }
    make_channels_first(node);
    for (const OutPort& port : node.out_ports())
      if (!port.disconnected() && is_image(port.type().rank(), known))
        stands_for_[port.id()] = transposed(port, order_to_channels_last(port.type().shape.size()));
    return {};
  }

  Expected<void> visit_channels_first(const Node& node, const Group& group) {
    const std::size_t rank = group.rank;
    const LayoutRule& rule = node.op_type().layout_rule;
    const bool was_channels_last = node.op_type().is_channels_last(node.payload());
    bool lists_axes = false;
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      lists_axes = lists_axes || (mask_has(rule.axes_inputs, i) && node.input(i));
    for (std::size_t i = 0; i < node.in_port_count(); ++i) {
      const Value source = node.input(i);
      if (!source) continue;
      const std::size_t source_rank = source.type().shape.has_rank() ? source.type().shape.size() : 0;
      if (mask_has(rule.data_inputs, i) && source_rank == rank)
        connect(node, i, with_label(source, Label::channels_first));
      else if (was_channels_last && i == 0 && !source.type().rank())
        connect(node, i, ranked(source, rank));
      else if (mask_has(rule.data_inputs, i) && rule.broadcasts && !was_channels_last)
        connect(node, i, aligned(source, rank));
      else if (mask_has(rule.indifferent_inputs, i))
        connect(node, i, resolved(source));
      else if (mask_has(rule.axes_inputs, i) && !was_channels_last)
        connect(node, i, moved_axes(with_label(source, Label::original), rank));
      else if (mask_has(rule.per_axis_inputs, i) && !lists_axes && !was_channels_last)
        connect(node, i, moved_list(with_label(source, Label::original), rank));
      else
        connect(node, i, with_label(source, Label::original));
    }
    if (was_channels_last) {
      make_channels_first(node);
      return {};
    }
    MO_TRY(remap_attributes(node, rule, rank));
    rw_.changed(node);
    return {};
  }

  void make_channels_first(const Node& node) {
    *node.op_type().data_layout(node.payload()) = DataLayout::channels_first;
    rw_.changed(node);
  }

  Expected<void> remap_attributes(const Node& node, const LayoutRule& rule, std::size_t rank) {
    for (const std::string_view name : rule.axes_attributes) {
      if (name.empty()) break;
      const AttributeValue value = node.attribute(name);
      if (const auto* axis = value.get_if<std::int64_t>()) {
        MO_TRY(node.set_attr(name, moved_axis(*axis, rank)));
      } else if (const auto* axes = value.get_if<Numbers>()) {
        Numbers moved = *axes;
        for (std::int64_t& a : moved) a = moved_axis(a, rank);
        MO_TRY(node.set_attr(name, std::move(moved)));
      }
    }
    for (const std::string_view name : rule.per_axis_attributes) {
      if (name.empty()) break;
      const AttributeValue value = node.attribute(name);
      const auto* numbers = value.get_if<Numbers>();
      if (!numbers || std::all_of(numbers->begin(), numbers->end(), [](std::int64_t n) { return n == 0; })) continue;
      Numbers all = *numbers;
      all.resize(rank);
      MO_TRY(node.set_attr(name, moved_numbers(all, rank)));
    }
    return {};
  }

  /// The shape of a channels-first tensor, in the original order again.
  void restore_shape(const Node& shape_of) {
    const Value shape = shape_of.output();
    const std::size_t rank = shape_of.input_type(0).shape.size();
    const Value restored =
        rw_.create(ops::v8::Gather{}, shape, rw_.integers(order_to_channels_last(rank)), rw_.scalar<std::int64_t>(0));
    restored.node().add_sources_of(shape_of);
    move_names(shape, restored);
    stands_for_[shape.id()] = restored;
    channels_first_shapes_[restored.id()] = shape;
  }

  // -- values in a layout ---------------------------------------------------------------------------------------------

  /// What took the place of a tensor of the original graph.
  Value resolved(const Value& value) const {
    const auto it = stands_for_.find(value.id());
    return it == stands_for_.end() ? value : it->second;
  }

  Value with_label(const Value& value, Label wanted) {
    // Unlike other tensors, a constant has whatever label is asked for.
    const bool constant = value.node().is<Const>();
    const Label is = constant ? Label::original : plan_.label_of(value);
    const std::size_t rank = original_rank(value);
    if (is == wanted || rank < 4 || rank > 5) return resolved(value);
    Value& made = changed_[{value.id(), 0}];
    if (!made)
      made = transposed(resolved(value),
                        wanted == Label::channels_first ? order_to_channels_first(rank) : order_to_channels_last(rank));
    return made;
  }

  /// A tensor of unknown rank for a channels-first op that knows the rank.
  Value ranked(const Value& value, std::size_t rank) {
    Value& made = changed_[{value.id(), rank}];
    if (!made) made = transposed(resolved(value), order_to_channels_first(rank));
    return made;
  }

  static std::size_t original_rank(const Value& value) {
    return value.type().shape.has_rank() ? value.type().shape.size() : 0;
  }

  /// Permuted at once when it is a constant.
  Value transposed(const Value& value, const Numbers& order) {
    const Value made = rw_.fold(ops::Transpose{}, value, rw_.integers(order));
    made.node().add_sources_of(value.node());
    return made;
  }

  /// An input of lower rank for a channels-first op: with all dimensions, the last one being the channels.
  Value aligned(const Value& value, std::size_t rank) {
    const Value original = with_label(value, Label::original);
    const PartialShape& shape = original.type().shape;
    if (!shape.has_rank() ||
        std::all_of(shape.begin(), shape.end(), [](const Dimension& d) { return d == Dimension(1); }))
      return original;
    Value& made = changed_[{value.id(), rank}];
    if (made) return made;
    Numbers axes(rank - shape.size());
    std::iota(axes.begin(), axes.end(), 0);
    if (shape.size() == 1)  // [C] -> [1, C, 1, 1] without a Transpose
      for (std::size_t i = 1; i < axes.size(); ++i) ++axes[i];
    made = rw_.fold(ops::Unsqueeze{}, original, rw_.integers(axes));
    made.node().add_sources_of(original.node());
    if (shape.size() > 1) made = transposed(made, order_to_channels_first(rank));
    return made;
  }

  /// Integers of a constant; nothing for computed ones.
  static std::optional<Numbers> constant_numbers(const Value& value) {
    const auto* constant = value.node().as<Const>();
    if (!constant) return std::nullopt;
    auto numbers = to_integers(constant->value);
    return numbers ? std::optional(*std::move(numbers)) : std::nullopt;
  }

  Value list_like(const Value& like, Numbers numbers, const Shape& shape) {
    auto tensor = from_integers(like.type().element_type, shape, numbers);
    if (tensor) return rw_.constant(*std::move(tensor));
    rw_.fail(std::move(tensor).error());
    return like;
  }

  Value moved_axes(const Value& axes, std::size_t rank) {
    if (auto numbers = constant_numbers(axes)) {
      for (std::int64_t& axis : *numbers) axis = moved_axis(axis, rank);
      return list_like(axes, *std::move(numbers), axes.node().as<Const>()->value.shape());
    }
    Value& made = moved_axes_[{axes.id(), rank}];
    if (made) return made;
    // Computed axes index the list of new places; negative ones count from the back there as well.
    const Value places = list_like(axes, order_to_channels_last(rank), {static_cast<std::int64_t>(rank)});
    return made = rw_.create(ops::v8::Gather{}, places, axes, rw_.scalar<std::int64_t>(0));
  }

  Value moved_list(const Value& list, std::size_t rank) {
    // The shape of another channels-first tensor: as it was before its order was restored.
    if (const auto it = channels_first_shapes_.find(list.id()); it != channels_first_shapes_.end()) return it->second;
    Value& made = moved_lists_[{list.id(), rank}];
    if (!made)
      made =
          rw_.fold(ops::v8::Gather{}, list, rw_.integers(order_to_channels_first(rank)), rw_.scalar<std::int64_t>(0));
    return made;
  }

  void connect(const Node& node, std::size_t i, const Value& source) {
    const Value before = node.input(i);
    if (before == source) return;
    if (auto connected = node.in_port(i).connect(source); !connected) return rw_.fail(std::move(connected).error());
    if (before) left_.push_back(before.node());
  }

  Rewriter& rw_;
  const Plan& plan_;
  /// Tensors of the original graph that others took the place of, with the same label: bypassed Transposes, restored
  /// shapes.
  std::map<ValueId, Value> stands_for_;
  /// A tensor in the other label (0), or in channels-first with more dimensions (their number).
  std::map<std::pair<ValueId, std::size_t>, Value> changed_;
  /// Computed axes, and lists with one number for each dimension, for channels-first tensors of a rank.
  std::map<std::pair<ValueId, std::size_t>, Value> moved_axes_;
  std::map<std::pair<ValueId, std::size_t>, Value> moved_lists_;
  /// Restored shapes -> the shapes of the channels-first tensors.
  std::map<ValueId, Value> channels_first_shapes_;
  std::vector<Node> left_;
};

}  // namespace

Expected<void> apply_plan(Rewriter& rewriter, const Plan& plan) { return Applier(rewriter, plan).run(); }

}  // namespace mo::phases::layout
