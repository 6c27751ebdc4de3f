#include "ir_emitter/plan.hpp"

#include <unordered_set>

#include "core/graph/carried_nodes.hpp"
#include "ir_emitter/text.hpp"

namespace mo::ir_emitter {
namespace {

constexpr std::size_t kMaxProblems = 20;

/// Collects what is wrong with the nodes of a graph and its bodies.
class Checker {
 public:
  explicit Checker(int ir_version) : ir_version_(ir_version) {}

  void check(const Node& node) {
    check_op(node);
    for (std::size_t i = 0; i < connected_inputs(node); ++i)
      if (!node.input(i))
        add(node.error("MO-EMIT-0005", "input {} is not connected although a later one is", i)
                .hint("an IR layer has no gaps among its inputs: connect it, or choose a form of the op without it"));
    for (std::size_t i = 0; i < node.out_port_count(); ++i) check_port(node, node.out_port(i));
  }

  void add(Diagnostic problem) {
    if (problems_.size() < kMaxProblems)
      problems_.push_back(std::move(problem));
    else
      ++more_;
  }

  Expected<void> finish() {
    if (problems_.empty()) return {};
    if (more_ > 0) problems_.back().notes.push_back(fmt::format("and {} more problems", more_));
    return Error(std::move(problems_));
  }

 private:
  void check_op(const Node& node) {
    if (!node.op_type().dynamic) return;
    const LayerType layer = layer_type(node);
    if (layer.version.empty() || layer.type.find("::") != std::string::npos) {
      add(node.error("MO-EMIT-0004", "{} is not an operation of an IR op set", layer.type)
              .hint("write an extension that replaces it, or give it the attribute \"version\" with the name of a "
                    "custom op set"));
      return;
    }
    for (const AttributeMap::Item& item : *static_cast<const AttributeMap*>(node.payload()))
      if ((is_written(node, item.name) && !is_xml_name(item.name)) ||
          (item.name.starts_with(kCarriedMark) && !is_xml_name(std::string_view(item.name).substr(1))))
        add(node.error("MO-EMIT-0010", "\"{}\" cannot be the name of an attribute in XML", item.name)
                .hint("rename the attribute"));
  }

  void check_port(const Node& node, const OutPort& port) {
    const Const* const constant = node.as<Const>();
    const TensorType of_constant = constant ? constant->value.type() : TensorType();
    const TensorType& type = constant ? of_constant : port.type();
    if (type.element_type == ElementType::dynamic && !may_lack_types(node)) {
      add(node.error("MO-EMIT-0006", "the element type of output {} is not known", port.index())
              .hint("runtimes cannot read a port without a type; give types of the inputs with --input, or declare the "
                    "type of the custom op"));
      return;
    }
    if (ir_version_ != 10) return;
    // IR v10: readers before 2022.1 throw at a dimension below 0, and know no strings.
    if (!type.shape.is_static())
      add(node.error("MO-EMIT-0007", "IR v10 supports static shapes only, and output {} is {}", port.index(),
                     type.to_string())
              .hint("give static shapes with --input_shape, or write IR v11"));
    else if (type.element_type == ElementType::string)
      add(node.error("MO-EMIT-0007", "IR v10 does not support strings, and output {} is {}", port.index(),
                     type.to_string())
              .hint("write IR v11"));
  }

