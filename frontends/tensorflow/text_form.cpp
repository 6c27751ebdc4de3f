#include "frontends/tensorflow/text_form.hpp"

#include <google/protobuf/arena.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <limits>

#include "frontends/common/text_size.hpp"
#include "tensorflow.pb.h"

namespace mo::tensorflow {
namespace {

/// Messages in messages: attributes of functions in attributes of functions …
constexpr int kTextDepth = 100;
constexpr std::size_t kListedErrors = 20;

/// Keeps what the parser has to say instead of printing it.
class Collector final : public google::protobuf::io::ErrorCollector {
 public:
  explicit Collector(std::string_view message) : message_(message) {}
  void AddError(int line, google::protobuf::io::ColumnNumber column, const std::string& message) override {
    // The parser counts from 0.
    if (errors.size() < kListedErrors)
      errors.push_back(error("MO-TF-0002", "line {}, column {}: {}", line + 1, column + 1, message).hint("the text form is that of {}", message_));
  }
  void AddWarning(int, google::protobuf::io::ColumnNumber, const std::string&) override {}

  std::vector<Diagnostic> errors;

 private:
  std::string_view message_;
};

/// The entries of maps come in one order: the same text is the same graph.
std::string bytes_of(const google::protobuf::Message& message) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  // The destructor writes what is left, which ends the process behind a std::bad_alloc: then there is none. The object owns nothing.
  union Coded {
    explicit Coded(google::protobuf::io::StringOutputStream& to) : stream(&to) {}
    ~Coded() {}  // NOLINT(modernize-use-equals-default): of a union with such a member
    google::protobuf::io::CodedOutputStream stream;
  } coded(stream);
  coded.stream.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&coded.stream);
  coded.stream.Trim();
  return bytes;
}

template <class Message>
Expected<std::string> parse(const std::string& text, std::string_view name) {
  MO_TRY(frontends::room_for_messages(text));
  google::protobuf::Arena arena;  // when memory fails, it frees what it gave: messages by themselves would free a part that was never made
  Message& message = *google::protobuf::Arena::CreateMessage<Message>(&arena);
  Collector collector(name);
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&collector);
  parser.SetRecursionLimit(kTextDepth);
  parser.AllowUnknownField(true);
  const bool parsed = parser.ParseFromString(text, &message);
  if (!collector.errors.empty()) return Error(std::move(collector.errors));
  if (!parsed) return error("MO-TF-0002", "the text is no {}", name).hint("the text form is that of {}", name);
  return bytes_of(message);
}

template <class Message>
Expected<std::string> print(std::string_view bytes, std::string_view name) {
  Message message;
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) ||
      !message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return error("MO-TF-0052", "{} bytes cannot be printed as the text of a {}", bytes.size(), name).hint("write the model as binary");
  google::protobuf::TextFormat::Printer printer;
  std::string text;
  if (!printer.PrintToString(message, &text)) return error("MO-TF-0052", "the {} cannot be printed", name).hint("write the model as binary");
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
