#include "onnx_emitter/emitter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <unordered_set>
#include <utility>

#include "core/graph/bodies.hpp"
#include "core/graph/dead_nodes.hpp"
#include "core/graph/model_ends.hpp"
#include "core/tensor/convert.hpp"
#include "onnx_emitter/support/inner_graph.hpp"
#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {
namespace {

/// What the translations of a graph and of the bodies inside of it share.
struct Shared {
  const OnnxForms& table;
  const OnnxForms* of_plugins;
  Operators operators;
  BodyTranslator bodies;
  std::vector<std::pair<Value, std::string_view>> wanted_names = {};  ///< of tensors that have one in the graph of ops
  std::int64_t needed_opset = 0;                                      ///< the newest that a refused node has a form in
  std::vector<std::string> newer_nodes = {};  ///< "BitwiseNot 'mask'": nodes that a newer operator set has a form of
};

/// Translates the nodes of one graph.
class GraphTranslation {
 public:
  GraphTranslation(const Graph& from, Graph& made, Shared& shared)
      : from_(from), made_(made), shared_(shared), values_(from.value_capacity()) {}

  /// Returns the tensors of the Results, given those of the Parameters.
  Expected<Outputs> run(const Outputs& parameters) {
    MO_ASSIGN(const std::vector<Node> order, from_.topological_order());
    const std::vector<Node> inputs = from_.parameters();
    for (std::size_t i = 0; i < inputs.size(); ++i) values_[inputs[i].output().id().index] = parameters[i];
    for (const Node& node : order) translate(node);
    if (!failed_.empty()) return Error(std::move(failed_));
    Outputs results;
    for (const Node& result : from_.results()) results.push_back(twin_of(result.input(0)));
    return results;
  }

 private:
  Value twin_of(const Value& value) const { return value ? values_[value.id().index] : Value(); }

  /// Remembers what an output is in ONNX.
  void note(const Node& node, const Outputs& outputs) {
    for (std::size_t i = 0; i < outputs.size() && i < node.out_port_count(); ++i) {
      const OutPort port = node.out_port(i);
      values_[port.id().index] = outputs[i];
      if (outputs[i] && outputs[i].type().element_type == ElementType::dynamic)
        outputs[i].data().set_element_type(port.data().element_type());
      const std::string_view name = port.data().first_tensor_name();
      if (outputs[i] && !name.empty()) shared_.wanted_names.emplace_back(outputs[i], name);
    }
  }

  /// ONNX has 8-bit floats since op set 19 and integers of 4 bits since 21, but none of the other types below a byte
  /// (the newer op sets that have 2 bits, f4e2m1 and f8e8m0 are not written): elements become wider.
  Expected<Tensor> written_constant(const Tensor& value) const {
    const std::int64_t opset = shared_.operators.opset;
    switch (value.element_type()) {
      case ElementType::i4: return opset < 21 ? convert(value, ElementType::i8) : Expected<Tensor>(value);
      case ElementType::u4: return opset < 21 ? convert(value, ElementType::u8) : Expected<Tensor>(value);
      case ElementType::u1:
      case ElementType::u2:
      case ElementType::u3:
      case ElementType::u6: return convert(value, ElementType::u8);
      case ElementType::f8e4m3:
      case ElementType::f8e5m2: return opset < 19 ? convert(value, ElementType::f16) : Expected<Tensor>(value);
      case ElementType::f4e2m1: return convert(value, ElementType::f16);
      case ElementType::nf4:
      case ElementType::f8e8m0: return convert(value, ElementType::f32);
      default: return value;
    }
  }

