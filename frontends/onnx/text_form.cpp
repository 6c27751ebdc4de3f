#include <google/protobuf/arena.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <limits>

#include "frontends/common/text_size.hpp"
#include "frontends/onnx/model_reader.hpp"
#include "onnx.pb.h"

namespace mo::onnx {
namespace {

/// Messages in messages: a graph in an attribute of a node takes three levels, and graphs may be nested 64 deep.
constexpr int kTextDepth = 400;
constexpr std::size_t kListedErrors = 20;

/// Keeps what the parser has to say instead of printing it.
class Collector final : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, google::protobuf::io::ColumnNumber column, const std::string& message) override {
    // The parser counts from 0.
    if (errors.size() < kListedErrors)
      errors.push_back(
          error("MO-ONNX-0050", "line {}, column {}: {}", line + 1, column + 1, message).hint("the text form of ONNX is that of ModelProto"));
  }
  void AddWarning(int, google::protobuf::io::ColumnNumber, const std::string&) override {}

  std::vector<Diagnostic> errors;
};

}  // namespace

Expected<std::string> model_from_text(const std::string& text) {
  MO_TRY(frontends::room_for_messages(text));
  google::protobuf::Arena arena;  // when memory fails, it frees what it gave: messages by themselves would free a part that was never made
  ModelProto& model = *google::protobuf::Arena::CreateMessage<ModelProto>(&arena);
  Collector collector;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&collector);
  parser.SetRecursionLimit(kTextDepth);
  const bool parsed = parser.ParseFromString(text, &model);
  if (!collector.errors.empty()) return Error(std::move(collector.errors));
  std::string bytes;
  if (!parsed || !model.SerializeToString(&bytes))
    return error("MO-ONNX-0050", "the text is no ONNX model").hint("the text form of ONNX is that of ModelProto");
  return bytes;
}

Expected<std::string> model_to_text(const std::string& bytes) {
  google::protobuf::Arena arena;
  ModelProto& model = *google::protobuf::Arena::CreateMessage<ModelProto>(&arena);
  std::string text;
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) || !model.ParseFromString(bytes) ||
      !google::protobuf::TextFormat::PrintToString(model, &text))
    return error("MO-ONNX-0063", "the model cannot be written as text: it has {} bytes", bytes.size()).hint("write it as binary");
  return text;
}

}  // namespace mo::onnx
