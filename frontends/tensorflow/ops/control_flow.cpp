#include <fmt/format.h>

#include "core/registry/operator_table.hpp"

namespace mo {

/// The branches of a Case.
template <>
struct AttributeCodec<std::vector<Body>> {
  static constexpr AttributeKind kind = AttributeKind::list;
  static Expected<std::vector<Body>> decode(const AttributeValue& value) {
    // A list without elements has no kind of its own.
    if (const auto* numbers = value.get_if<std::vector<std::int64_t>>(); numbers && numbers->empty()) return std::vector<Body>();
    const auto* list = value.get_if<AttributeList>();
    if (!list) return wrong_kind("a list of graphs", value);
    std::vector<Body> bodies;
    for (const AttributeValue& item : *list) {
      const Body* body = item.get_if<Body>();
      if (!body) return wrong_kind("a graph", item);
      bodies.push_back(*body);
    }
    return bodies;
  }
};

}  // namespace mo

namespace mo::tensorflow {
namespace {

Expected<Op> plain_frame_op(const FrameworkNode& node, std::string_view name, std::size_t outputs) {
  node.ignore({"T"});  // also a type that no tensor has, such as DT_RESOURCE
  if (outputs > 0) node.declare_outputs(outputs);
  return front_op(name);
}

Expected<Op> extract_enter(const FrameworkNode& node) {
  node.ignore({"T", "is_constant", "parallel_iterations"});
  return front_op("TfEnter", {{"frame_name", node.attr("frame_name", "")}});
}

Expected<Op> extract_merge(const FrameworkNode& node) {
  node.ignore({"N", "T"});
  node.declare_outputs(2);
  return front_op("TfMerge");
}

Expected<Op> extract_if(const FrameworkNode& node) {
  node.ignore({"Tin", "Tout", "output_shapes"});
  Body then_body = node.required<Body>("then_branch");
  Body else_body = node.required<Body>("else_branch");
  if (node.failure()) return *node.failure();
  AttributeMap attributes{{"then_branch", std::move(then_body)}, {"else_branch", std::move(else_body)}};
  if (const auto type = node.optional_attr<ElementType>("Tcond")) attributes.set("Tcond", *type);
  return front_op("TfIf", std::move(attributes));
}

Expected<Op> extract_while(const FrameworkNode& node) {
  node.ignore({"T", "output_shapes", "parallel_iterations"});
  Body condition = node.required<Body>("cond");
  Body body = node.required<Body>("body");
  if (node.failure()) return *node.failure();
  return front_op("TfWhile", {{"cond", std::move(condition)}, {"body", std::move(body)}});
}

/// Each branch is an attribute of its own: that is where passes look for bodies.
Expected<Op> extract_case(const FrameworkNode& node) {
  node.ignore({"Tin", "Tout", "output_shapes"});
  auto branches = node.required<std::vector<Body>>("branches");
  if (node.failure()) return *node.failure();
  AttributeMap attributes;
  for (Body& branch : branches) attributes.set(fmt::format("branch_{}", attributes.size()), std::move(branch));
  if (attributes.empty()) return node.error("MO-TF-0757", "there are no branches").hint("check how the model was made");
  return front_op("TfCase", std::move(attributes));
}

}  // namespace

/// TensorFlow 1: frames (Enter … Exit) and conditionals (Switch, Merge). TensorFlow 2: functions as branches and bodies.
void register_control_flow(OperatorTable& table) {
  for (const std::string prefix : {"", "Ref"}) {
    table.extract(prefix + "Enter", extract_enter);
    table.extract(prefix + "Merge", extract_merge);
    table.extract(prefix + "Switch", [](const FrameworkNode& node) { return plain_frame_op(node, "TfSwitch", 2); });
    table.extract(prefix + "Exit", [](const FrameworkNode& node) { return plain_frame_op(node, "TfExit", 0); });
    table.extract(prefix + "NextIteration", [](const FrameworkNode& node) { return plain_frame_op(node, "TfNextIteration", 0); });
  }
  table.extract("LoopCond", [](const FrameworkNode& node) { return plain_frame_op(node, "TfLoopCond", 0); });
  for (const std::string prefix : {"", "Stateless"}) {
    table.extract(prefix + "If", extract_if);
    table.extract(prefix + "While", extract_while);
    table.extract(prefix + "Case", extract_case);
  }
}

}  // namespace mo::tensorflow
