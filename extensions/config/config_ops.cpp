#include "extensions/config/config_ops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/support/nearest.hpp"
#include "extensions/config/config_replacement.hpp"
#include "extensions/config/matching.hpp"
#include "extensions/config/model_layout.hpp"
#include "ops/custom_operation.hpp"

namespace mo::config {
namespace {

/// What the descriptor leaves open.
void complete(const Descriptor& descriptor, SubgraphMatch& match) {
  if (descriptor.match_kind != MatchKind::scope || (descriptor.has_inputs && descriptor.has_outputs)) return;
  const Boundary boundary = boundary_of(match.matched_nodes());
  if (!descriptor.has_inputs)
    for (std::size_t i = 0; i < boundary.inputs.size(); ++i)
      for (const NodePort& place : boundary.inputs[i]) match.add_input(i, place);
  if (!descriptor.has_outputs)
    for (std::size_t i = 0; i < boundary.outputs.size(); ++i) match.set_output(i, boundary.outputs[i]);
}

/// Inputs and outputs without gaps, each with a tensor.
Expected<void> check_ports(const SubgraphMatch& match) {
  for (std::size_t i = 0; i < match.inputs_count(); ++i) MO_TRY(match.input(i));
  for (std::size_t i = 0; i < match.outputs_count(); ++i) MO_TRY(match.output_node(i));
  return {};
}

/// Input i of the op is input 0 of start point i: another input would be lost.
Expected<void> check_start_points(const Descriptor& descriptor, const SubgraphMatch& match) {
  if (descriptor.match_kind != MatchKind::points || !descriptor.include_inputs) return {};
  for (const auto& [i, places] : match.inputs())
    for (const NodePort& place : places) {
      std::size_t connected = 0;
      for (const InPort& port : place.node.in_ports()) connected += port.disconnected() ? 0 : 1;
      if (connected > 1)
        return place.node.error("MO-CONFIG-0023", "the start point '{}' has {} inputs", place.node.name(), connected)
            .hint(
                "a start point has one input: choose the nodes that read it, or one before it with "
                "include_inputs_to_sub_graph false");
    }
  return {};
}

Expected<AttributeMap> printable_attributes(const Descriptor& descriptor) {
  AttributeMap attributes;
  for (const AttributeMap::Item& item : descriptor.custom()) {
    if (item.value.is_none()) continue;
    if (item.name.empty() || item.name.front() == '@' || !to_ir_text(item.value))
      return error("MO-CONFIG-0018", "the custom attribute \"{}\" cannot be written to an IR: it is {}", item.name,
                   item.value.kind_name())
          .hint("attributes of an op are numbers, strings, true or false, and flat lists of them")
          .in_file(descriptor.location);
    attributes.set(item.name, item.value);
  }
  return attributes;
}

/// Whether a descriptor may say how the layer gets its images: an op of an op set says that itself.
bool takes_layout(const OpType* known) { return !known || !known->infer || known->data_layout || known->with_layout; }

/// An op that computes the same in either layout has that of its neighbours where nothing is said.
bool follows_neighbours(const OpType* known) { return known && known->layout_rule.follows && !known->data_layout; }

/// How the layer gets its images. IRs of version 10 are channels-first, as the original's; later ones keep the layout
/// of the model where nothing asks for the other one.
bool wants_channels_first(const Descriptor& descriptor, const OpType* known, const PassContext& context) {
  return descriptor.channels_first.value_or(context.settings.ir_version == 10 && takes_layout(known) &&
                                            !follows_neighbours(known));
}

/// What its author may not expect of the layer that the descriptor makes. Warning MO-CONFIG-0038: its name is nearly
/// that of an op, and no runtime will know it. Note MO-CONFIG-0037: its images are channels-last.
void tell_of_layer(const Descriptor& descriptor, const Node& matched, const OpRegistry& ops, PassContext& context) {
  const OpType* const type = ops.newest(descriptor.op);
  std::vector<std::string> known;
  for (const OpType* op : ops.all()) known.emplace_back(op->name);
  if (const std::string near = type ? "" : nearest(descriptor.op, known, descriptor.op.size() / 4); !near.empty())
    context.diagnostics.report(
        warning("MO-CONFIG-0038", "\"{}\": {} is not an op of mo, and is written as a layer of op set extension",
                descriptor.replacement_id, descriptor.op)
            .hint("did you mean {}? Ignore this when the runtime has an extension for {}", near, descriptor.op)
            .in_file(descriptor.location));
  const bool is_open = !descriptor.channels_first && takes_layout(type) && !follows_neighbours(type) &&
                       !wants_channels_first(descriptor, type, context);
  if (!is_open || model_layout(matched) != DataLayout::channels_last) return;
  Diagnostic note = warning("MO-CONFIG-0037", "\"{}\": the layer {} gets images as the model has them, channels-last",
                            descriptor.replacement_id, descriptor.op)
                        .hint("specify \"layout\": \"model\", or \"layout\": \"channels_first\" for the other one")
                        .in_file(descriptor.location);
  note.severity = Severity::note;
  context.diagnostics.report(std::move(note));
}

Expected<Op> op_with_attributes(const Descriptor& descriptor, const OpType& type) {
  Op op(type);
  for (const AttributeMap::Item& item : descriptor.custom())
    if (!item.value.is_none()) MO_TRY(op.set_attribute(item.name, item.value));
  return op;
}

/// What an IR says of a layer whose struct has no inference.
Expected<AttributeMap> described_attributes(const Descriptor& descriptor, const OpType& type) {
  MO_ASSIGN(const Op op, op_with_attributes(descriptor, type));
  const Op plain(type);
  AttributeMap attributes;
  for (const AttributeInfo& info : type.attributes) {
    AttributeValue value = info.get(op.payload());
    if (info.internal || value.is_none() || (info.omitted_at_default && value == info.get(plain.payload()))) continue;
    attributes.set(info.name, std::move(value));
  }
  return attributes;
}

/// An op that mo or a plugin can infer.
Expected<Op> known_op(const Descriptor& descriptor, const OpType& type, DataLayout of_model,
                      const PassContext& context) {
  const bool channels_first = wants_channels_first(descriptor, &type, context);
  if (channels_first && !takes_layout(&type))
    return error("MO-CONFIG-0029", "{} is an op of mo, which has its own layout rule", descriptor.op)
        .hint("remove \"layout\": the op gets its images as it needs them")
        .in_file(descriptor.location);
  MO_ASSIGN(Op op, op_with_attributes(descriptor, channels_first && type.with_layout ? *type.with_layout : type));
  if (channels_first) *op.type().data_layout(op.payload()) = of_model;
  return op;
}

Expected<Op> make_op(const Descriptor& descriptor, const SubgraphMatch& match, const OpRegistry& ops,
                     const PassContext& context) {
  const OpType* const type = ops.newest(descriptor.op);
  const DataLayout of_model = model_layout(match.matched_nodes().front());
  if (type && type->infer) return known_op(descriptor, *type, of_model, context);
  ops::CustomOperation custom;
  custom.type = descriptor.op;
  if (type && !type->opset_name.empty()) custom.op_set = type->opset_name;
  MO_ASSIGN(custom.attributes, type ? described_attributes(descriptor, *type) : printable_attributes(descriptor));
  MO_ASSIGN(Body body, body_of(match));
  custom.body = std::move(body);
  if (wants_channels_first(descriptor, type, context)) custom.layout = of_model;
  return ops::custom_operation(std::move(custom));
}

Replacement replace_by_op(const Descriptor& descriptor, const OpRegistry& ops, SubgraphMatch& match, Rewriter& rw,
                          const PassContext& context) {
  const auto made = [&]() -> Expected<Outputs> {
    MO_TRY(check_start_points(descriptor, match));
    complete(descriptor, match);
    MO_TRY(check_ports(match));
    std::vector<Value> inputs;
    for (std::size_t i = 0; i < match.inputs_count(); ++i) {
      MO_ASSIGN(const Value input, match.input(i));
      inputs.push_back(input);
    }
    MO_ASSIGN(Op op, make_op(descriptor, match, ops, context));
    const std::size_t outputs = std::max<std::size_t>({match.outputs_count(), op.type().traits.outputs, 1});
    const Node node = rw.create_node(std::move(op), inputs, outputs);
    for (const Node& matched : match.matched_nodes())
      if (!matched.is<Const>()) node.add_sources_of(matched);
    Outputs values;
    for (std::size_t i = 0; i < match.outputs_count(); ++i) values.push_back(node.out_port(i));
    return values;
  }();
  if (!made) return made.error();
  return *made;
}

Pass anchor(std::string_view name, std::vector<std::string> after, std::vector<std::string> before) {
  Pass pass = graph_pass(std::string(name))
                  .phase(Phase::extraction)
                  .only_top_level()
                  .run([](Graph&, PassContext&) -> Expected<bool> { return false; });
  pass.after = std::move(after);
  pass.before = std::move(before);
  return pass;
}

bool is_config_replacer(const Pass& pass) {
  return std::find(pass.after.begin(), pass.after.end(), kConfigReplacementStart) != pass.after.end() &&
         pass.name != kConfigReplacementFinish;
}

}  // namespace

Pass config_ops(const Registry& registry) {
  return graph_pass("ConfigOps")
      .phase(Phase::extraction)
      .run_after({"Extraction"})
      .run_before({"OutputCut"})
      .only_top_level()
      .run([&registry](Graph& graph, PassContext& context) -> Expected<bool> {
        bool changed = false;
        for (const Descriptor& descriptor : context.settings.get<Replacements>().descriptors) {
          if (descriptor.op.empty()) continue;
          const OpRegistry& ops = registry.ops();
          const auto replace = [&, told = false](SubgraphMatch& match, Rewriter& rw, PassContext& own) mutable {
            if (!std::exchange(told, true)) tell_of_layer(descriptor, match.matched_nodes().front(), ops, own);
            return replace_by_op(descriptor, ops, match, rw, own);
          };
          MO_ASSIGN(const bool replaced, replace_matches(descriptor, graph, context, replace));
          changed = changed || replaced;
        }
        return changed;
      });
}

std::vector<Pass> replacement_anchors(std::vector<std::string> before_control_flow) {
  const std::string start(kConfigReplacementStart);
  const std::string finish(kConfigReplacementFinish);
  std::vector<Pass> passes;
  passes.push_back(anchor(kConfigReplacementStart, {"FreezeInputs"}, {}));
  passes.push_back(anchor(kConfigReplacementFinish, {start}, {}));
  passes.push_back(anchor(kControlFlowStart, {finish}, std::move(before_control_flow)));
  return passes;
}

bool follows_configuration(const Pass& pass) { return pass.name == "ConfigOps" || is_config_replacer(pass); }

Expected<void> check_ids(const std::vector<Descriptor>& descriptors, const PassManager& passes) {
  MO_ASSIGN(const std::vector<const Pass*> members, passes.order(Phase::extraction));
  std::vector<std::string> known;
  for (const Pass* pass : members)
    if (is_config_replacer(*pass)) known.push_back(pass->name);
  std::vector<Diagnostic> failed;
  for (const Descriptor& descriptor : descriptors) {
    if (!descriptor.op.empty() || std::find(known.begin(), known.end(), descriptor.replacement_id) != known.end())
      continue;
    const std::string near = nearest(descriptor.replacement_id, known, descriptor.replacement_id.size() / 2);
    failed.push_back(
        error("MO-CONFIG-0009", "there is no replacer with the id \"{}\"", descriptor.replacement_id)
            .hint("{}",
                  near.empty()
                      ? std::string(
                            "write \"op\" to replace the sub-graph by an op, or load the plugin that has the replacer")
                      : fmt::format("did you mean \"{}\"?", near))
            .in_file(descriptor.location));
  }
  if (!failed.empty()) return Error(std::move(failed));
  return {};
}

}  // namespace mo::config
