#include "frontends/tensorflow/text_form.hpp"

#include <google/protobuf/text_format.h>

#include <limits>

#include "frontends/common/protobuf_text/message_text.hpp"
#include "tensorflow.pb.h"

namespace mo::tensorflow {
namespace {

template <class Message>
Expected<std::string> parse(const std::string& text, std::string_view name) {
  return frontends::message_from_text(text, Message::default_instance(),
                                      {.code = "MO-TF-0002", .message = name, .skips_unknown_fields = true});
}

template <class Message>
Expected<std::string> print(std::string_view bytes, std::string_view name) {
  Message message;
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) ||
      !message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return error("MO-TF-0052", "{} bytes cannot be printed as the text form of a {}", bytes.size(), name)
        .hint("write the model as binary");
  google::protobuf::TextFormat::Printer printer;
  std::string text;
  if (!printer.PrintToString(message, &text))
    return error("MO-TF-0052", "the {} cannot be printed", name).hint("write the model as binary");
  return text;
}

}  // namespace

Expected<std::string> text_from_bytes(std::string_view bytes, TextMessage kind) {
  switch (kind) {
    case TextMessage::graph_def: return print<GraphDef>(bytes, "GraphDef");
    case TextMessage::meta_graph: return print<MetaGraphDef>(bytes, "MetaGraphDef");
    case TextMessage::saved_model: return print<SavedModel>(bytes, "SavedModel");
  }
  MO_ASSERT(false, "a kind of message without a printer");
}

Expected<std::string> bytes_from_text(const std::string& text, TextMessage kind) {
  switch (kind) {
    case TextMessage::graph_def: return parse<GraphDef>(text, "GraphDef");
    case TextMessage::meta_graph: return parse<MetaGraphDef>(text, "MetaGraphDef");
    case TextMessage::saved_model: return parse<SavedModel>(text, "SavedModel");
  }
  MO_ASSERT(false, "a kind of message without a parser");
}

}  // namespace mo::tensorflow
