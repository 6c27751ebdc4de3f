#include "frontends/tensorflow/link.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/graph/dead_nodes.hpp"
#include "core/graph/model_ends.hpp"
#include "core/support/nearest.hpp"
#include "frontends/common/hash_map.hpp"

namespace mo::tensorflow {
namespace {

/// Ops that exist for their effects, or that are not results of a model when they have no readers.
constexpr std::string_view kNoResults[] = {"Assert",
                                           "Assign",
                                           "AssignAdd",
                                           "AssignAddVariableOp",
                                           "AssignSub",
                                           "AssignSubVariableOp",
                                           "AssignVariableOp",
                                           "Const",
                                           "DestroyResourceOp",
                                           "HashTable",
                                           "HashTableV2",
                                           "InitializeTable",
                                           "InitializeTableV2",
                                           "InitializeTableFromTextFile",
                                           "InitializeTableFromTextFileV2",
                                           "IsVariableInitialized",
                                           "LookupTableImport",
                                           "MakeIterator",
                                           "InitializeTableFromDataset",
                                           "LookupTableImportV2",
                                           "MergeV2Checkpoints",
                                           "NoOp",
                                           "Placeholder",
                                           "Print",
                                           "PrintV2",
                                           "QueueCloseV2",
                                           "QueueEnqueueV2",
                                           "RestoreV2",
                                           "Save",
                                           "SaveSlices",
                                           "SaveV2",
                                           "ShardedFilename",
                                           "VarHandleOp",
                                           "VarIsInitializedOp",
                                           "WriteFile"};
constexpr std::string_view kNoResultPrefixes[] = {"Apply",
                                                  "ResourceApply",
                                                  "ResourceScatter",
                                                  "Scatter",
                                                  "QueueEnqueue",
                                                  "QueueClose",
                                                  "QueueSize",
                                                  "QueueIsClosed",
                                                  "MakeIterator",
                                                  "IteratorToStringHandle",
                                                  "IteratorFromStringHandle"};

bool is_enter(const Node& node) { return op_of(node) == "Enter" || op_of(node) == "RefEnter"; }
bool is_exit(const Node& node) { return op_of(node) == "Exit" || op_of(node) == "RefExit"; }

/// Whether values come from outside of the model here.
bool is_input(const Node& node) {
  const std::string_view op = op_of(node);
  return node.is<Parameter>() || op.starts_with("Placeholder") || op.starts_with("IteratorGetNext") ||
         op.starts_with("QueueDequeue");
}

bool is_read(const Node& node) {
  for (std::size_t i = 0; i < node.out_port_count(); ++i)
    if (!node.out_port(i).disconnected()) return true;
  return false;
}

bool gives_result(const Node& node) {
  const std::string_view op = op_of(node);
  if (op.empty() || op.ends_with("Summary") || op.ends_with("SummaryV2") || op.starts_with("TensorArrayClose"))
    return false;
  if (op == "ScatterNd" || op == "ScatterNdNonAliasingAdd") return true;
  for (const std::string_view prefix : kNoResultPrefixes)
    if (op.starts_with(prefix)) return false;
  return std::find(std::begin(kNoResults), std::end(kNoResults), op) == std::end(kNoResults);
}

Node add_result(Graph& graph, const Node& node, std::size_t port) {
  for (std::size_t i = node.out_port_count(); i <= port; ++i)
    node.add_output_port(i).data().add_tensor_name(fmt::format("{}:{}", node.name(), i));
  const Node result = graph.create_result(node.out_port(port), fmt::format("{}:{}", node.name(), port));
  result.set_origin({.framework = "TensorFlow", .part = "output"});
  result.add_source(node.name());
  return result;
}

bool is_table(std::string_view op) { return op.find("HashTable") != std::string_view::npos; }
bool fills_table(std::string_view op) {
  return op.starts_with("InitializeTable") || op.starts_with("LookupTableImport");
}

/// TensorFlow 2 fills a table in a function, which is called for that only.
bool may_call_initializer(const Node& node) {
  const auto ports = node.out_ports();
  return op_of(node).ends_with("PartitionedCall") &&
         std::all_of(ports.begin(), ports.end(), [](const OutPort& port) { return port.disconnected(); });
}

bool is_switch(const Node& node) {
  const std::string_view op = op_of(node);
  return op == "Switch" || op == "RefSwitch" || op == "_SwitchN";
}

/// The Identity after a Switch (or the Switch itself) that stands for "in this branch".
bool is_pivot(const Node& node) {
  return is_switch(node) || (op_of(node) == "Identity" && node.input(0) && is_switch(node.input(0).node()));
}

/// The pivots that a NoOp waits for, itself or by other NoOps.
std::vector<Node> pivots_before(const Node& no_op) {
  std::vector<Node> pivots;
  frontends::HashSet<std::uint32_t> seen;
  std::vector<Node> open = {no_op};
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (!seen.insert(node.id().index).second) continue;
    for (const Node& before : node.control_inputs()) {
      if (is_pivot(before)) pivots.push_back(before);
      if (op_of(before) == "NoOp") open.push_back(before);
    }
  }
  return pivots;
}

/// For each node the number of loops that it is in, found along the data edges: Enter leads into a loop, Exit out of
/// it. An Exit counts as outside its loop.
std::vector<std::uint8_t> loop_depths(const Graph& graph) {
  constexpr std::uint8_t kMost = 64;  // a damaged model may have an Enter in a circle
  std::vector<std::uint8_t> depth(graph.node_capacity());
  std::vector<Node> open;
  const auto raise = [&](const Node& node, std::uint8_t to) {
    if (to <= depth[node.id().index]) return;
    depth[node.id().index] = to;
    open.push_back(node);
  };
  for (const Node node : graph.nodes())
    if (is_enter(node)) raise(node, 1);
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    const std::uint8_t here = depth[node.id().index];
    for (const OutPort& port : node.out_ports())
      for (const InPort& reader : port.get_destinations()) {
        const Node next = reader.node();
        raise(next, is_exit(next)    ? static_cast<std::uint8_t>(here - 1)
                    : is_enter(next) ? std::min<std::uint8_t>(here + 1, kMost)
                                     : here);
      }
  }
  return depth;
}