  void translate(const Node& node) {
    if (node.is<Parameter>() || node.is<Result>()) return;
    if (const auto* const constant = node.as<Const>()) {
      Expected<Tensor> value = written_constant(constant->value);
      if (value)
        note(node, {made_.create_constant(*std::move(value), node.name()).out_port(0)});
      else
        failed_.push_back(node.describe(std::move(value).error()).first());
      return;
    }
    std::vector<Value> inputs;
    for (std::size_t i = 0; i < node.in_port_count(); ++i) {
      inputs.push_back(twin_of(node.input(i)));
      if (node.input(i) && !inputs.back()) return;  // its producer was refused
    }
    std::int64_t needed_opset = 0;
    Translation translation(node, std::move(inputs), made_, shared_.operators, shared_.bodies, needed_opset);
    const OnnxForms::Row* const found = form_of(node.op_type());
    if (!found) {
      failed_.push_back(translation.refused("there is no translation of it"));
      return;
    }
    const std::uint32_t first = made_.node_capacity();
    Expected<Outputs> outputs = found->form(translation);
    if (outputs && translation.problem()) outputs = *translation.problem();
    if (!outputs) {
      if (needed_opset > 0) shared_.newer_nodes.push_back(fmt::format("{} '{}'", node.type(), node.name()));
      shared_.needed_opset = std::max(shared_.needed_opset, needed_opset);
      for (Diagnostic& wrong : outputs.error().items()) failed_.push_back(std::move(wrong));
      return;
    }
    name_nodes(node, first, *outputs);
    note(node, *outputs);
  }

  /// What a plugin says of an op counts; whether it may was checked before.
  const OnnxForms::Row* form_of(const OpType& type) const {
    const OnnxForms::Row* const of_plugin = shared_.of_plugins ? shared_.of_plugins->find(type) : nullptr;
    return of_plugin ? of_plugin : shared_.table.find(type);
  }

  /// The operators that stand for a node have its name; the last of them exactly. Those of an inlined body have theirs.
  void name_nodes(const Node& node, std::uint32_t first, const Outputs& outputs) {
    const Node last = outputs.empty() || !outputs.front() ? Node() : outputs.front().node();
    int number = 0;
    for (std::uint32_t id = first; id < made_.node_capacity(); ++id) {
      const Node made = made_.node(NodeId{id});
      if (!made.name().empty()) continue;
      const bool is_last = last && made.id() == last.id();
      made.set_name(is_last ? std::string(node.name()) : fmt::format("{}/{}", node.name(), ++number));
    }
  }

  const Graph& from_;
  Graph& made_;
  Shared& shared_;
  std::vector<Value> values_;  ///< by output of `from_`
  std::vector<Diagnostic> failed_;
};

/// Translates a model.
class Emission {
 public:
  Emission(const Graph& from, const OnnxForms& table, const EmitOptions& options, std::int64_t opset)
      : from_(from), options_(options), shared_{table, options.forms, Operators(opset), {}} {
    shared_.bodies = [this](const Graph& body, Graph& made, const Outputs& parameters) {
      return GraphTranslation(body, made, shared_).run(parameters);
    };
  }
  Emission(const Emission&) = delete;
  Emission& operator=(const Emission&) = delete;

  std::int64_t needed_opset() const { return shared_.needed_opset; }
  const std::vector<std::string>& newer_nodes() const { return shared_.newer_nodes; }

  Expected<std::unique_ptr<Graph>> run() {
    made_->name = from_.name;
    if (const AttributeValue* const names = from_.properties.find("dim_params"))
      made_->properties.set("dim_params", *names);
    made_->set_has_types(true);
    Outputs parameters;
    for (const Node& parameter : from_.parameters()) {
      const OutPort twin = made_->create_parameter(parameter.output_type(), parameter.name()).out_port(0);
      const std::string_view tensor = parameter.output().data().first_tensor_name();
      give_name(twin, tensor.empty() ? parameter.name() : tensor);
      parameters.push_back(twin);
    }
    MO_ASSIGN(const Outputs outputs, GraphTranslation(from_, *made_, shared_).run(parameters));
    const std::vector<Node> results = from_.results();
    for (std::size_t i = 0; i < results.size(); ++i) add_result(results[i], outputs[i]);
    // Constants that a translation has written otherwise, and what only they read; of inner graphs first.
    const std::vector<Graph*> graphs = with_bodies(*made_);
    for (auto graph = graphs.rbegin(); graph != graphs.rend(); ++graph) {
      for (const Node& owner : (*graph)->body_owners()) drop_unread_captures(owner);
      remove_dead_nodes(**graph);
    }
    name_tensors();
    add_defaults(parameters);
    return std::move(made_);
  }

