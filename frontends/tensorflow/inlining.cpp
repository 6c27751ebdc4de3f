#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <unordered_set>

#include "frontends/tensorflow/call_ops.hpp"
#include "frontends/tensorflow/call_sizes.hpp"
#include "frontends/tensorflow/changed_variables.hpp"
#include "frontends/tensorflow/graph_reader.hpp"
#include "frontends/tensorflow/link.hpp"

namespace mo::tensorflow {
namespace {

/// A function that is being put in place, and the one whose call it was.
struct Chain {
  const Function* function;
  const Chain* caller;
};

class Inliner {
 public:
  explicit Inliner(ModelState& model) : model_(model), sizes_(model) {}

  Expected<void> run(Graph& graph, const Chain* caller, std::size_t depth) {
    if (!graph.has_op_type([this](const OpType& type) { return may_call(type); })) return {};
    // Nodes that a call makes come after all others: this loop visits them, with the calls inside.
    // up to this id: made by this call
    std::vector<std::pair<std::uint32_t, const Chain*>> origins = {{graph.node_capacity(), caller}};
    for (std::uint32_t i = 0; i < graph.node_capacity(); ++i) {
      const Node node = graph.node(NodeId{i});
      if (!node.alive()) continue;
      const std::string_view op = op_of(node);
      if (op.empty()) continue;
      const auto origin = std::upper_bound(origins.begin(), origins.end(), i,
                                           [](std::uint32_t id, const auto& o) { return id < o.first; });
      const Chain* from = origin == origins.end() ? caller : origin->second;
      if (from == nullptr)
        if (auto fits = count_called(node); !fits) return std::move(fits).error().at_node(node.name(), op);
      if (const auto call = called_function(node)) {
        if (auto done = inline_call(graph, node, *call, from); !done)
          return std::move(done).error().at_node(node.name(), op);
        origins.emplace_back(graph.node_capacity(), chains_.back().get());
      } else if (const auto row =
                     std::find_if(kBodyOps.begin(), kBodyOps.end(), [&](const BodyOp& r) { return r.op == op; });
                 row != kBodyOps.end()) {
        if (auto done = make_bodies(node, *row, from, depth); !done)
          return std::move(done).error().at_node(node.name(), op);
      }
    }
    return {};
  }

 private:
  struct Call {
    std::string function;
    std::string attribute;
  };

  /// Whether nodes of this op name functions.
  bool may_call(const OpType& type) const {
    const std::string_view op = op_of(type);
    const auto is_op = [op](const auto& row) { return row.op == op; };
    return std::any_of(kCallOps.begin(), kCallOps.end(), is_op) ||
           std::any_of(kBodyOps.begin(), kBodyOps.end(), is_op) || model_.functions.contains(op);
  }

  /// Refuses calls of the model itself that make too many nodes before one is made.
  Expected<void> count_called(const Node& node) {
    std::vector<std::string> functions;
    if (const auto call = called_function(node)) functions.push_back(call->function);
    for (const BodyOp& row : kBodyOps)
      for (const std::string_view attribute : row.attributes) {
        if (row.op != op_of(node) || attribute.empty()) continue;
        const AttributeValue value = node.attribute(attribute);
        if (const auto* name = value.get_if<std::string>()) functions.push_back(*name);
        if (const auto* names = value.get_if<std::vector<std::string>>())
          functions.insert(functions.end(), names->begin(), names->end());
      }
    for (const std::string& function : functions) {
      MO_ASSIGN(const std::uint64_t nodes, sizes_.nodes_of(function));
      called_nodes_ += nodes;
      if (called_nodes_ > limits::kInlinedNodes) return model_.too_many_inlined_nodes();
    }
    return {};
  }

  std::optional<Call> called_function(const Node& node) const {
    const std::string_view op = op_of(node);
    for (const CallOp& call : kCallOps)
      if (call.op == op)
        if (auto name = node.attr<std::string>(call.attribute))
          return Call{*std::move(name), std::string(call.attribute)};
    if (model_.functions.contains(std::string(op))) return Call{std::string(op), {}};
    return std::nullopt;
  }

