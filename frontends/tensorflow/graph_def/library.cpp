#include "frontends/tensorflow/graph_def/library.hpp"

#include "frontends/common/wire.hpp"
#include "frontends/tensorflow/fields.hpp"
#include "frontends/tensorflow/graph_def/attribute_keys.hpp"
#include "frontends/tensorflow/graph_def/field_record.hpp"

namespace mo::tensorflow {
namespace {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;

Expected<void> count_ops(WireSource& source, WireReader library, std::map<std::string, std::size_t>& counts) {
  return library.each([&](const WireField& field) -> Expected<void> {
    if (field.number != library_field::kFunction) return {};
    MO_ASSIGN(WireReader function, message_of(source, field));
    return function.each([&](const WireField& part) -> Expected<void> {
      if (part.number != function_field::kNode) return {};
      MO_ASSIGN(WireReader node, message_of(source, part));
      return node.each([&](const WireField& of_node) -> Expected<void> {
        if (of_node.number != node_field::kOp) return {};
        MO_ASSIGN(const std::string_view op, short_text_of(source, of_node));
        ++counts[std::string(op)];
        return {};
      });
    });
  });
}

}  // namespace

Expected<std::map<std::string, std::size_t>> count_library_ops(const Graph& graph) {
  std::map<std::string, std::size_t> counts;
  const AttributeValue* const fields = graph.properties.find(graph_def_key::kFields);
  if (!fields) return counts;
  for (const AttributeValue& record : *fields->get_if<AttributeList>()) {
    const Tensor* const payload = payload_of_record(record);
    if (number_of_record(record) != graph_field::kLibrary || !payload) continue;
    MO_ASSIGN(const Tensor loaded, payload->load());
    WireSource source(loaded.buffer(), "the library of functions");
    MO_TRY(count_ops(source, WireReader(source, loaded.offset(), loaded.byte_size()), counts));
  }
  return counts;
}

}  // namespace mo::tensorflow