 private:
  /// An output of the model has its name; a tensor that is an output twice, an input or a constant gets an Identity.
  void add_result(const Node& result, Value value) {
    const Value given = result.input(0);
    if (!value) return;
    const bool is_named = value.node().is<Parameter>() || outputs_.contains(value.id().index);
    if (is_named || value.node().is<Const>())
      value = made_->create_node(identity(), {value}, 1, result.name()).out_port(0);
    const std::string_view tensor = given.data().first_tensor_name();
    const std::string_view usual = tensor.empty() ? given.node().name() : tensor;
    give_name(value, is_named ? other_name_of(result, usual) : usual);
    outputs_.insert(value.id().index);
    value.data().set_type(given.type());
    made_->create_result(value, result.name());
  }

  /// The name of an output whose tensor has one already, as an input or as another output: that by which users know it,
  /// a further one of the tensor, or that of the Result, which comes first where it is one of the tensor.
  std::string_view other_name_of(const Node& result, std::string_view usual) const {
    std::vector<std::string_view> names = result.input(0).data().tensor_names();
    const bool is_of_tensor = std::find(names.begin(), names.end(), result.name()) != names.end();
    names.insert(is_of_tensor ? names.begin() : names.end(), result.name());
    names.insert(names.begin(), public_name(result));
    const auto free = std::find_if(names.begin(), names.end(), [this](std::string_view name) {
      return !name.empty() && !taken_.contains(std::string(name));
    });
    return free == names.end() ? usual : *free;
  }

  /// An initializer with the name of an input is its default.
  void add_defaults(const Outputs& inputs) {
    const std::vector<Node> parameters = from_.parameters();
    for (const auto& [parameter, value] : options_.defaults) {
      const auto place = std::find(parameters.begin(), parameters.end(), parameter) - parameters.begin();
      const std::string name(inputs[static_cast<std::size_t>(place)].data().first_tensor_name());
      made_->create_constant(value, name).out_port(0).data().add_tensor_name(name);
    }
  }

  Op identity() const {
    AttributeMap attributes;
    attributes.set("@opset", shared_.operators.opset);
    return Op("onnx::Identity", std::move(attributes));
  }

  /// No two tensors of the model have the same name, in inner graphs either. Inputs and outputs have theirs already;
  /// what the graph of ops names comes next.
  void name_tensors() {
    for (const auto& [tensor, name] : shared_.wanted_names)
      if (tensor.node().alive() && !is_captured(tensor.node()) && tensor.data().first_tensor_name().empty())
        give_name(tensor, name);
    name_others(*made_);
  }

  void name_others(const Graph& graph) {
    for (const Node node : graph.nodes())
      for (const OutPort& port : node.out_ports())
        if (port.data().first_tensor_name().empty())
          give_name(port,
                    port.index() == 0 ? std::string(node.name()) : fmt::format("{}:{}", node.name(), port.index()));
    for (const Node& owner : graph.body_owners()) name_inner_tensors(owner);
  }

  /// Names the tensors inside of an operator with inner graphs, after those of the graph around it. The inner graphs
  /// have Parameters for the last inputs of the operator, which they capture (support/inner_graph.hpp).
  void name_inner_tensors(const Node& owner) {
    AttributeValue* const captures = owner.change_attribute("@captures");
    std::vector<std::string> names;
    if (captures) names = *std::as_const(*captures).get_if<std::vector<std::string>>();
    const std::size_t first = owner.in_port_count() - names.size();
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = owner.input(first + i).data().first_tensor_name();
    if (captures) *captures = AttributeValue(names);
    for (const Graph* inner : owner.bodies()) {
      std::size_t place = 0;
      for (const Node& parameter : inner->parameters())
        if (is_captured(parameter)) parameter.output().data().add_tensor_name(names[place++]);
      int number = 0;
      for (const Node node : inner->nodes())
        if (node.name().empty()) node.set_name(fmt::format("{}/inner/{}", owner.name(), ++number));
      name_others(*inner);
    }
  }

  /// Gives a tensor a name that no other has: `wanted`, perhaps with a number.
  std::string give_name(const OutPort& port, std::string_view wanted) {
    std::string name(wanted);
    for (int i = 1; name.empty() || !taken_.insert(name).second; ++i) name = fmt::format("{}_{}", wanted, i);
    port.data().add_tensor_name(name);
    return name;
  }