  Expected<const Function*> find(const std::string& name) const {
    const auto found = model_.functions.find(name);
    if (found != model_.functions.end()) return &found->second;
    return error("MO-TF-0016", "there is no function '{}' in the model", name)
        .hint("the model is incomplete or was edited: export it again");
  }

  /// The chain of calls with one more; an error when the function is in it already.
  Expected<const Chain*> enter(const Function& function, const Chain* caller) {
    std::size_t depth = 0;
    std::vector<std::string> names = {function.name};
    for (const Chain* c = caller; c; c = c->caller) {
      names.push_back(c->function->name);
      if (c->function == &function) {
        std::reverse(names.begin(), names.end());
        return error("MO-TF-0014", "the functions of the model call each other without end: {}",
                     fmt::join(names, " -> "))
            .hint("recursive functions cannot be expressed in an IR");
      }
      if (++depth > limits::kDepth)
        return error("MO-TF-0015", "functions call functions more than {} deep", limits::kDepth)
            .hint("simplify the model");
    }
    chains_.push_back(std::make_unique<Chain>(Chain{&function, caller}));
    return chains_.back().get();
  }

  static AttributeMap attributes_of_call(const Node& node, const std::string& attribute) {
    if (attribute.empty()) return node.attributes();
    const AttributeValue given = node.attribute(std::string(kFunctionAttributes) + attribute);
    return given.map() ? *given.map() : AttributeMap();
  }

  Expected<void> inline_call(Graph& graph, const Node& node, const Call& call, const Chain* caller) {
    MO_ASSIGN(const Function* const function, find(call.function));
    MO_TRY(enter(*function, caller));
    Outputs arguments;
    for (std::size_t i = 0; i < node.in_port_count(); ++i) arguments.push_back(node.input(i));
    const AttributeMap attributes = attributes_of_call(node, call.attribute);
    const std::string name(node.name());
    const std::uint32_t first_new = graph.node_capacity();
    model_.calls.push_back(node.name_id());
    // TensorFlow 2 writes a graph around the function of a signature: names are those of the function, as in the
    // original.
    const bool is_signature = caller == nullptr && name == model_.signature_call;
    GraphReader reader(model_, graph, is_signature ? "" : name + "/");
    MO_ASSIGN(const Outputs results, reader.read_function(*function, arguments, attributes));
    for (std::size_t i = 0; i < node.out_port_count(); ++i) {
      const Value output = node.out_port(i);
      if (output.disconnected()) continue;
      if (i >= results.size())
        return error("MO-TF-0012", "output {} of a call of function '{}' is read, which has {}", i, function->name,
                     results.size())
            .hint("the model was edited or its exporter is faulty: export it again with a newer exporter");
      // The names of the call's outputs are those that users and signatures know.
      const Value result = results[i];
      result.data().add_tensor_names_of(output.data());
      for (const InPort& reader_port : output.get_destinations()) MO_TRY(reader_port.connect(result));
      result.node().add_source(name);
    }
    if (is_signature) make_names_unique(graph, first_new, name);
    keep_order(graph, node, first_new);
    return {};
  }

  /// A new node that is called like one of the graph around the function gets the name of the call in front.
  static void make_names_unique(Graph& graph, std::uint32_t first_new, const std::string& call) {
    std::unordered_set<NameId> older;
    for (std::uint32_t i = 0; i < first_new; ++i)
      if (const Node node = graph.node(NodeId{i}); node.alive() && node.name() != call) older.insert(node.name_id());
    for (std::uint32_t i = first_new; i < graph.node_capacity(); ++i)
      if (const Node node = graph.node(NodeId{i}); node.alive() && older.contains(node.name_id()))
        node.set_name(fmt::format("{}/{}", call, node.name()));
  }

  /// What runs after a call runs after all of its function, and the function after what the call waits for: as far as
  /// variables may change.
  void keep_order(Graph& graph, const Node& call, std::uint32_t first_new) const {
    const std::vector<Node> before = call.control_inputs();
    std::vector<Node> with_effects;
    for (std::uint32_t i = first_new; i < graph.node_capacity(); ++i) {
      const Node inner = graph.node(NodeId{i});
      if (!inner.alive() || !touches_variables(inner)) continue;
      with_effects.push_back(inner);
      for (const Node& earlier : before) inner.add_control_input(earlier);
    }
    if (with_effects.empty()) return graph.erase(call);
    for (const InPort& port : call.in_ports()) port.disconnect();
    call.set_op(Op("tf::NoOp", {}));
    for (const Node& inner : with_effects) call.add_control_input(inner);
  }

