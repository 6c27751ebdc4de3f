#include <algorithm>
#include <unordered_set>

#include "extensions/support/front_shapes.hpp"
#include "extensions/support/tensorflow_graphs.hpp"

namespace mo::front::tensorflow {
namespace {

/// An op on a TensorArray and the list op that it is: where the list op's inputs come from.
struct Row {
  std::string_view from;
  std::string_view to;
  std::size_t flow;                 ///< input that carries the state of the array
  std::vector<std::size_t> inputs;  ///< further inputs of the list op
  bool makes_list;                  ///< output 0 is the flow of the new state
};

const std::vector<Row>& rows() {
  static const std::vector<Row> table = {{"TfArrayRead", "TfListRead", 2, {1}, false},     {"TfArrayWrite", "TfListWrite", 3, {1, 2}, true},
                                         {"TfArrayGather", "TfListGather", 2, {1}, false}, {"TfArrayScatter", "TfListScatter", 3, {1, 2}, true},
                                         {"TfArrayPack", "TfListStack", 1, {}, false},     {"TfArrayConcat", "TfListConcat", 1, {}, false},
                                         {"TfArraySplit", "TfListSplit", 3, {1, 2}, true}, {"TfArrayUnpack", "TfListScatterAll", 2, {1}, true},
                                         {"TfArraySize", "TfListSize", 1, {}, false}};
  return table;
}

const Row* row_of(const Node& node) {
  const auto& table = rows();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Row& row) { return node.is(row.from); });
  return found == table.end() ? nullptr : &*found;
}

Diagnostic unknown_array(const Node& node) {
  return node.error("MO-TF-0764", "nothing says to which TensorArray '{}' belongs", node.name())
      .hint("the TensorArray is made outside of the model or has been cut off: cut elsewhere with --input and --output");
}

/// Follows a handle back to the node that makes the array. Handles only go through Enter, Switch, Merge and Identity.
Node array_of(Value handle) {
  constexpr int kMostSteps = 256;
  for (int step = 0; step < kMostSteps; ++step) {
    handle = plain(handle);
    if (!handle) return {};
    const Node node = handle.node();
    if (node.is("TfArray")) return node;
    if (!node.is("TfEnter") && !node.is("TfSwitch") && !node.is("TfMerge") && !node.is("TfExit")) return {};
    handle = node.input(0);
  }
  return {};
}

/// The input port at the beginning of a chain of flows that reads something else than a flow of an array; none when it begins at an array.
InPort foreign_flow(InPort port) {
  std::unordered_set<UseId> seen;
  while (port && seen.insert(port.id()).second) {
    const Value source = port.get_source();
    if (!source) return {};
    const Node node = source.node();
    const Row* row = row_of(node);
    if (node.is("TfArray") || (row && !row->makes_list)) return {};
    if (row)
      port = node.in_port(row->flow);
    else if (node.is("TfEnter") || node.is("TfSwitch") || node.is("TfMerge") || node.is("TfExit") || node.op_type().name == "Identity")
      port = node.in_port(0);
    else if (node.is<Const>())
      return port;
    else
      return {};
  }
  return {};
}

/// The number 0.0 stands for the flow of an array of the older versions, which have no output for it: the array itself takes its place.
Expected<void> connect_flow(const Node& node, const Row& row) {
  const InPort port = node.in_port(row.flow);
  if (!port || port.disconnected()) return missing_input(node);
  const InPort foreign = foreign_flow(port);
  if (!foreign) return {};
  const Node array = array_of(node.input(0));
  if (!array) return unknown_array(node);
  return foreign.connect(array.out_port(0));
}

Expected<void> convert(Graph& graph, const Node& node, const Row& row) {
  std::vector<Value> inputs = {node.input(row.flow)};
  // The list op splits a tensor, and so has no list before.
  if (row.to == "TfListSplit") inputs.clear();
  for (const std::size_t i : row.inputs) {
    if (!node.input(i)) return missing_input(node);
    inputs.push_back(node.input(i));
  }
  AttributeMap attributes;
  const Node array = array_of(node.input(0));
  if (array) {
    if (const auto type = array.attr<ElementType>("element_dtype")) attributes.set("element_dtype", *type);
    attributes.set("grows", array.attr<bool>("grows").value_or(false));
  } else if (const auto type = node.attr<ElementType>("element_dtype")) {
    attributes.set("element_dtype", *type);
  }
  const Node made = graph.create_node(front_op(row.to, std::move(attributes)), inputs, node.out_port_count(), node.name());
  made.set_origin(node.origin());
  made.add_sources_of(node);
  for (const Node& before : node.control_inputs()) made.add_control_input(before);
  for (std::size_t i = 0; i < node.out_port_count(); ++i) MO_TRY(node.out_port(i).get_connection().set_source(made.out_port(i)));
  return {};
}

/// A TensorArray is a list that its flow carries: ops on arrays become ops on lists, handles are not needed any more.
Expected<bool> convert_arrays(Graph& graph, PassContext&) {
  std::vector<Node> users;
  std::vector<Node> arrays;
  for (const Node node : graph.nodes()) {
    // Closing an array gives nothing, so it is no output of the model either.
    if (!node.is("TfArrayClose")) continue;
    for (const OutPort& port : node.out_ports())
      for (const InPort& reader : port.get_destinations())
        if (reader.node().is<Result>()) graph.erase(reader.node());
  }
  for (const Node node : graph.nodes()) {
    if (row_of(node)) users.push_back(node);
    if (node.is("TfArray")) arrays.push_back(node);
  }
  if (users.empty() && arrays.empty()) return false;
  for (const Node& node : users) MO_TRY(connect_flow(node, *row_of(node)));
  for (const Node& node : users) MO_TRY(convert(graph, node, *row_of(node)));
  for (const Node& node : users) graph.erase(node);
  for (const Node& node : arrays) {
    if (!node.input(0)) return missing_input(node);
    AttributeMap attributes;
    for (const std::string_view name : {"element_dtype", "element_shape"})
      if (const AttributeValue value = node.attribute(name); !value.is_none()) attributes.set(name, value);
    const Node list = graph.create_node(front_op("TfListReserve", std::move(attributes)), {Value(), node.input(0)}, 1, node.name());
    list.set_origin(node.origin());
    list.add_sources_of(node);
    for (const OutPort& port : node.out_ports()) MO_TRY(port.get_connection().set_source(list.output()));
    graph.erase(node);
  }
  remove_unreachable(graph);
  return true;
}

}  // namespace

void register_tensor_arrays(PassRegistry& passes) {
  passes.add(graph_pass("TfTensorArrays").phase(Phase::extraction).run_after({"FreezeInputs", "OutputCut"}).run(convert_arrays));
}

}  // namespace mo::front::tensorflow
