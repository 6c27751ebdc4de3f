#include "frontends/tensorflow/checkpoint/object_graph.hpp"

#include "frontends/common/wire.hpp"
#include "frontends/tensorflow/checkpoint/table.hpp"
#include "frontends/tensorflow/fields.hpp"

namespace mo::tensorflow {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;

namespace {

constexpr std::size_t kMostNodes = 10'000'000;
constexpr std::uint64_t kLongestName = 64 * 1024;

Expected<ObjectGraph::Child> read_child(WireSource& source, const WireField& message) {
  ObjectGraph::Child child;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == child_field::kId) {
      MO_ASSIGN(child.id, integer_of(field));
    } else if (field.number == child_field::kLocalName) {
      MO_ASSIGN(child.local_name, text_of(source, field, kLongestName));
    }
    return {};
  }));
  return child;
}

Expected<ObjectGraph::Attribute> read_attribute(WireSource& source, const WireField& message) {
  ObjectGraph::Attribute attribute;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    std::string* const target = field.number == serialized_field::kName            ? &attribute.name
                                : field.number == serialized_field::kFullName      ? &attribute.full_name
                                : field.number == serialized_field::kCheckpointKey ? &attribute.checkpoint_key
                                                                                   : nullptr;
    if (!target) return {};
    MO_ASSIGN(*target, text_of(source, field, kLongestName));
    return {};
  }));
  return attribute;
}

Expected<ObjectGraph::Node> read_node(WireSource& source, const WireField& message) {
  ObjectGraph::Node node;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == object_field::kChild) {
      MO_ASSIGN(ObjectGraph::Child child, read_child(source, field));
      node.children.push_back(std::move(child));
    } else if (field.number == object_field::kAttribute) {
      MO_ASSIGN(ObjectGraph::Attribute attribute, read_attribute(source, field));
      node.attributes.push_back(std::move(attribute));
    }
    return {};
  }));
  return node;
}

}  // namespace

Expected<ObjectGraph> read_object_graph(std::string_view bytes) {
  MO_ASSIGN(BufferPtr buffer, frontends::copy_to_buffer(bytes));
  WireSource source(std::move(buffer), "object graph");
  WireReader reader(source);
  ObjectGraph graph;
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number != object_graph_field::kNode) return {};
    if (graph.nodes.size() == kMostNodes)
      return error("MO-TF-0409", "the checkpoint has more than {} objects", kMostNodes).hint("{}", kDamaged);
    MO_ASSIGN(ObjectGraph::Node node, read_node(source, field));
    graph.nodes.push_back(std::move(node));
    return {};
  }));
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    for (const ObjectGraph::Child& child : graph.nodes[i].children)
      if (child.id < 0 || child.id >= static_cast<std::int64_t>(graph.nodes.size()))
        return error("MO-TF-0422", "object {} of the checkpoint has child '{}', which is object {} of {}", i,
                     child.local_name.substr(0, 200), child.id, graph.nodes.size())
            .hint("{}", kDamaged);
  return graph;
}

}  // namespace mo::tensorflow
