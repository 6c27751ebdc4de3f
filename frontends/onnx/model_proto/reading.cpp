#include "frontends/onnx/model_proto/graph_proto.hpp"
#include "frontends/onnx/model_proto/model_proto.hpp"
#include "frontends/onnx/model_proto/rewriting_reader.hpp"
#include "frontends/onnx/model_reader.hpp"

namespace mo::onnx {

using frontends::WireField;
using frontends::WireSource;

namespace {

Expected<std::unique_ptr<Graph>> read_source(WireSource& source, const std::string& path, Links links,
                                             DiagnosticSink& sink) {
  MO_ASSIGN(const ModelHeader header, read_model_header(source, sink));
  if (!header.graph)
    return error("MO-ONNX-0001", "this is not an ONNX model: it has no graph").hint("give the path of the model");
  ExternalFiles external(path, links);
  ModelState model(source, external, sink);
  RewritingReader reader(model, 0);
  MO_TRY(reader.read_model(header));
  return reader.take_graph();
}

}  // namespace

Expected<std::unique_ptr<Graph>> read_model_proto(const std::string& path, DiagnosticSink& sink, Links links) {
  auto graph = [&]() -> Expected<std::unique_ptr<Graph>> {
    MO_ASSIGN(const std::unique_ptr<WireSource> source, open_model(path));
    return read_source(*source, path, links, sink);
  }();
  if (!graph) return std::move(graph).error().in_file(path);
  return graph;
}

Expected<std::unique_ptr<Graph>> read_model_proto_bytes(std::string_view bytes, DiagnosticSink& sink) {
  MO_ASSIGN(const std::unique_ptr<WireSource> source, source_in_memory(bytes));
  return read_source(*source, "", Links::refused, sink);
}

Expected<std::unique_ptr<Graph>> read_inner_message(const Tensor& bytes, InnerMessage kind, std::int64_t opset) {
  MO_ASSIGN(const std::unique_ptr<WireSource> source, source_in_memory(bytes, "a graph inside of the model"));
  DiagnosticList remarks;
  ExternalFiles external("", Links::refused);
  ModelState model(*source, external, remarks);
  RewritingReader reader(model, 0);
  const WireField whole = whole_of(*source);
  MO_TRY(kind == InnerMessage::body ? reader.read_body(whole, opset) : reader.read_function(whole, opset));
  return reader.take_graph();
}

}  // namespace mo::onnx