  bool touches_variables(const Node& node) const {
    const std::string_view op = op_of(node);
    return op == "ReadVariableOp" || op.starts_with("Assign") || op.starts_with("Resource") || called_function(node) ||
           std::any_of(kBodyOps.begin(), kBodyOps.end(), [&](const BodyOp& row) { return row.op == op; });
  }

  Expected<Body> body_of(const std::string& name, const Node& node, std::string_view attribute, const Chain* caller,
                         std::size_t depth, std::vector<std::int64_t>& assigned) {
    if (depth >= limits::kDepth)
      return error("MO-TF-0015", "bodies are nested more than {} deep", limits::kDepth).hint("simplify the model");
    MO_ASSIGN(const Function* const function, find(name));
    MO_ASSIGN(const Chain* const chain, enter(*function, caller));
    if (const std::size_t given = node.in_port_count() - std::min(node.in_port_count(), first_argument(node));
        given != function->inputs.size())
      return error("MO-TF-0755", "function '{}' takes {} arguments, the call passes {}", name, function->inputs.size(),
                   given)
          .hint("the model was edited or its exporter is faulty: export it again with a newer exporter");
    MO_TRY(model_.take_inlined_nodes(function->inputs.size() + 1));
    auto graph = std::make_unique<Graph>();
    graph->name = name;
    Outputs arguments;
    for (const Function::Argument& input : function->inputs) {
      const Node parameter = graph->create_parameter({input.type, {}}, input.name);
      parameter.set_origin({.framework = "TensorFlow", .part = "function argument"});
      arguments.push_back(parameter.out_port(0));
    }
    GraphReader reader(model_, *graph);
    MO_ASSIGN(const Outputs results,
              reader.read_function(*function, arguments, attributes_of_call(node, std::string(attribute))));
    for (std::size_t i = 0; i < results.size(); ++i)
      graph->create_result(results[i], fmt::format("{}/result", function->outputs[i]));
    MO_TRY(run(*graph, chain, depth + 1));
    mark_changed_reads(*graph);
    for (const std::int64_t parameter : assigned_parameters(*graph)) assigned.push_back(parameter);
    remove_unneeded(*graph, Effects::removed, Arguments::kept);
    return Body(std::move(graph));
  }

  Expected<void> make_bodies(const Node& node, const BodyOp& row, const Chain* caller, std::size_t depth) {
    std::vector<std::int64_t> assigned;
    for (const std::string_view attribute : row.attributes) {
      if (attribute.empty()) continue;
      const AttributeValue value = node.attribute(attribute);
      if (const auto* name = value.get_if<std::string>()) {
        MO_ASSIGN(Body body, body_of(*name, node, attribute, caller, depth, assigned));
        MO_TRY(node.set_attr(attribute, std::move(body)));
      } else if (const auto* names = value.get_if<std::vector<std::string>>()) {
        AttributeList bodies;
        for (const std::string& each : *names) {
          MO_ASSIGN(Body body, body_of(each, node, attribute, caller, depth, assigned));
          bodies.emplace_back(std::move(body));
        }
        MO_TRY(node.set_attr(attribute, std::move(bodies)));
      }
    }
    if (assigned.empty()) return {};
    const std::size_t first = first_argument(node);
    if (first == 0)  // the second time around, a loop reads what it assigned in the first
      for (const Graph* body : node.bodies())
        for (const std::int64_t parameter : assigned)
          mark_reads_of_parameter(*body, static_cast<std::size_t>(parameter), node.name());
    for (std::int64_t& parameter : assigned) parameter += static_cast<std::int64_t>(first);
    return node.set_attr("@assigns", std::move(assigned));
  }

  ModelState& model_;
  CallSizes sizes_;
  std::uint64_t called_nodes_ = 0;  ///< that calls of the model itself will make
  std::vector<std::unique_ptr<Chain>> chains_;
};

}  // namespace

Expected<void> inline_functions(ModelState& model, Graph& graph) { return Inliner(model).run(graph, nullptr, 0); }

}  // namespace mo::tensorflow
