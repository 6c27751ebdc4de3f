#include <algorithm>

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
    if (const AttributeValue shapes = node.attribute(name); const auto* list = shapes.get_if<AttributeList>()) components.shapes = *list;
  if (view.failure()) return *view.failure();
  return components;
}

/// QueueDequeueMany and QueueDequeueUpTo put several components together.
bool takes_many(const Node& node) { return node.type().starts_with("tf::QueueDequeueMany") || node.type().starts_with("tf::QueueDequeueUpTo"); }

/// How many; unknown when that is computed.
Dimension batch_of(const Node& node) {
  const auto known = constant_integer(node.input(1));
  return known && *known >= 0 ? Dimension(*known) : Dimension();
}

/// A component of the queue or iterator that `node` reads from, with the dimension of the batch in front when several are put together.
PartialShape shape_of_component(const Node& node, const AttributeList& shapes, std::size_t i) {
  const auto* shape = i < shapes.size() ? shapes[i].get_if<PartialShape>() : nullptr;
  if (!shape || !shape->has_rank()) return PartialShape::unknown_rank();
  if (!takes_many(node)) return *shape;
  std::vector<Dimension> dims{batch_of(node)};
  dims.insert(dims.end(), shape->begin(), shape->end());
  return PartialShape(std::move(dims));
}

/// What a model takes out of a queue or an iterator is what a user feeds: Parameters.
Replacement replace_source(const Node& node, Rewriter& rw) {
  MO_ASSIGN(Components components, components_of(node));
  if (const Value source = node.input(0); source && (components.types.empty() || components.shapes.empty())) {
    MO_ASSIGN(const Components of_source, components_of(source.node()));
    if (components.types.empty()) components.types = of_source.types;
    if (components.shapes.empty()) components.shapes = of_source.shapes;
  }
  const std::size_t outputs = node.out_port_count();
  std::size_t used = 0;
  for (std::size_t i = 0; i < outputs; ++i) used += node.out_port(i).disconnected() ? 0 : 1;
  Outputs parameters(outputs);
  for (std::size_t i = 0; i < outputs; ++i) {
    if (node.out_port(i).disconnected()) continue;
    const auto type = i < components.types.size() ? element_type_from(components.types[i]) : std::nullopt;
    if (!type || *type == ElementType::string || *type == ElementType::dynamic)
      return node
          .error("MO-TF-0742", "component {} of the queue or iterator is {}", i,
                 i < components.types.size() ? "of type " + components.types[i] : "not described in the model")
          .hint("make it an input: --input \"{}:{}[shape]\"", node.name(), i);
    const std::string name =
        used == 1 ? std::string(node.name()) : node.graph().unique_name(fmt::format("{}/placeholder_out_port_{}", node.name(), i));
    const Node parameter = rw.graph().create_parameter({*type, shape_of_component(node, components.shapes, i)}, name);
    parameter.set_origin(node.origin());
    parameter.add_sources_of(node);
    parameters[i] = parameter.output();
  }
  return parameters;
}

}  // namespace

void register_iterators(PassRegistry& passes) {
  // A body has no inputs of its own: what it takes out of a queue, in each run of it another element, nobody could feed.
  passes.add(graph_rewrite("TfDataSource")
                 .phase(Phase::front)
                 .only_top_level()
                 .add(structural_rule({"tf::IteratorGetNext", "tf::IteratorGetNextSync", "tf::QueueDequeue", "tf::QueueDequeueV2",
                                       "tf::QueueDequeueMany", "tf::QueueDequeueManyV2", "tf::QueueDequeueUpTo", "tf::QueueDequeueUpToV2"},
                                      0, replace_source)));
}

}  // namespace mo::front::tensorflow
