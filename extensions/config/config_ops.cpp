#include "extensions/config/config_ops.hpp"

#include <fmt/format.h>

#include <algorithm>

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
            .hint("a start point has one input: choose the nodes that read it, or one before it with include_inputs_to_sub_graph false");
    }
  return {};
}

Expected<AttributeMap> printable_attributes(const Descriptor& descriptor) {
  AttributeMap attributes;
  for (const AttributeMap::Item& item : descriptor.custom()) {
    if (item.value.is_none()) continue;
    if (item.name.empty() || item.name.front() == '@' || !to_ir_text(item.value))
      return error("MO-CONFIG-0018", "the custom attribute \"{}\" cannot be written to an IR: it is {}", item.name, item.value.kind_name())
          .hint("attributes of an op are numbers, texts, true or false, and flat lists of them")
          .in_file(descriptor.location);
    attributes.set(item.name, item.value);
  }
  return attributes;
}

Expected<Op> make_op(const Descriptor& descriptor, const SubgraphMatch& match, const OpRegistry& ops) {
  if (const OpType* type = ops.newest(descriptor.op)) {
    if (descriptor.channels_first && !type->data_layout)
      return error("MO-CONFIG-0029", "{} is an op that mo knows, which has its own rule of layouts", descriptor.op)
          .hint("remove \"layout\"")
          .in_file(descriptor.location);
    Op op(*type);
    for (const AttributeMap::Item& item : descriptor.custom())
      if (!item.value.is_none()) MO_TRY(op.set_attribute(item.name, item.value));
    if (descriptor.channels_first) *type->data_layout(op.payload()) = model_layout(match.matched_nodes().front());
    return op;
  }
  ops::CustomOperation custom;
  custom.type = descriptor.op;
  MO_ASSIGN(custom.attributes, printable_attributes(descriptor));
  MO_ASSIGN(Body body, body_of(match));
  custom.body = std::move(body);
  if (descriptor.channels_first) custom.layout = model_layout(match.matched_nodes().front());
  return ops::custom_operation(std::move(custom));
}

Replacement replace_by_op(const Descriptor& descriptor, const OpRegistry& ops, SubgraphMatch& match, Rewriter& rw) {
  const auto made = [&]() -> Expected<Outputs> {
    MO_TRY(check_start_points(descriptor, match));
    complete(descriptor, match);
    MO_TRY(check_ports(match));
    std::vector<Value> inputs;
    for (std::size_t i = 0; i < match.inputs_count(); ++i) {
      MO_ASSIGN(const Value input, match.input(i));
      inputs.push_back(input);
    }
    MO_ASSIGN(Op op, make_op(descriptor, match, ops));
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
  Pass pass =
      graph_pass(std::string(name)).phase(Phase::extraction).only_top_level().run([](Graph&, PassContext&) -> Expected<bool> { return false; });
  pass.after = std::move(after);
  pass.before = std::move(before);
  return pass;
}

bool is_config_replacer(const Pass& pass) {
  return std::find(pass.after.begin(), pass.after.end(), kConfigReplacementStart) != pass.after.end() && pass.name != kConfigReplacementFinish;
}

}  // namespace

Pass config_ops(const OpRegistry& ops) {
  return graph_pass("ConfigOps")
      .phase(Phase::extraction)
      .run_after({"Extraction"})
      .run_before({"OutputCut"})
      .only_top_level()
      .run([&ops](Graph& graph, PassContext& context) -> Expected<bool> {
        bool changed = false;
        for (const Descriptor& descriptor : context.settings.get<Replacements>().descriptors) {
          if (descriptor.op.empty()) continue;
          MO_ASSIGN(const bool replaced, replace_matches(descriptor, graph, context, [&](SubgraphMatch& match, Rewriter& rw, PassContext&) {
                      return replace_by_op(descriptor, ops, match, rw);
                    }));
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

Expected<void> check_ids(const std::vector<Descriptor>& descriptors, const PassManager& passes) {
  MO_ASSIGN(const std::vector<const Pass*> members, passes.order(Phase::extraction));
  std::vector<std::string> known;
  for (const Pass* pass : members)
    if (is_config_replacer(*pass)) known.push_back(pass->name);
  std::vector<Diagnostic> failed;
  for (const Descriptor& descriptor : descriptors) {
    if (!descriptor.op.empty() || std::find(known.begin(), known.end(), descriptor.replacement_id) != known.end()) continue;
    const std::string near = nearest(descriptor.replacement_id, known, descriptor.replacement_id.size() / 2);
    failed.push_back(error("MO-CONFIG-0009", "there is no replacer of the id \"{}\"", descriptor.replacement_id)
                         .hint("{}", near.empty()
                                         ? std::string("write \"op\" to replace the sub-graph by an op, or load the plugin that has the replacer")
                                         : fmt::format("did you mean \"{}\"?", near))
                         .in_file(descriptor.location));
  }
  if (!failed.empty()) return Error(std::move(failed));
  return {};
}

}  // namespace mo::config
