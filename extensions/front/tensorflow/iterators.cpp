#include <algorithm>
#include <array>

#include "extensions/front/tensorflow/support/graphs.hpp"

namespace mo::front::tensorflow {
namespace {

/// The types of the components that a queue or an iterator gives, as far as its nodes say.
struct Components {
  std::vector<std::string> types;
  AttributeList shapes;
};

/// Queues have component_types and shapes, iterators output_types and output_shapes.
Expected<Components> components_of(const Node& node) {
  const FrameworkNode view(node);
  Components components;
  for (const std::string_view name : {"output_types", "component_types"})
    if (auto types = view.optional_attr<std::vector<std::string>>(name)) components.types = *std::move(types);
  for (const std::string_view name : {"output_shapes", "shapes"})
    if (const AttributeValue shapes = node.attribute(name); const auto* list = shapes.get_if<AttributeList>())
      components.shapes = *list;
  if (view.failure()) return *view.failure();
  return components;
}

/// QueueDequeueMany and QueueDequeueUpTo put several components together.
bool takes_many(const Node& node) {
  return node.type().starts_with("tf::QueueDequeueMany") || node.type().starts_with("tf::QueueDequeueUpTo");
}

/// How many; unknown when that is computed.
Dimension batch_of(const Node& node) {
  const auto known = constant_integer(node.input(1));
  return known && *known >= 0 ? Dimension(*known) : Dimension();
}

/// A component of the queue or iterator that `node` reads from, with the dimension of the batch in front when several
/// are put together.
PartialShape shape_of_component(const Node& node, const AttributeList& shapes, std::size_t i) {
  const auto* shape = i < shapes.size() ? shapes[i].get_if<PartialShape>() : nullptr;
  if (!shape || !shape->has_rank()) return PartialShape::unknown_rank();
  if (!takes_many(node)) return *shape;
  std::vector<Dimension> dims{batch_of(node)};
  dims.insert(dims.end(), shape->begin(), shape->end());
  return PartialShape(std::move(dims));
}

/// The tensors that a model takes out of a queue or iterator, by output port; a dynamic type where there is no reader.
Expected<std::vector<TensorType>> types_of(const Node& node) {
  MO_ASSIGN(Components components, components_of(node));
  if (const Value source = node.input(0); source && (components.types.empty() || components.shapes.empty())) {
    MO_ASSIGN(const Components of_source, components_of(source.node()));
    if (components.types.empty()) components.types = of_source.types;
    if (components.shapes.empty()) components.shapes = of_source.shapes;
  }
  std::vector<TensorType> found(node.out_port_count());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (node.out_port(i).disconnected()) continue;
    const auto type = i < components.types.size() ? element_type_from(components.types[i]) : std::nullopt;
    if (!type || *type == ElementType::string || *type == ElementType::dynamic)
      return node
          .error("MO-TF-0742", "component {} of the queue or iterator is {}", i,
                 i < components.types.size() ? "of type " + components.types[i] : "not described in the model")
          .hint("make it an input: --input \"{}:{}[shape]\"", node.name(), i);
    found[i] = {*type, shape_of_component(node, components.shapes, i)};
  }
  return found;
}

/// What a model takes out of a queue or an iterator is what a user feeds: Parameters.
Expected<Outputs> inputs_in_place_of(const Node& node) {
  MO_ASSIGN(const std::vector<TensorType> types, types_of(node));
  std::size_t used = 0;
  for (std::size_t i = 0; i < types.size(); ++i) used += node.out_port(i).disconnected() ? 0 : 1;
  Outputs parameters(types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (node.out_port(i).disconnected()) continue;
    const std::string name = used == 1
                                 ? std::string(node.name())
                                 : node.graph().unique_name(fmt::format("{}/placeholder_out_port_{}", node.name(), i));
    const Node parameter = node.graph().create_parameter(types[i], name);
    parameter.set_origin(node.origin());
    parameter.add_sources_of(node);
    parameters[i] = parameter.output();
  }
  return parameters;
}

/// What is left: --input has not cut it off, and the model does not describe it.
Replacement replace_source(const Node& node, Rewriter&) {
  MO_ASSIGN(Outputs parameters, inputs_in_place_of(node));
  return parameters;
}

constexpr std::array<std::string_view, 8> kSources = {
    "tf::IteratorGetNext",  "tf::IteratorGetNextSync", "tf::QueueDequeue",     "tf::QueueDequeueV2",
    "tf::QueueDequeueMany", "tf::QueueDequeueManyV2",  "tf::QueueDequeueUpTo", "tf::QueueDequeueUpToV2"};

/// Before --input and --input_shape are looked at, so that they mean the data and not the handle that leads to it. What
/// the model does not describe stays: --input may cut it off. Inputs that only such handles needed are none.
Expected<bool> feed_from_outside(Graph& graph, PassContext&) {
  std::vector<Node> sources;
  for (const Node node : graph.nodes())
    if (std::find(kSources.begin(), kSources.end(), node.type()) != kSources.end() && types_of(node))
      sources.push_back(node);
  if (sources.empty()) return false;
  std::vector<Node> read;
  for (const Node& parameter : graph.parameters())
    if (!parameter.output().disconnected()) read.push_back(parameter);
  Rewriter rw(graph);
  for (const Node& node : sources) {
    MO_ASSIGN(const Outputs parameters, inputs_in_place_of(node));
    rw.replace(node, parameters);
  }
  if (rw.error()) return Error(*rw.error());
  for (const Node& parameter : read)
    if (parameter.output().disconnected()) graph.erase(parameter);
  return true;
}

}  // namespace

void register_iterators(PassRegistry& passes) {
  // A body has no inputs of its own: the elements that it takes out of a queue, another one in each run, could not be
  // fed.
  passes.add(graph_pass("TfDataInputs")
                 .phase(Phase::extraction)
                 .run_after({"OutputCut"})
                 .run_before({"InputCut"})
                 .only_top_level()
                 .run(feed_from_outside));
  passes.add(graph_rewrite("TfDataSource")
                 .phase(Phase::front)
                 .only_top_level()
                 .add(structural_rule({kSources.begin(), kSources.end()}, 0, replace_source)));
}

}  // namespace mo::front::tensorflow