/// Takes away sinks that are `unwanted`, as long as something is left.
template <class Fn>
void remove_unless_all(std::vector<Node>& sinks, const Fn& unwanted) {
  if (!std::all_of(sinks.begin(), sinks.end(), unwanted)) std::erase_if(sinks, unwanted);
}

/// Removes what is not an output of a model, as long as something is left: what iterations of loops leave unread, what
/// does not depend on the inputs of the model (sums of weights for regularisation), values of loops at their end.
void remove_side_products(const Graph& graph, std::vector<Node>& sinks) {
  const std::vector<std::uint8_t> depth = loop_depths(graph);
  std::erase_if(sinks, [&](const Node& node) { return depth[node.id().index] > 0; });
  std::vector<bool> fed(graph.node_capacity());
  std::vector<Node> open;
  for (const Node node : graph.nodes())
    if (is_input(node)) open.push_back(node);
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (fed[node.id().index]) continue;
    fed[node.id().index] = true;
    for (const OutPort& port : node.out_ports())
      for (const InPort& reader : port.get_destinations()) open.push_back(reader.node());
  }
  remove_unless_all(sinks, [&](const Node& node) { return !fed[node.id().index]; });
  remove_unless_all(sinks, [](const Node& node) { return is_exit(node); });
}

}  // namespace

NodesByName::NodesByName(Graph& graph) : graph_(graph) {
  for (const Node node : graph.nodes()) {
    const std::uint32_t name = node.name_id().index;
    if (name >= nodes_.size()) nodes_.resize(std::max<std::size_t>(name + 1, nodes_.size() * 2));
    if (!nodes_[name].valid()) nodes_[name] = node.id();
  }
}

Node NodesByName::find(std::string_view name) const {
  const NameId id = graph_.names().find(name);
  return id.valid() && id.index < nodes_.size() && nodes_[id.index].valid() ? graph_.node(nodes_[id.index]) : Node();
}

TensorOfModel tensor_of_text(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  std::uint32_t port = limits::kPorts;
  const char* const end = text.data() + text.size();
  const bool is_read =
      colon != std::string_view::npos && std::from_chars(text.data() + colon + 1, end, port).ptr == end;
  return is_read && port < limits::kPorts ? TensorOfModel{std::string(text.substr(0, colon)), port}
                                          : TensorOfModel{std::string(text), 0};
}

Expected<void> add_results(Graph& graph, const std::vector<TensorOfModel>& tensors,
                           const std::vector<std::string>& keys) {
  const NodesByName nodes(graph);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto& [name, port] = tensors[i];
    const Node found = nodes.find(name);
    if (!found) {
      std::vector<std::string> known;
      for (const Node node : graph.nodes()) known.emplace_back(node.name());
      std::sort(known.begin(), known.end());
      const std::string close = nearest(name, known);
      return error("MO-TF-0006", "there is no node '{}', which is an output of the model",
                   std::string_view(name).substr(0, 200))
          .hint("the model is inconsistent{}", close.empty() ? "" : fmt::format("; did you mean '{}'?", close));
    }
    if (port > 0 && found.is<Parameter>())
      return error("MO-TF-0005", "input '{}' has no output {}", name, port)
          .hint("the model was edited or its exporter is faulty: export it again with a newer exporter");
    const Node result = add_result(graph, found, port);
    if (i >= keys.size()) continue;
    found.out_port(port).data().add_tensor_name(keys[i]);
    result.set_name(keys[i]);
  }
  return {};
}

