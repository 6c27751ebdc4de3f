#include "frontends/tensorflow/event_file.hpp"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <filesystem>

#include "core/files/output_set.hpp"
#include "core/pass/framework_names.hpp"
#include "frontends/tensorflow/checkpoint/crc32c.hpp"
#include "tensorflow.pb.h"

namespace mo::tensorflow {
namespace {

/// What programs that read events have to see in the first one.
constexpr std::string_view kFileVersion = "brain.Event:2";
/// Longer lists are of no use in a picture of the graph.
constexpr std::size_t kLongestList = 1024;

/// The DataType that carries elements of this type; DT_INVALID when there is none.
DataType message_type_of(ElementType type) {
  switch (type) {
    case ElementType::f16: return DT_HALF;
    case ElementType::bf16: return DT_BFLOAT16;
    case ElementType::f32: return DT_FLOAT;
    case ElementType::f64: return DT_DOUBLE;
    case ElementType::i8: return DT_INT8;
    case ElementType::i16: return DT_INT16;
    case ElementType::i32: return DT_INT32;
    case ElementType::i64: return DT_INT64;
    case ElementType::u8: return DT_UINT8;
    case ElementType::u16: return DT_UINT16;
    case ElementType::u32: return DT_UINT32;
    case ElementType::boolean: return DT_BOOL;
    case ElementType::string: return DT_STRING;
    default: return DT_INVALID;
  }
}

TensorShapeProto shape_message(const PartialShape& shape) {
  TensorShapeProto message;
  message.set_unknown_rank(!shape.has_rank());
  if (shape.has_rank())
    for (const Dimension& dimension : shape) message.add_dim()->set_size(dimension.is_known() ? dimension.value() : -1);
  return message;
}

/// Fills `message`; false for what a picture of the graph does not need (bodies, long lists).
bool set_value(AttrValue& message, const AttributeValue& value) {
  if (const auto* flag = value.get_if<bool>()) {
    message.set_b(*flag);
  } else if (const auto* number = value.get_if<std::int64_t>()) {
    message.set_i(*number);
  } else if (const auto* real = value.get_if<double>()) {
    message.set_f(static_cast<float>(*real));
  } else if (const auto* text = value.get_if<std::string>()) {
    message.set_s(*text);
  } else if (const auto* type = value.get_if<ElementType>()) {
    message.set_type(message_type_of(*type));
  } else if (const auto* shape = value.get_if<PartialShape>()) {
    *message.mutable_shape() = shape_message(*shape);
  } else if (const auto* tensor = value.get_if<Tensor>()) {
    message.mutable_tensor()->set_dtype(message_type_of(tensor->element_type()));
    *message.mutable_tensor()->mutable_tensor_shape() = shape_message(PartialShape(tensor->shape()));
  } else if (const auto* integers = value.get_if<std::vector<std::int64_t>>();
             integers && integers->size() <= kLongestList) {
    for (const std::int64_t element : *integers) message.mutable_list()->add_i(element);
  } else if (const auto* reals = value.get_if<std::vector<double>>(); reals && reals->size() <= kLongestList) {
    for (const double element : *reals) message.mutable_list()->add_f(static_cast<float>(element));
  } else if (const auto* texts = value.get_if<std::vector<std::string>>(); texts && texts->size() <= kLongestList) {
    for (const std::string& element : *texts) message.mutable_list()->add_s(element);
  } else {
    return false;
  }
  return true;
}

void add_attributes(NodeDef& message, const Node& node) {
  for (const auto& [name, value] : node.attributes()) {
    if (name == "@device" && value.get_if<std::string>()) message.set_device(*value.get_if<std::string>());
    if (name.starts_with("@")) continue;
    AttrValue attribute;
    if (set_value(attribute, value)) (*message.mutable_attr())[name] = std::move(attribute);
  }
}

GraphDef graph_message(const Graph& graph) {
  GraphDef message;
  for (const Node node : graph.nodes()) {
    if (node.is<Result>()) continue;
    NodeDef& made = *message.add_node();
    made.set_name(std::string(node.name()));
    const std::string_view op = node.is<Parameter>() ? "Placeholder" : framework_op_name(node);
    made.set_op(std::string(op.empty() ? node.type() : op));
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (const Value source = node.input(i))
        made.add_input(std::string(source.node().name()) +
                       (source.index() == 0 ? "" : ":" + std::to_string(source.index())));
    for (const Node& before : node.control_inputs()) made.add_input("^" + std::string(before.name()));
    if (const auto* parameter = node.as<Parameter>()) {
      (*made.mutable_attr())["dtype"].set_type(message_type_of(parameter->element_type));
      *(*made.mutable_attr())["shape"].mutable_shape() = shape_message(parameter->shape);
    } else {
      add_attributes(made, node);
    }
  }
  return message;
}

/// Attributes are a map, whose order is not that of a serialization unless it is asked for.
std::string serialized(const google::protobuf::MessageLite& message) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

void append_number(std::string& out, std::uint64_t number, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i));
}

/// A record of TensorFlow's record files: length, its checksum, the data, its checksum; little-endian.
void append_record(std::string& out, const std::string& data) {
  const auto checksum = [](std::string_view bytes) { return mask_crc(crc32c(std::as_bytes(std::span(bytes)))); };
  const std::size_t start = out.size();
  append_number(out, data.size(), 8);
  append_number(out, checksum(std::string_view(out).substr(start)), 4);
  out += data;
  append_number(out, checksum(data), 4);
}

}  // namespace

Expected<std::string> write_event_file(const Graph& graph, const std::string& folder, const std::string& name) {
  std::string records;
  Event version;
  version.set_file_version(std::string(kFileVersion));
  append_record(records, serialized(version));
  Event event;
  event.set_graph_def(serialized(graph_message(graph)));
  append_record(records, serialized(event));

  const std::string file = "events.out.tfevents." + name;
  MO_ASSIGN(const std::unique_ptr<OutputSet> set, OutputSet::create(folder, file, {file}));
  MO_ASSIGN(OutputFile * out, set->open(0));
  MO_TRY(out->write(std::as_bytes(std::span(records))));
  MO_TRY(out->close());
  MO_TRY(set->commit());
  return (std::filesystem::path(folder) / file).string();
}

}  // namespace mo::tensorflow