  int ir_version_;
  std::vector<Diagnostic> problems_;
  std::size_t more_ = 0;
};

/// Names that change in XML must stay different from all others.
void rename(Plan& plan) {
  for (std::uint32_t i = 0; i < plan.layers.size(); ++i) {
    if (is_plain(plan.layers[i].name())) continue;
    if (std::string safe = xml_safe(plan.layers[i].name()); safe != plan.layers[i].name())
      plan.renamed.emplace(i, std::move(safe));
  }
  if (plan.renamed.empty()) return;
  std::unordered_set<std::string> taken;
  for (std::uint32_t i = 0; i < plan.layers.size(); ++i)
    if (!plan.renamed.contains(i)) taken.emplace(plan.layers[i].name());
  for (std::uint32_t i = 0; i < plan.layers.size(); ++i) {
    const auto it = plan.renamed.find(i);
    if (it == plan.renamed.end()) continue;
    const std::string base = it->second;
    for (std::size_t k = 1; !taken.insert(it->second).second; ++k) it->second = fmt::format("{}_{}", base, k);
  }
}

/// Whether the `T` among the layers are `ends`, which the order of a file is that of a model's inputs or outputs.
template <class T>
bool come_in_order(const std::vector<Node>& layers, const std::vector<Node>& ends) {
  auto next = ends.begin();
  for (const Node& node : layers)
    if (node.is<T>() && (next == ends.end() || *next++ != node)) return false;
  return next == ends.end();
}

/// The layers of a graph in their order.
Expected<std::vector<Node>> ordered_layers(const Graph& graph, bool as_read) {
  MO_ASSIGN(std::vector<Node> layers, graph.topological_order());
  const std::vector<Node> parameters = graph.parameters();
  const std::vector<Node> results = graph.results();
  if (as_read && come_in_order<Parameter>(layers, parameters) && come_in_order<Result>(layers, results)) return layers;
  std::erase_if(layers, [](const Node& node) { return node.is<Parameter>() || node.is<Result>(); });
  layers.insert(layers.begin(), parameters.begin(), parameters.end());
  layers.insert(layers.end(), results.begin(), results.end());
  return layers;
}

Expected<Plan> plan_graph(const Graph& graph, Checker& checker, bool as_read, int depth) {
  Plan plan;
  plan.graph = &graph;
  MO_ASSIGN(plan.layers, ordered_layers(graph, as_read));
  plan.id_of.resize(graph.node_capacity());
  for (std::uint32_t i = 0; i < plan.layers.size(); ++i) plan.id_of[plan.layers[i].id().index] = i;
  for (const Node& parameter : graph.parameters()) plan.parameters.push_back(plan.id(parameter));
  for (const Node& result : graph.results()) plan.results.push_back(plan.id(result));
  rename(plan);
  for (std::uint32_t i = 0; i < plan.layers.size(); ++i) {
    const Node& node = plan.layers[i];
    checker.check(node);
    if (body_elements(node).empty()) continue;
    if (depth == kMaxBodyDepth) {
      checker.add(node.error("MO-EMIT-0009", "bodies are nested more than {} deep", kMaxBodyDepth)
                      .hint("flatten the loops of the model"));
      continue;
    }
    for (const Graph* body : node.bodies()) {
      MO_ASSIGN(Plan inner, plan_graph(*body, checker, as_read, depth + 1));
      plan.bodies[i].push_back(std::move(inner));
    }
  }
  return plan;
}

}  // namespace

Expected<Plan> make_plan(const Graph& graph, int ir_version, bool as_read) {
  Checker checker(ir_version);
  MO_ASSIGN(Plan plan, plan_graph(graph, checker, as_read, 0));
  MO_TRY(checker.finish());
  return plan;
}

LayerType layer_type(const Node& node) {
  const OpType& op = node.op_type();
  if (const auto carried = op.dynamic ? node.attr<std::string>(kCarriedVersion) : std::nullopt)
    return {std::string(op.name), *carried};
  if (op.dynamic && op.opset_name.empty())
    return {node.attr<std::string>(kTypeAttribute).value_or(std::string(op.name)),
            node.attr<std::string>(kVersionAttribute).value_or("")};
  return {std::string(op.name), op.opset_name.empty() ? fmt::format("opset{}", op.opset) : std::string(op.opset_name)};
}

std::vector<std::string_view> body_elements(const Node& node) {
  std::vector<std::string_view> names;
  const OpType& type = node.op_type();
  if (type.traits.owns_bodies)
    for (const AttributeInfo& info : type.attributes)
      if (info.kind == AttributeKind::body) names.push_back(info.name);
  if (!type.dynamic) return names;
  const auto& attributes = *static_cast<const AttributeMap*>(node.payload());
  if (!attributes.contains(kCarriedVersion)) return names;
  for (const AttributeMap::Item& item : attributes)
    if (item.value.get_if<Body>()) names.push_back(std::string_view(item.name).substr(1));
  return names;
}

bool is_written(const Node& node, std::string_view attribute) {
  if (attribute.starts_with('@')) return false;
  const bool is_named_by_attributes = node.op_type().opset_name.empty() && !node.attr<std::string>(kCarriedVersion);
  return !is_named_by_attributes || (attribute != kTypeAttribute && attribute != kVersionAttribute);
}

std::size_t connected_inputs(const Node& node) {
  std::size_t count = node.in_port_count();
  while (count > 0 && !node.input(count - 1)) --count;
  return count;
}

}  // namespace mo::ir_emitter
