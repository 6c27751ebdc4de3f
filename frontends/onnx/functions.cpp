#include "frontends/onnx/functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/graph/copying.hpp"
#include "frontends/onnx/conversion_reader.hpp"

namespace mo::onnx {
namespace {

/// The attributes of a framework node, to be changed in place.
AttributeMap* dynamic_attributes(const Node& node) {
  return node.op_type().dynamic ? static_cast<AttributeMap*>(node.payload()) : nullptr;
}

/// Calls `fn` for each graph that the node owns, those in lists included.
template <class Fn>
void each_body(const Node& node, Fn&& fn) {
  AttributeMap* attributes = dynamic_attributes(node);
  if (!attributes) return;
  for (auto& item : *attributes) {
    if (const Body* body = item.value.get_if<Body>()) fn(body->graph());
    if (const auto* list = item.value.get_if<AttributeList>())
      for (const AttributeValue& value : *list)
        if (const Body* body = value.get_if<Body>()) fn(body->graph());
  }
}

/// Calls `fn` for each node of `graph` and of all bodies below; no recursion.
template <class Fn>
void each_node_below(Graph& graph, Fn&& fn) {
  std::vector<Graph*> open{&graph};
  while (!open.empty()) {
    Graph& inner = *open.back();
    open.pop_back();
    for (const Node node : inner.nodes()) {
      fn(node);
      each_body(node, [&](Graph& body) { open.push_back(&body); });
    }
  }
}

/// The function attribute that a value stands for; null when it is a value of its own.
const std::string* reference_of(const AttributeValue& value) {
  const AttributeMap* record = value.map();
  const AttributeValue* name = record && record->size() == 1 ? record->find(kReference) : nullptr;
  return name ? name->get_if<std::string>() : nullptr;
}

/// What inlining brings into being.
struct Cost {
  std::uint64_t nodes = 0;
  std::uint64_t name_bytes = 0;

  /// Both stop at a value far beyond the limits instead of overflowing.
  static std::uint64_t capped(std::uint64_t v) { return std::min(v, std::uint64_t{1} << 40); }
  /// Adds what a call of that name costs: its nodes get the name as a prefix.
  void add_call(const Cost& callee, std::size_t name_length) {
    nodes = capped(nodes + callee.nodes);
    name_bytes = capped(name_bytes + callee.name_bytes +
                        capped(callee.nodes) * std::min<std::uint64_t>(name_length + 1, 1 << 20));
  }
};

class Inliner {
 public:
  Inliner(const FunctionLibrary& functions, DiagnosticSink& sink) : functions_(functions), sink_(sink) {}

  Expected<void> check(Graph& graph);
  Expected<void> run(Graph& graph);

 private:
  Expected<void> inline_call(const Node& call, std::size_t function);
  Expected<AttributeMap> given_attributes(const Node& call, const Function& function);
  void substitute(const Node& node, const AttributeMap& given) const;

