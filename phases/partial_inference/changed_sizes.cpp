#include "phases/partial_inference/changed_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "core/graph/values.hpp"
#include "core/support/log.hpp"
#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/reshape.hpp"
#include "phases/front/exported_shape.hpp"
#include "phases/front/framework_op.hpp"
#include "phases/partial_inference/size_rewrites.hpp"

namespace mo::phases {
namespace {

using Numbers = std::vector<std::int64_t>;

std::string called(const Value& value) {
  const std::string_view name = value.data().first_tensor_name();
  return fmt::format("'{}'", name.empty() ? value.node().name() : name);
}

}  // namespace

void ChangedSizes::reach(Rewriter& rewriter, const Node& node) {
  const ExportedInputs* const before = exported_->inputs_of(node);
  if (!before) return;
  if (node.is<Result>()) {
    set_exported_shape(node, before->shapes[0]);
    return;
  }
  if (!before->has_changed(node)) return;
  const std::string_view op = framework_op(node.op_type(), framework_).value_or("");
  if (node.is<ops::Concat>() || op == "ConcatV2") {
    repair_concat(rewriter, node, *before);
  } else if (batch_is_assumed_) {
    repair_loop(rewriter, node, *before);
    repair_states(rewriter, node, *before);
  } else if (node.is<ops::Reshape>() || (op == "Reshape" && node.in_port_count() == 2)) {
    repair_target(rewriter, node, *before);
  } else if (const auto* broadcast = node.as<ops::v3::Broadcast>(); broadcast || op == "BroadcastTo") {
    repair_broadcast(rewriter, node, *before, broadcast && broadcast->mode == ops::v3::BroadcastMode::bidirectional);
  } else if (op == "Slice" && framework_ == "onnx") {
    repair_slice(rewriter, node, *before);
  } else if (op == "Gather" && framework_ == "onnx") {
    repair_gather(rewriter, node, *before);
  } else {
    repair_loop(rewriter, node, *before);
    repair_states(rewriter, node, *before);
  }
  rewriter.take_created();
  rewriter.take_touched();
  rewriter.take_error();  // inference of the node says what is wrong
}

void ChangedSizes::repair_target(Rewriter& rewriter, const Node& node, const ExportedInputs& before) {
  const auto target = before.constant(node, 1);
  const auto exported = before.shapes[0].to_shape();
  if (!target || !exported || std::count(exported->begin(), exported->end(), 0) > 0 ||
      node.input_type(0).rank() != before.shapes[0].rank())
    return;
  const auto* reshape = node.as<ops::Reshape>();
  const ReshapeRepair repair = repair_reshape({.exported = *exported,
                                               .now = node.input_type(0).shape,
                                               .target = *target,
                                               .copies = reshape && reshape->special_zero,
                                               .may_copy = reshape != nullptr},
                                              merged_, rewriter.graph().size_symbols());
  if (repair.lost_axis) {
    const std::size_t axis = *repair.lost_axis;
    const Dimension& now = node.input_type(0).shape[axis];  // without its symbol, which means nothing to users
    keep(node, 1,
         fmt::format("dimension {} of the data, which was {} and is {} now, is not an element of {}", axis,
                     (*exported)[axis], Dimension(now.min(), now.max()).to_string(), to_string(*target)));
    return;
  }
  if (repair.target.empty()) return;
  const bool copies = std::any_of(repair.target.begin(), repair.target.end(),
                                  [](const TargetElement& element) { return element == TargetElement{.number = 0}; });
  if (copies && reshape) node.as<ops::Reshape>()->special_zero = true;
  set_input(rewriter, node, 1, target_of(rewriter, node.input(0), repair.target));
}

void ChangedSizes::repair_broadcast(Rewriter& rewriter, const Node& node, const ExportedInputs& before,
                                    bool bidirectional) {
  const auto target = before.constant(node, 1);
  const PartialShape& data = node.input_type(0).shape;
  if (!target || !data.has_rank() || data.size() > target->size()) return;
  std::vector<TargetElement> made;
  for (const std::int64_t number : *target) made.push_back({.number = number});
  bool changed = false;
  for (std::size_t axis = 0; axis < data.size(); ++axis) {
    const auto size = before.changed_size(node, 0, axis);
    if (!size) continue;
    TargetElement& element = made[target->size() - data.size() + axis];
    if (bidirectional && element.number == 1) continue;  // takes the dimension of the data
    if (element.number != *size) {
      keep(node, 1, fmt::format("a dimension that was {} was broadcast to {}", *size, element.number));
      return;
    }
    element = bidirectional ? TargetElement{.number = 1}
                            : TargetElement{TargetElement::Kind::computed, 1, static_cast<std::int64_t>(axis), 1};
    changed = true;
  }
  if (changed) set_input(rewriter, node, 1, target_of(rewriter, node.input(0), made));
}

void ChangedSizes::repair_slice(Rewriter& rewriter, const Node& node, const ExportedInputs& before) {
  const auto starts = before.constant(node, 1);
  auto ends = before.constant(node, 2);
  const auto rank = node.input_type(0).rank();
  if (!starts || !ends || starts->size() != ends->size() || !rank) return;
  const auto axes = before.constant(node, 3);
  const auto steps = before.constant(node, 4);
  bool changed = false;
  for (std::size_t i = 0; i < ends->size(); ++i) {
    const auto axis = normalize_axis(axes && i < axes->size() ? (*axes)[i] : static_cast<std::int64_t>(i), *rank);
    if (!axis || (steps && i < steps->size() && (*steps)[i] < 1)) continue;
    const auto size = before.changed_size(node, 0, static_cast<std::size_t>(*axis));
    if (!size || (*ends)[i] != *size) continue;
    (*ends)[i] = node.input_type(2).element_type == ElementType::i32 ? std::numeric_limits<std::int32_t>::max()
                                                                     : std::numeric_limits<std::int64_t>::max();
    changed = true;
  }
  if (!changed) return;
  set_input(rewriter, node, 2, integers_like(rewriter, *ends, node.input(2)));
}

void ChangedSizes::repair_gather(Rewriter& rewriter, const Node& node, const ExportedInputs& before) {
  // The node goes before its translator reads it: an attribute that only the translator knows, or refuses, stays with
  // it.
  const AttributeMap attributes = node.attributes();
  if (std::any_of(attributes.begin(), attributes.end(),
                  [](const auto& attribute) { return attribute.name != "axis" && !attribute.name.starts_with('@'); }))
    return;
  const Node flat = node.input(0).node();
  const ExportedInputs* const of_flat = flat.is<ops::Reshape>() ? exported_->inputs_of(flat) : nullptr;
  const auto data = of_flat ? of_flat->shapes[0].to_shape() : std::nullopt;
  const auto indices = before.constant(node, 1);
  const auto shape = node.input_type(1).shape.to_shape();
  if (!data || !indices || !shape || node.input_type(0).rank() != 1 || element_count(*data) != indices->size()) return;
  for (std::size_t i = 0; i < indices->size(); ++i)
    if ((*indices)[i] != static_cast<std::int64_t>(i)) return;
  const Value source = flat.input(0);
  if (source.type().rank() != static_cast<std::int64_t>(data->size())) return;
  const ReshapeRepair repair =
      repair_reshape({*data, source.type().shape, *shape, true, true}, merged_, rewriter.graph().size_symbols());
  if (repair.target.empty()) return;
  rewriter.replace(
      node, {rewriter.create(ops::Reshape{.special_zero = true}, source, target_of(rewriter, source, repair.target))});
}

void ChangedSizes::set_input(Rewriter& rewriter, const Node& node, std::size_t i, const Value& value) {
  if (rewriter.error()) return;
  const Value old = node.input(i);
  log::debug("{}: {} held a size of the exported model", node.name(), called(old));
  // Not through the rewriter, which would infer the node before all of its inputs are right.
  const Graph::QuietEdits quiet(rewriter.graph());
  if (auto done = node.in_port(i).connect(value); !done) return rewriter.fail(std::move(done).error());
  erase_if_dead(old.node());
}

void ChangedSizes::keep(const Node& node, std::size_t input, std::string what) {
  std::string note = fmt::format("{} holds a size of the exported model: {}", called(node.input(input)), what);
  Diagnostic told = node.warning("MO-FRONT-0023", "{}", note);
  if (!kept_.contains(node.id())) kept_order_.push_back(node.id());
  kept_[node.id()] = {std::move(told), std::move(note)};
}

void ChangedSizes::explain(const Node& node, Error& error) {
  const ExportedInputs* const before = exported_->inputs_of(node);
  const auto kept = kept_.find(node.id());
  if (error.items().empty() || (kept == kept_.end() && !(before && before->has_changed(node)))) return;
  Diagnostic& first = error.items().front();
  if (kept != kept_.end()) first.add_note(kept->second.note);
  first.hint_text =
      fmt::format("convert with the sizes of the exported model, {}, or export the model with sizes that may change",
                  option_for_export(node.graph()));
  if (kept != kept_.end()) kept_.erase(kept);
}

void ChangedSizes::report(const Graph& graph, DiagnosticSink& sink) {
  for (const NodeId id : kept_order_)
    if (const auto kept = kept_.find(id); kept != kept_.end())
      sink.report(
          std::move(kept->second.diagnostic)
              .hint("convert with the sizes of the exported model, {}, or export the model with sizes that may change",
                    option_for_export(graph)));
}

}  // namespace mo::phases
