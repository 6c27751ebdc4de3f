#include "frontends/onnx/tensor_file.hpp"

#include "frontends/onnx/fields.hpp"

namespace mo::onnx {
namespace {

using frontends::WireField;

/// Whether the message may be a TensorProto. SequenceProto and OptionalProto hold messages in field 3, which is the
/// segment of a tensor and never written; an empty one has just a name in field 1, where a tensor has its shape.
Expected<bool> may_be_tensor(frontends::WireSource& source) {
  bool has_messages = false;
  bool has_tensor_fields = false;
  frontends::WireReader reader(source);
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == tensor_field::kSegment) has_messages = true;
    // strings, 64-bit integers, name, raw data …
    if (field.number >= tensor_field::kStringData) has_tensor_fields = true;
    const bool is_list = field.number == tensor_field::kFloatData || field.number == tensor_field::kInt32Data;
    if (is_list && field.type == frontends::WireType::bytes) has_tensor_fields = true;
    return {};
  }));
  return !has_messages && has_tensor_fields;
}

Expected<NamedTensor> read(const std::string& path) {
  MO_ASSIGN(FilePtr file, File::open(path));
  frontends::WireSource source(std::move(file));
  MO_ASSIGN(const bool is_tensor, may_be_tensor(source));
  if (!is_tensor)
    return error("MO-ONNX-0051", "\"{}\" does not contain a tensor", path)
        .hint("sequences and optional values are not supported; a file with one TensorProto is expected");
  ExternalFiles external(path);
  DiagnosticList ignored;  // unknown keys of external data
  TensorReader reader(source, external, ignored);
  return reader.read(
      WireField{.number = 1, .type = frontends::WireType::bytes, .value = 0, .offset = 0, .size = source.size()});
}

}  // namespace

Expected<NamedTensor> read_tensor_file(const std::string& path) {
  auto tensor = read(path);
  if (!tensor) return std::move(tensor).error().in_file(path);
  return tensor;
}

}  // namespace mo::onnx