  const Graph& from_;
  const EmitOptions& options_;
  Shared shared_;
  std::unique_ptr<Graph> made_ = std::make_unique<Graph>();
  std::unordered_set<std::uint32_t> outputs_;  ///< tensors of `made_` that Results read
  std::unordered_set<std::string> taken_;      ///< names of tensors
};

Diagnostic without_rank(const Node& end, std::string_view kind, std::string_view name) {
  Diagnostic failed = end.error("MO-EMIT-0044", "the rank of {} '{}' is unknown, and ONNX requires it", kind, name);
  if (end.is<Parameter>())
    return std::move(failed).hint("give its shape with --input_shape; sizes may stay unknown, as in [?,3]");
  return std::move(failed).hint(
      "give more sizes of the inputs with --input_shape, cut the model before it with --output, or write an IR");
}

/// Errors for the inputs and outputs of unknown rank (ONNX IR, "Static tensor shapes": the inputs and outputs of a
/// model are required to have a shape, which says the rank), and of types that are known by name only.
std::vector<Diagnostic> unwritable_ends(const Graph& graph, bool needs_ranks) {
  std::vector<Diagnostic> found;
  const auto check = [&](const Node& end, std::string_view kind) {
    const Value tensor = tensor_of_end(end);
    if (!tensor) return;
    const std::string_view tensor_name = tensor.data().first_tensor_name();
    const std::string_view name = tensor_name.empty() ? tensor.node().name() : tensor_name;
    if (const ElementType type = tensor.type().element_type; is_named(type))
      found.push_back(end.error("MO-EMIT-0040", "{} '{}' is {}, an element type that ONNX does not have", kind, name,
                                to_string(type))
                          .hint("cut the model before it with --output, or write an IR"));
    if (needs_ranks && !tensor.type().rank()) found.push_back(without_rank(end, kind, name));
  };
  for (const Node& parameter : graph.parameters()) check(parameter, "input");
  for (const Node& result : graph.results()) check(result, "output");
  return found;
}

}  // namespace

Expected<OnnxGraph> to_onnx(const Graph& graph, const EmitOptions& options) {
  std::vector<Diagnostic> unwritable = unwritable_ends(graph, options.needs_ranks);
  OnnxForms table;
  register_all(table);
  if (options.forms)
    if (std::optional<Diagnostic> clash = options.forms->clash_with(table)) return *std::move(clash);
  OnnxGraph made{nullptr, options.opset.value_or(kUsualOpset)};
  for (;;) {
    Emission emission(graph, table, options, made.opset);
    auto done = emission.run();
    if (done && !unwritable.empty()) return Error(std::move(unwritable));
    if (done) {
      made.graph = *std::move(done);
      made.graph->properties.set("onnx_ir_version", format_version_of(made.opset));
      made.graph->properties.set("onnx_opset", made.opset);
      return made;
    }
    const std::int64_t needed = emission.needed_opset();
    if (options.opset || needed <= made.opset || needed > kNewestOpset) {
      std::vector<Diagnostic> failed(std::move(done.error().items()));
      std::move(unwritable.begin(), unwritable.end(), std::back_inserter(failed));
      return Error(std::move(failed));
    }
    const std::vector<std::string>& nodes = emission.newer_nodes();
    made.need_newer_opset.insert(made.need_newer_opset.end(), nodes.begin(), nodes.end());
    made.opset = needed;
  }
}

bool has_onnx_form(const OpType& type) {
  static const OnnxForms table = [] {
    OnnxForms made;
    register_all(made);
    return made;
  }();
  // Constants, inputs, outputs and states are not translated op by op.
  static constexpr std::array<std::string_view, 5> kOthers{"Assign", "Const", "Parameter", "ReadValue", "Result"};
  return table.find(type) || std::find(kOthers.begin(), kOthers.end(), type.name) != kOthers.end();
}

std::int64_t format_version_of(std::int64_t opset) {
  if (opset <= 11) return 6;
  if (opset <= 14) return 7;
  if (opset <= 18) return 8;
  if (opset <= 20) return 9;
  return opset <= 22 ? 10 : opset - 12;
}

}  // namespace mo::onnx_emitter
