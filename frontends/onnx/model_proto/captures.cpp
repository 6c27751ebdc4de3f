#include "frontends/onnx/model_proto/captures.hpp"

#include "frontends/onnx/fields.hpp"
#include "frontends/onnx/model_state.hpp"

namespace mo::onnx {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;

namespace {

/// The text of field `wanted` of a message.
Expected<std::string> text_in(WireSource& source, const WireField& message, std::uint32_t wanted) {
  std::string text;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number != wanted) return {};
    MO_ASSIGN(text, text_of(source, field));
    return {};
  }));
  return text;
}

/// A GraphProto: what it reads and does not make.
Expected<void> add_captures_of_graph(WireSource& source, const WireField& message, std::set<std::string>& captures,
                                     int depth) {
  std::set<std::string> made;
  std::set<std::string> read;
  const auto take = [&](const WireField& field, std::set<std::string>& names) -> Expected<void> {
    MO_ASSIGN(std::string text, text_of(source, field));
    if (!text.empty()) names.insert(std::move(text));
    return {};
  };
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == graph_field::kInput || field.number == graph_field::kOutput) {
      MO_ASSIGN(std::string name, text_in(source, field, value_field::kName));
      (field.number == graph_field::kInput ? made : read).insert(std::move(name));
    } else if (field.number == graph_field::kInitializer) {
      MO_ASSIGN(std::string name, text_in(source, field, tensor_field::kName));
      made.insert(std::move(name));
    } else if (field.number == graph_field::kSparseInitializer) {
      MO_ASSIGN(WireReader sparse, message_of(source, field));
      MO_TRY(sparse.each([&](const WireField& part) -> Expected<void> {
        if (part.number != sparse_tensor_field::kValues) return {};
        MO_ASSIGN(std::string name, text_in(source, part, tensor_field::kName));
        made.insert(std::move(name));
        return {};
      }));
    } else if (field.number == graph_field::kNode) {
      MO_ASSIGN(WireReader node, message_of(source, field));
      MO_TRY(node.each([&](const WireField& part) -> Expected<void> {
        if (part.number == node_field::kInput) return take(part, read);
        if (part.number == node_field::kOutput) return take(part, made);
        if (part.number == node_field::kAttribute) return add_captures(source, part, read, depth + 1);
        return {};
      }));
    }
    return {};
  }));
  for (const std::string& name : read)
    if (!made.contains(name)) captures.insert(name);
  return {};
}

}  // namespace

Expected<void> add_captures(WireSource& source, const WireField& attribute, std::set<std::string>& captures,
                            int depth) {
  if (depth > limits::kDepth)
    return error("MO-ONNX-0017", "graphs in attributes are nested more than {} deep", limits::kDepth)
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  MO_ASSIGN(WireReader reader, message_of(source, attribute));
  return reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number != attribute_field::kGraph && field.number != attribute_field::kGraphs) return {};
    return add_captures_of_graph(source, field, captures, depth);
  });
}

}  // namespace mo::onnx
