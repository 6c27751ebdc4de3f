#include "frontends/onnx/reader.hpp"

#include <algorithm>
#include <array>

#include "frontends/common/file_kind.hpp"
#include "frontends/common/model_kind.hpp"
#include "frontends/onnx/model_reader.hpp"

namespace mo::onnx {
namespace {

/// Text is parsed in memory: large models are binary.
constexpr std::uint64_t kTextLimit = std::uint64_t{1} << 28;

bool is_text_file(std::string_view path) {
  constexpr std::array<std::string_view, 5> endings{".onnxtxt", ".textproto", ".txtpb", ".pbtxt", ".prototxt"};
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return path.ends_with(ending); });
}

Expected<std::unique_ptr<Graph>> read_from_memory(std::string_view bytes, const std::string& path, DiagnosticSink& sink,
                                                  Links links = Links::refused) {
  MO_ASSIGN(BufferPtr buffer, frontends::copy_to_buffer(bytes));
  frontends::WireSource source(std::move(buffer), path.empty() ? "the model in memory" : path);
  return read_model_message(source, path, sink, links);
}

Expected<std::unique_ptr<Graph>> read_text(std::string text, const std::string& path, DiagnosticSink& sink,
                                           Links links = Links::refused) {
  MO_ASSIGN(const std::string bytes, model_from_text(text));
  std::string().swap(text);  // an assignment keeps the memory
  return read_from_memory(bytes, path, sink, links);
}

Expected<std::unique_ptr<Graph>> read_file(const std::string& path, DiagnosticSink& sink, Links links) {
  MO_ASSIGN(OpenedModel model, open_model(path));
  if (!model.binary) return read_text(std::move(model.text), path, sink, links);
  frontends::WireSource source(std::move(model.binary));
  return read_model_message(source, path, sink, links);
}

}  // namespace

Expected<OpenedModel> open_model(const std::string& path) {
  MO_ASSIGN(FilePtr file, File::open(path));
  // Names lie; where the content does not tell, they decide.
  const frontends::ModelKind kind = frontends::kind_of(file);
  if (kind == frontends::ModelKind::onnx_text || (kind != frontends::ModelKind::onnx && is_text_file(path))) {
    if (file->size() > kTextLimit)
      return error("MO-IO-0026", "\"{}\" has {} bytes, too many for protobuf text", path, file->size())
          .hint("save the model as binary (.onnx)");
    std::string text(static_cast<std::size_t>(file->size()), '\0');
    MO_TRY(file->read(0, std::as_writable_bytes(std::span(text))));
    return OpenedModel{nullptr, std::move(text)};
  }
  MO_ASSIGN(std::optional<frontends::NotBinaryModel> problem, frontends::why_not_binary_model(file));
  if (problem) return std::move(problem->reason);
  return OpenedModel{std::move(file), {}};
}

Expected<std::unique_ptr<Graph>> read_model(const std::string& path, DiagnosticSink& sink, Links links) {
  auto graph = read_file(path, sink, links);
  if (!graph) return std::move(graph).error().in_file(path);
  return graph;
}

Expected<std::unique_ptr<Graph>> read_model_bytes(std::string_view bytes, DiagnosticSink& sink) {
  return read_from_memory(bytes, "", sink);
}

Expected<std::unique_ptr<Graph>> read_model_text(const std::string& text, DiagnosticSink& sink) {
  return read_text(text, "", sink);
}

}  // namespace mo::onnx
