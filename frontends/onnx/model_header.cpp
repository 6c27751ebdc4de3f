#include "frontends/onnx/model_header.hpp"

#include "frontends/onnx/entries.hpp"
#include "frontends/onnx/fields.hpp"

namespace mo::onnx {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;
using frontends::WireType;

Expected<ModelHeader> read_model_header(WireSource& source, DiagnosticSink& sink) {
  ModelHeader header;
  const auto text = [&](const WireField& field, std::string_view name) -> Expected<void> {
    MO_ASSIGN(std::string value, text_of(source, field));
    if (!value.empty()) header.properties.set(name, std::move(value));
    return {};
  };
  WireReader reader(source);
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    switch (field.number) {
      case model_field::kIrVersion: {
        if (field.type == WireType::bytes)
          return error("MO-ONNX-0001", "this is not an ONNX model: it does not begin with the version of the format")
              .hint("a TensorFlow or Caffe model looks like this: give --framework, or the right file");
        MO_ASSIGN(header.ir_version, integer_of(field));
        return {};
      }
      case model_field::kProducerName: return text(field, "producer_name");
      case model_field::kProducerVersion: return text(field, "producer_version");
      case model_field::kDomain: return text(field, "domain");
      case model_field::kModelVersion: {
        MO_ASSIGN(const std::int64_t version, integer_of(field));
        header.properties.set("model_version", version);
        return {};
      }
      case model_field::kDocString: return text(field, "doc_string");
      case model_field::kGraph:
        if (field.type != WireType::bytes) return wrong_wire_type(field, "bytes");
        if (header.graph)
          return error("MO-ONNX-0001", "the model has two graphs").hint("two models were joined; give one of them");
        header.graph = field;
        return {};
      case model_field::kOpsetImport: return header.imports.read(source, field, sink);
      case model_field::kMetadata: return add_entry(source, field, header.metadata);
      case model_field::kTrainingInfo: header.has_training = true; return {};
      case model_field::kFunctions:
        if (header.functions.size() == limits::kNodes / 16)
          return error("MO-ONNX-0018", "the model has more than {} functions", header.functions.size())
              .hint("the file is corrupt: compare its checksum, and download or export it again");
        header.functions.push_back(field);
        return {};
      default: return {};
    }
  }));
  return header;
}

Expected<FunctionHeader> read_function_header(WireSource& source, const WireField& message, DiagnosticSink& sink) {
  FunctionHeader header;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    switch (field.number) {
      case function_field::kName:
      case function_field::kDomain:
      case function_field::kOverload: {
        MO_ASSIGN((field.number == function_field::kName     ? header.name
                   : field.number == function_field::kDomain ? header.domain
                                                             : header.overload),
                  text_of(source, field, 64 * 1024));
        return {};
      }
      case function_field::kInput:
      case function_field::kOutput:
      case function_field::kAttribute: {
        MO_ASSIGN(std::string text, text_of(source, field, 64 * 1024));
        std::vector<std::string>& list = field.number == function_field::kInput    ? header.inputs
                                         : field.number == function_field::kOutput ? header.outputs
                                                                                   : header.attributes;
        if (list.size() == limits::kPorts)
          return error("MO-ONNX-0019", "function {} has more than {} inputs, outputs or attributes", header.name,
                       limits::kPorts)
              .hint("the file is corrupt: compare its checksum, and download or export it again");
        list.push_back(std::move(text));
        return {};
      }
      case function_field::kOpsetImport: return header.imports.read(source, field, sink);
      case function_field::kAttributeDefault:
        if (header.defaults.size() < limits::kAttributes) header.defaults.push_back(field);
        return {};
      default: return {};
    }
  }));
  if (header.name.empty())
    return error("MO-ONNX-0013", "a function has no name")
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  return header;
}

}  // namespace mo::onnx
