#include "frontends/tensorflow/graph_def/library.hpp"

#include "frontends/common/field_record.hpp"
#include "frontends/common/wire.hpp"
#include "frontends/tensorflow/fields.hpp"
#include "frontends/tensorflow/graph_def/keys.hpp"
#include "frontends/tensorflow/graph_reader.hpp"

namespace mo::tensorflow {
namespace {

using frontends::number_of_record;
using frontends::payload_of_record;
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

/// Calls `read(source, library)` for each library of the graph: there is one, but protobuf allows several.
template <class Read>
Expected<void> each_library(const Graph& graph, Read&& read) {
  const AttributeValue* const fields = graph.properties.find(kept_key::kFields);
  if (!fields) return {};
  for (const AttributeValue& record : *fields->get_if<AttributeList>()) {
    const Tensor* const payload = payload_of_record(record);
    if (number_of_record(record) != graph_field::kLibrary || !payload) continue;
    MO_ASSIGN(const Tensor loaded, payload->load());
    WireSource source(loaded.buffer(), "the library of functions");
    const WireField library{.number = graph_field::kLibrary,
                            .type = frontends::WireType::bytes,
                            .offset = loaded.offset(),
                            .size = loaded.byte_size()};
    MO_TRY(read(source, library));
  }
  return {};
}

}  // namespace

Expected<std::map<std::string, std::size_t>> count_library_ops(const Graph& graph) {
  std::map<std::string, std::size_t> counts;
  MO_TRY(each_library(graph, [&](WireSource& source, const WireField& library) -> Expected<void> {
    MO_ASSIGN(WireReader reader, message_of(source, library));
    return count_ops(source, reader, counts);
  }));
  return counts;
}

Expected<std::vector<Value>> put_function(Graph& graph, const std::string& name, const std::string& prefix,
                                          const std::vector<Value>& arguments) {
  std::optional<std::vector<Value>> results;
  DiagnosticList remarks;
  MO_TRY(each_library(graph, [&](WireSource& source, const WireField& library) -> Expected<void> {
    ModelState model(source, remarks);
    MO_TRY(model.read_library(library));
    const auto function = model.functions.find(name);
    if (function == model.functions.end()) return {};
    MO_ASSIGN(results,
              GraphReader(model, graph, prefix, Purpose::rewriting).read_function(function->second, arguments, {}));
    return {};
  }));
  if (!results)
    return error("MO-TF-0016", "there is no function '{}'", name)
        .hint("the model is incomplete or was edited: export it again");
  return *std::move(results);
}

}  // namespace mo::tensorflow