  const FunctionLibrary& functions_;
  DiagnosticSink& sink_;
  std::vector<Cost> costs_;  ///< of each function with all that it calls
  std::set<std::string> warned_;
};

/// Finds recursion, depth and size before anything is changed: afterwards inlining is known to end, and to end soon.
Expected<void> Inliner::check(Graph& graph) {
  struct Call {
    std::size_t callee;
    std::size_t name_length;
  };
  const std::size_t count = functions_.size();
  std::vector<std::vector<Call>> calls(count);
  costs_.assign(count, Cost{});
  for (std::size_t i = 0; i < count; ++i) {
    each_node_below(*functions_[i].body, [&](const Node& node) {
      ++costs_[i].nodes;
      if (const std::ptrdiff_t callee = functions_.find(node); callee >= 0)
        calls[i].push_back({static_cast<std::size_t>(callee), node.name().size()});
    });
  }
  enum State : std::uint8_t { fresh, open, done };
  std::vector<State> state(count, fresh);
  std::vector<int> depth(count, 1);
  std::vector<std::pair<std::size_t, std::size_t>> stack;  // function, next call
  for (std::size_t root = 0; root < count; ++root) {
    if (state[root] != fresh) continue;
    stack.emplace_back(root, 0);
    state[root] = open;
    while (!stack.empty()) {
      const auto [function, next] = stack.back();
      if (next == calls[function].size()) {
        state[function] = done;
        stack.pop_back();
        continue;
      }
      const Call call = calls[function][next];
      if (state[call.callee] == fresh) {  // comes back to this call when the callee is done
        state[call.callee] = open;
        stack.emplace_back(call.callee, 0);
      } else if (state[call.callee] == done) {
        depth[function] = std::max(depth[function], depth[call.callee] + 1);
        costs_[function].add_call(costs_[call.callee], call.name_length);
        ++stack.back().second;
      } else {
        std::string path;
        const auto start =
            std::find_if(stack.begin(), stack.end(), [&](const auto& frame) { return frame.first == call.callee; });
        for (auto it = start; it != stack.end() && it - start < 8; ++it) path += functions_[it->first].shown() + " -> ";
        return error("MO-ONNX-0041", "function {} calls itself: {}{}", functions_[call.callee].shown(), path,
                     functions_[call.callee].shown())
            .hint("ONNX functions cannot be recursive; export the model again without functions");
      }
    }
  }
  for (std::size_t i = 0; i < count; ++i)
    if (depth[i] > limits::kDepth)
      return error("MO-ONNX-0042", "calls of functions are nested {} deep, starting from {}", depth[i],
                   functions_[i].shown())
          .hint("the limit is {}; inline functions when exporting the model", limits::kDepth);
  Cost total;
  each_node_below(graph, [&](const Node& node) {
    if (const std::ptrdiff_t callee = functions_.find(node); callee >= 0)
      total.add_call(costs_[static_cast<std::size_t>(callee)], node.name().size());
  });
  if (total.nodes > limits::kInlinedNodes || total.name_bytes > limits::kInlinedNames)
    return error("MO-ONNX-0043", "inlining the functions of the model creates more than {} nodes or {} bytes of names",
                 limits::kInlinedNodes, limits::kInlinedNames)
        .hint("this limit protects against corrupt models; inline functions when exporting the model");
  return {};
}

Expected<void> Inliner::run(Graph& graph) {
  std::vector<Graph*> open{&graph};
  while (!open.empty()) {
    Graph& inner = *open.back();
    open.pop_back();
    // Nodes of an inlined function are visited too, as they come after all others.
    for (const Node node : inner.nodes()) {
      if (const std::ptrdiff_t function = functions_.find(node); function >= 0) {
        if (auto done = inline_call(node, static_cast<std::size_t>(function)); !done)
          return node.describe(std::move(done).error());
      } else {
        each_body(node, [&](Graph& body) { open.push_back(&body); });
      }
    }
  }
  return {};
}

Expected<AttributeMap> Inliner::given_attributes(const Node& call, const Function& function) {
  AttributeMap given = function.defaults;
  for (const auto& item : *dynamic_attributes(call)) {
    if (item.name.starts_with('@')) continue;
    const auto* list = item.value.get_if<AttributeList>();
    const bool has_graph =
        item.value.holds<Body>() ||
        (list && std::any_of(list->begin(), list->end(), [](const auto& v) { return v.template holds<Body>(); }));
    if (has_graph)
      return error("MO-ONNX-0045", "attribute '{}' is a graph that is given to function {}", item.name,
                   function.shown())
          .hint("export the model without functions");
    if (function.attributes.contains(item.name))
      given.set(item.name, item.value);
    else if (warned_.size() < 100 && warned_.insert(function.shown() + '\0' + item.name).second)
      sink_.report(call.warning("MO-ONNX-0046", "function {} has no attribute '{}', which is ignored", function.shown(),
                                item.name)
                       .hint("export the model again with a newer exporter"));
  }
  return given;
}

void Inliner::substitute(const Node& copied, const AttributeMap& given) const {
  const auto replace = [&](const Node& node) {
    AttributeMap* attributes = dynamic_attributes(node);
    if (!attributes) return;
    std::vector<std::string> missing;
    for (auto& item : *attributes) {
      const std::string* name = reference_of(item.value);
      if (!name) continue;
      if (const AttributeValue* value = given.find(*name))
        item.value = AttributeValue(*value);
      else
        missing.push_back(item.name);
    }
    for (const std::string& name : missing) attributes->erase(name);
  };
  replace(copied);
  each_body(copied, [&](Graph& body) { each_node_below(body, replace); });
}

Expected<void> Inliner::inline_call(const Node& call, std::size_t index) {
  const Function& function = functions_[index];
  Graph& graph = call.graph();
  Graph& body = *function.body;
  const std::vector<Node> inputs = body.parameters();
  const std::vector<Node> outputs = body.results();
  if (call.in_port_count() > inputs.size() || call.out_port_count() > outputs.size())
    return error("MO-ONNX-0044", "function {} is called with {} inputs and {} outputs, it has {} and {}",
                 function.shown(), call.in_port_count(), call.out_port_count(), inputs.size(), outputs.size())
        .hint("the model was edited or its exporter is faulty: export it again with a newer exporter");
  MO_ASSIGN(const AttributeMap given, given_attributes(call, function));

  // Tensors of the function -> tensors of the graph. A function output keeps the names that the call gives it.
  std::vector<Value> twins(body.value_capacity());
  std::vector<bool> is_output(body.value_capacity(), false);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (i < call.in_port_count()) twins[inputs[i].out_port(0).id().index] = call.input(i);
  for (std::size_t i = 0; i < call.out_port_count(); ++i) is_output[outputs[i].input(0).id().index] = true;
  const std::string prefix = std::string(call.name()) + "/";
  std::vector<std::pair<Node, Node>> copies;
  for (const Node node : body.nodes()) {
    if (node.is<Parameter>() || node.is<Result>()) continue;
    const Node copy = copy_unconnected(node, graph, prefix + std::string(node.name()));
    copy.add_source(copy.name());
    substitute(copy, given);
    for (std::size_t i = 0; i < node.out_port_count(); ++i) {
      const OutPort from = node.out_port(i);
      twins[from.id().index] = copy.out_port(i);
      if (is_output[from.id().index]) continue;
      for (const std::string_view name : from.data().tensor_names())
        copy.out_port(i).data().add_tensor_name(prefix + std::string(name));
    }
    copies.emplace_back(node, copy);
  }
  for (const auto& [node, copy] : copies)
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (const Value source = node.input(i); source && twins[source.id().index])
        MO_TRY(copy.in_port(i).connect(twins[source.id().index]));
  for (std::size_t i = 0; i < call.out_port_count(); ++i) {
    const OutPort old = call.out_port(i);
    const Value source = twins[outputs[i].input(0).id().index];
    if (source) {
      MO_TRY(old.get_connection().set_source(source));
    } else if (!old.disconnected()) {
      return error("MO-ONNX-0047", "output {} of function {} is an input that the call does not pass", i,
                   function.shown())
          .hint("the model was edited or its exporter is faulty: export it again with a newer exporter");
    }
  }
  graph.erase(call);
  return {};
}

}  // namespace

Expected<void> FunctionLibrary::add(Function function) {
  if (!index_.emplace(function.op + '\0' + function.overload, functions_.size()).second)
    return error("MO-ONNX-0040", "function {} is defined twice", function.shown())
        .hint("the model was edited or its exporter is faulty: export it again with a newer exporter");
  functions_.push_back(std::move(function));
  return {};
}

std::ptrdiff_t FunctionLibrary::find(const Node& node) const {
  if (!node.op_type().dynamic) return -1;
  std::string key(node.type());
  key += '\0';
  key += node.attr<std::string>("@overload").value_or(std::string());
  const auto it = index_.find(key);
  return it == index_.end() ? -1 : static_cast<std::ptrdiff_t>(it->second);
}

Expected<void> inline_functions(Graph& graph, const FunctionLibrary& functions, DiagnosticSink& sink) {
  if (functions.empty()) return {};
  Inliner inliner(functions, sink);
  MO_TRY(inliner.check(graph));
  return inliner.run(graph);
}

}  // namespace mo::onnx
