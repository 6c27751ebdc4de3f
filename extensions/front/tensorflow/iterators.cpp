#include <algorithm>

#include "extensions/front/tensorflow/inputs.hpp"
#include "extensions/support/front.hpp"

namespace mo::front::tensorflow {
namespace {

/// The types of the components that a queue or an iterator gives, as far as its nodes say.
struct Components {
  std::vector<std::string> types;
  AttributeList shapes;
};

Components components_of(const Node& node) {
  Components components;
  components.types = node.attr<std::vector<std::string>>("types").value_or(std::vector<std::string>());
  if (const AttributeValue shapes = node.attribute("shapes"); const auto* list = shapes.get_if<AttributeList>()) components.shapes = *list;
  return components;
}

/// How many components QueueDequeueMany puts together; unknown when that is computed.
Dimension batch_of(const Node& node) {
  const auto known = node.input(1) ? known_integers(node.input(1)) : std::nullopt;
  return known && known->size() == 1 && known->front() >= 0 ? Dimension(known->front()) : Dimension();
}

/// A component of the queue or iterator that `node` reads from, with the dimension of the batch in front when several are put together.
PartialShape shape_of_component(const Node& node, const AttributeList& shapes, std::size_t i) {
  const bool many = node.attr<bool>("many").value_or(false);
  const auto* shape = i < shapes.size() ? shapes[i].get_if<PartialShape>() : nullptr;
  if (!shape || !shape->has_rank()) return PartialShape::unknown_rank();
  if (!many) return *shape;
  std::vector<Dimension> dims{batch_of(node)};
  dims.insert(dims.end(), shape->begin(), shape->end());
  return PartialShape(std::move(dims));
}

/// What a model takes out of a queue or an iterator is what a user feeds: Parameters.
Replacement replace_source(const Node& node, Rewriter& rw) {
  Components components = components_of(node);
  if (const Value source = node.input(0); source && (components.types.empty() || components.shapes.empty())) {
    const Components of_source = components_of(source.node());
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

void register_iterators(PassRegistry& passes) { passes.add(front_replacement_op("TfDataSource").replace_op(replace_source)); }

}  // namespace mo::front::tensorflow
