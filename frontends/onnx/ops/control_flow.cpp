#include <map>

#include "core/registry/operator_table.hpp"
#include "ops/if.hpp"

namespace mo::onnx {
namespace {

/// Maps the Parameters of a branch, which are all captured tensors, to the input ports behind the condition.
Expected<std::vector<ops::InputMap>> map_captures(const FrameworkNode& node, const Graph& body, const std::vector<std::string>& captures) {
  std::map<std::string, std::int64_t, std::less<>> ports;
  for (std::size_t i = 0; i < captures.size(); ++i) ports.emplace(captures[i], 1 + static_cast<std::int64_t>(i));
  std::vector<ops::InputMap> maps;
  for (const Node& parameter : body.parameters()) {
    const auto port = ports.find(parameter.name());
    if (port == ports.end())
      return node.error("MO-ONNX-0219", "a branch has an input '{}'", parameter.name()).hint("the branches of an If have no inputs of their own");
    ops::InputMap map;
    map.input = port->second;
    map.parameter = static_cast<std::int64_t>(maps.size());
    maps.push_back(map);
  }
  return maps;
}

Expected<std::vector<ops::OutputMap>> map_results(const FrameworkNode& node, const Graph& body) {
  const std::size_t count = body.results().size();
  if (count < node.output_count())
    return node.error("MO-ONNX-0220", "a branch makes {} tensors, and the node has {} outputs", count, node.output_count())
        .hint("both branches make all outputs");
  std::vector<ops::OutputMap> maps;
  for (std::size_t i = 0; i < node.output_count(); ++i) {
    ops::OutputMap map;
    map.output = map.result = static_cast<std::int64_t>(i);
    maps.push_back(map);
  }
  return maps;
}

Expected<Op> extract_if(const FrameworkNode& node) {
  ops::If op;
  op.then_body = node.required<Body>("then_branch");
  op.else_body = node.required<Body>("else_branch");
  if (node.failure()) return *node.failure();
  const auto captures = node.attr("@captures", std::vector<std::string>());
  MO_ASSIGN(op.then_input_map, map_captures(node, op.then_body.graph(), captures));
  MO_ASSIGN(op.else_input_map, map_captures(node, op.else_body.graph(), captures));
  MO_ASSIGN(op.then_output_map, map_results(node, op.then_body.graph()));
  MO_ASSIGN(op.else_output_map, map_results(node, op.else_body.graph()));
  return op;
}

/// Inputs of Loop: trip count, condition, carried values, captured tensors. Both of the first may be missing, so a replacer makes the op.
Expected<Op> extract_loop(const FrameworkNode& node) {
  Body body = node.required<Body>("body");
  if (node.failure()) return *node.failure();
  const auto captures = node.attr("@captures", std::vector<std::string>());
  return front_op("OnnxLoop", {{"body", std::move(body)}, {"captures", captures}});
}

Expected<Op> extract_scan(const FrameworkNode& node, bool batched) {
  Body body = node.required<Body>("body");
  const auto scans = node.required<std::int64_t>("num_scan_inputs");
  if (node.failure()) return *node.failure();
  const auto captures = node.attr("@captures", std::vector<std::string>());
  const auto formal = static_cast<std::int64_t>(node.input_count()) - static_cast<std::int64_t>(captures.size()) - (batched ? 1 : 0);
  if (scans < 1 || scans > formal)
    return node.error("MO-ONNX-0221", "num_scan_inputs is {} of {} inputs", scans, formal).hint("Scan needs a sequence to go along");
  AttributeMap attributes{{"body", std::move(body)}, {"captures", captures}, {"num_scan_inputs", scans}};
  const auto lists = batched
                         ? std::vector<std::string_view>{"directions"}
                         : std::vector<std::string_view>{"scan_input_directions", "scan_output_directions", "scan_input_axes", "scan_output_axes"};
  for (const std::string_view name : lists)
    if (const auto values = node.optional_attr<std::vector<std::int64_t>>(name))
      attributes.set(name == "directions" ? "scan_input_directions" : name, *values);
  return front_op(batched ? "OnnxBatchedScan" : "OnnxScan", std::move(attributes));
}

}  // namespace

void register_control_flow(OperatorTable& table) {
  for (const VersionRange range : {versions(1, 10), versions(11, 12), since(13)}) {
    table.extract("If", range, extract_if);
    table.extract("Loop", range, extract_loop);
  }
  // ONNX Scan-8 runs a scan for each element of a batch and takes lengths as input 0.
  table.extract("Scan", versions(8, 8), [](const FrameworkNode& node) { return extract_scan(node, true); });
  table.extract("Scan", versions(9, 10), [](const FrameworkNode& node) { return extract_scan(node, false); });
  table.extract("Scan", since(11), [](const FrameworkNode& node) { return extract_scan(node, false); });
}

}  // namespace mo::onnx
