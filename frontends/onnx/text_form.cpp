#include <google/protobuf/arena.h>
#include <google/protobuf/text_format.h>

#include <limits>

#include "frontends/common/protobuf_text/message_text.hpp"
#include "frontends/onnx/model_reader.hpp"
#include "onnx.pb.h"

namespace mo::onnx {
namespace {

/// A graph in an attribute of a node takes three messages in messages, and graphs may be nested 64 deep.
constexpr frontends::TextRules kRules{.code = "MO-ONNX-0050", .message = "ModelProto", .depth = 400};

}  // namespace

Expected<std::string> model_from_text(const std::string& text) {
  return frontends::message_from_text(text, ModelProto::default_instance(), kRules);
}

Expected<std::string> model_to_text(const std::string& bytes) {
  google::protobuf::Arena arena;
  ModelProto& model = *google::protobuf::Arena::CreateMessage<ModelProto>(&arena);
  std::string text;
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) || !model.ParseFromString(bytes) ||
      !google::protobuf::TextFormat::PrintToString(model, &text))
    return error("MO-ONNX-0063", "the model cannot be written as text: it has {} bytes", bytes.size())
        .hint("write it as binary");
  return text;
}

}  // namespace mo::onnx