bool add_requested_results(Graph& graph, const std::vector<std::string>& requested) {
  const NodesByName nodes(graph);
  bool all = true;
  for (const std::string& text : requested) {
    std::string_view rest = text;
    std::size_t port = 0;
    Node found = nodes.find(text);
    if (!found) {
      // "0:node": the tensor that input 0 reads; the node is kept as a whole, the cut comes later.
      if (const std::size_t colon = rest.find(':');
          colon != std::string_view::npos && colon > 0 && rest.find_first_not_of("0123456789") == colon)
        rest.remove_prefix(colon + 1);
      const auto [name, number] = tensor_of_text(rest);
      found = nodes.find(name);
      if (found) port = found.is<Parameter>() ? 0 : number;
    }
    if (found)
      add_result(graph, found, port);
    else
      all = false;
  }
  return all;
}

std::vector<Node> hold_inputs(Graph& graph, const std::vector<std::string>& inputs) {
  std::vector<Node> held;
  if (inputs.empty()) return held;
  for (const Node& parameter : graph.parameters())
    if (std::any_of(inputs.begin(), inputs.end(), [&](const std::string& name) { return is_called(parameter, name); }))
      held.push_back(graph.create_result(parameter.output()));
  return held;
}

void hang_on_pivots(Graph& graph) {
  frontends::HashMap<std::uint32_t, std::vector<Node>> pivots;  // by NoOp
  for (const Node node : graph.nodes()) {
    if (op_of(node) == "NoOp") continue;
    for (const Node& before : node.control_inputs()) {
      if (op_of(before) != "NoOp") continue;
      const auto [known, is_new] = pivots.try_emplace(before.id().index);
      if (is_new) known->second = pivots_before(before);
      for (const Node& pivot : known->second) node.add_control_input(pivot);
    }
  }
}

Expected<void> add_results_of_sinks(Graph& graph, Stage stage) {
  std::vector<Node> sinks;
  frontends::HashSet<std::uint32_t>
      pivots;  // they stand for "in this branch"; what hangs on them does so by control edges
  frontends::HashSet<std::uint32_t> waited_for;
  for (const Node node : graph.nodes())
    for (const Node& before : node.control_inputs()) {
      waited_for.insert(before.id().index);
      if (is_pivot(before)) pivots.insert(before.id().index);
    }
  const auto is_condition = [](const Node& node) {  // a Switch of a predicate by itself only makes pivots
    const Value data = node.in_port_count() > 0 ? node.input(0) : Value();
    return is_pivot(node) && data && data.node().in_port_count() > 1 && data.node().input(0) == data.node().input(1);
  };
  for (const Node node : graph.nodes())
    if (!is_read(node) && gives_result(node) && !pivots.contains(node.id().index) && !is_condition(node))
      sinks.push_back(node);
  // Reads of variables and assertions that functions left when TensorFlow inlined them: other nodes only wait for them.
  remove_unless_all(sinks, [&](const Node& node) { return waited_for.contains(node.id().index); });
  if (stage == Stage::training) remove_side_products(graph, sinks);
  for (const Node& node : sinks) add_result(graph, node, 0);
  if (!sinks.empty()) return {};
  return error("MO-TF-0013", "the model has no outputs: every node is read by another one, or only has effects")
      .hint("name the outputs with --output");
}

void remove_unneeded(Graph& graph, Effects effects, Arguments arguments) {
  Needs needs{.parameters = arguments == Arguments::kept, .effects = false, .control = {}, .further = {}};
  needs.control = [effects](const Node& before) { return effects == Effects::kept || is_pivot(before); };
  if (graph.has_op_type([](const OpType& type) { return is_table(type.name); }))
    needs.further = [](const Node& node) {
      std::vector<Node> fillers;
      if (!is_table(op_of(node))) return fillers;
      for (const InPort& reader : node.out_port(0).get_destinations())
        if (fills_table(op_of(reader.node())) || may_call_initializer(reader.node())) fillers.push_back(reader.node());
      return fillers;
    };
  remove_dead_nodes(graph, needs);
}

}  // namespace mo::tensorflow
