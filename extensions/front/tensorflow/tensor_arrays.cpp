#include <algorithm>
#include <unordered_set>

#include "extensions/front/tensorflow/support/graphs.hpp"
#include "extensions/front/tensorflow/support/lists.hpp"

namespace mo::front::tensorflow {
namespace {

/// An operator on a TensorArray and the operator on lists that it is: where the inputs of that one come from.
struct Row {
  std::string_view from;  ///< without its version
  std::string_view to;
  std::size_t flow;  ///< input that carries the state of the array
  std::vector<std::size_t> inputs;
  bool makes_list;  ///< output 0 is the flow of the new state
};

constexpr std::size_t kNone = 99;  ///< stands for an input that is not connected
/// and for one that is an attribute of operators on arrays: the shape of their elements
constexpr std::size_t kElementShape = 98;

const std::vector<Row>& rows() {
  static const std::vector<Row> table = {{"TensorArrayRead", kListRead, 2, {2, 1}, false},
                                         {"TensorArrayWrite", kListWrite, 3, {3, 1, 2}, true},
                                         {"TensorArrayGather", kListGather, 2, {2, 1, kElementShape}, false},
                                         {"TensorArrayScatter", kListScatter, 3, {3, 2, 1}, true},
                                         {"TensorArrayPack", kListStack, 1, {1, kElementShape}, false},
                                         {"TensorArrayConcat", kListConcat, 1, {1}, false},
                                         {"TensorArraySplit", kListSplit, 3, {1, kNone, 2}, true},
                                         {"TensorArrayUnpack", kArrayUnpack, 2, {2, 1}, true},
                                         {"TensorArraySize", kListSize, 1, {1}, false}};
  return table;
}

/// "TensorArrayRead" of a TensorArrayReadV3. Inputs are the same in all versions.
std::string_view array_operator(const Node& node) {
  std::string_view op = node.type();
  if (!op.starts_with("tf::TensorArray")) return {};
  op.remove_prefix(4);
  if (op.ends_with("V2") || op.ends_with("V3")) op.remove_suffix(2);
  return op;
}

bool makes_array(const Node& node) { return array_operator(node) == "TensorArray"; }

const Row* row_of(const Node& node) {
  const std::string_view op = array_operator(node);
  const auto found = std::find_if(rows().begin(), rows().end(), [&](const Row& row) { return row.from == op; });
  return found == rows().end() ? nullptr : &*found;
}

/// What hands on a handle or a flow as it is.
bool hands_on(const Node& node) {
  return is_enter(node) || is_switch(node) || is_merge(node) || is_exit(node) || is_identity(node);
}

Diagnostic unknown_array(const Node& node) {
  return node.error("MO-TF-0764", "cannot infer to which TensorArray '{}' belongs", node.name())
      .hint(
          "the TensorArray is created outside of the model or has been cut off: cut elsewhere with --input and "
          "--output");
}

/// Follows a handle back to the node that makes the array. Handles only go through Enter, Switch, Merge and Identity.
Node array_of(Value handle) {
  constexpr int kMostSteps = 256;
  for (int step = 0; step < kMostSteps; ++step) {
    handle = plain(handle);
    if (!handle) return {};
    const Node node = handle.node();
    if (makes_array(node)) return node;
    if (!hands_on(node)) return {};
    handle = node.input(0);
  }
  return {};
}

/// The input port at the beginning of a chain of flows that reads something else than a flow of an array; none when it
/// begins at an array.
InPort foreign_flow(InPort port) {
  std::unordered_set<UseId> seen;
  while (port && seen.insert(port.id()).second) {
    const Value source = port.get_source();
    if (!source) return {};
    const Node node = source.node();
    const Row* row = row_of(node);
    if (makes_array(node) || (row && !row->makes_list)) return {};
    if (row)
      port = node.in_port(row->flow);
    else if (hands_on(node))
      port = node.in_port(0);
    else if (node.is<Const>())
      return port;
    else
      return {};
  }
  return {};
}

/// The number 0.0 stands for the flow of an array of the older versions, which have no output for it: the array itself
/// takes its place.
Expected<void> connect_flow(const Node& node, const Row& row) {
  MO_TRY(FrameworkNode(node).expect_inputs(row.flow + 1));
  const InPort foreign = foreign_flow(node.in_port(row.flow));
  if (!foreign) return {};
  const Node array = array_of(node.input(0));
  if (!array) return unknown_array(node);
  return foreign.connect(array.out_port(0));
}

/// The shape of the elements as operators on lists take it: -1 for what is not known. `node`: an array, or one of its
/// users.
Value shape_input(Graph& graph, const FrameworkNode& node) {
  const auto shape = node.optional_attr<PartialShape>("element_shape");
  if (!shape) return {};
  if (!shape->has_rank()) return graph.create_constant(Tensor::scalar<std::int64_t>(-1)).output();
  std::vector<std::int64_t> dimensions;
  for (const Dimension& d : *shape) dimensions.push_back(d.is_known() ? d.value() : -1);
  return graph.create_constant(Tensor::vector(dimensions)).output();
}

Expected<void> convert(Graph& graph, const Node& node, const Row& row) {
  const FrameworkNode view(node);
  std::vector<Value> inputs;
  for (const std::size_t i : row.inputs)
    inputs.push_back(i == kNone ? Value() : i == kElementShape ? shape_input(graph, view) : node.input(i));
  AttributeMap attributes;
  if (const Node array = array_of(node.input(0))) {
    const FrameworkNode made(array);
    if (const auto type = made.optional_attr<ElementType>("dtype")) attributes.set("element_dtype", *type);
    attributes.set(kGrows, made.attr("dynamic_size", false));
    if (made.failure()) return *made.failure();
  } else {
    for (const std::string_view name : {"dtype", "T"})
      if (const auto type = view.optional_attr<ElementType>(name)) attributes.set("element_dtype", *type);
    if (view.failure()) return *view.failure();
  }
  const Node made = graph.create_node(Op(row.to, std::move(attributes)), inputs, node.out_port_count(), node.name());
  made.set_origin(node.origin());
  made.add_sources_of(node);
  for (const Node& before : node.control_inputs()) made.add_control_input(before);
  for (std::size_t i = 0; i < node.out_port_count(); ++i)
    MO_TRY(node.out_port(i).get_connection().set_source(made.out_port(i)));
  return {};
}

Expected<void> make_list(Graph& graph, const Node& array) {
  const FrameworkNode view(array);
  MO_TRY(view.expect_inputs(1));
  AttributeMap attributes;
  if (const auto type = view.optional_attr<ElementType>("dtype")) attributes.set("element_dtype", *type);
  const Value shape = shape_input(graph, view);
  if (view.failure()) return *view.failure();
  const Node list =
      graph.create_node(Op(kListReserve, std::move(attributes)), {shape, array.input(0)}, 1, array.name());
  list.set_origin(array.origin());
  list.add_sources_of(array);
  for (const OutPort& port : array.out_ports()) MO_TRY(port.get_connection().set_source(list.output()));
  graph.erase(array);
  return {};
}

/// A TensorArray is a list that its flow carries: ops on arrays become ops on lists, handles are not needed any more.
Expected<bool> convert_arrays(Graph& graph, PassContext&) {
  std::vector<Node> users;
  std::vector<Node> arrays;
  for (const Node node : graph.nodes()) {
    if (row_of(node)) users.push_back(node);
    if (makes_array(node)) arrays.push_back(node);
    // Closing an array gives nothing, so it is not an output of the model either.
    if (array_operator(node) != "TensorArrayClose") continue;
    for (const OutPort& port : node.out_ports())
      for (const InPort& reader : port.get_destinations())
        if (reader.node().is<Result>()) graph.erase(reader.node());
  }
  if (users.empty() && arrays.empty()) return false;
  for (const Node& node : users) MO_TRY(connect_flow(node, *row_of(node)));
  for (const Node& node : users) MO_TRY(convert(graph, node, *row_of(node)));
  for (const Node& node : users) graph.erase(node);
  for (const Node& node : arrays) MO_TRY(make_list(graph, node));
  remove_unreachable(graph);
  return true;
}

}  // namespace

void register_tensor_arrays(PassRegistry& passes) {
  passes.add(graph_pass("TfTensorArrays")
                 .phase(Phase::extraction)
                 .run_after({"FreezeInputs", "OutputCut"})
                 .run(convert_arrays));
}

}  // namespace mo::front::tensorflow
