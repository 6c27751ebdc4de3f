#include "frontends/onnx/reader.hpp"

#include <algorithm>
#include <array>

#include "frontends/common/file_kind.hpp"
#include "frontends/common/model_kind.hpp"
#include "frontends/onnx/model_reader.hpp"

namespace mo::onnx {

using frontends::WireSource;

namespace {

/// Text is parsed in memory: large models are binary.
constexpr std::uint64_t kTextLimit = std::uint64_t{1} << 28;

bool is_text_file(std::string_view path) {
  constexpr std::array<std::string_view, 5> endings{".onnxtxt", ".textproto", ".txtpb", ".pbtxt", ".prototxt"};
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return path.ends_with(ending); });
}

}  // namespace

Expected<std::unique_ptr<WireSource>> open_model(const std::string& path) {
  MO_ASSIGN(FilePtr file, File::open(path));
  // Names lie; where the content does not tell, they decide.
  const frontends::ModelKind kind = frontends::kind_of(file);
  if (kind == frontends::ModelKind::onnx_text || (kind != frontends::ModelKind::onnx && is_text_file(path))) {
    if (file->size() > kTextLimit)
      return error("MO-IO-0026", "\"{}\" has {} bytes, too many for protobuf text", path, file->size())
          .hint("save the model as binary (.onnx)");
    std::string text(static_cast<std::size_t>(file->size()), '\0');
    MO_TRY(file->read(0, std::as_writable_bytes(std::span(text))));
    MO_ASSIGN(const std::string bytes, model_from_text(text));
    std::string().swap(text);  // an assignment keeps the memory
    return source_in_memory(bytes, path);
  }
  MO_ASSIGN(std::optional<frontends::NotBinaryModel> problem, frontends::why_not_binary_model(file));
  if (problem) return std::move(problem->reason);
  return std::make_unique<WireSource>(std::move(file));
}

Expected<std::unique_ptr<WireSource>> source_in_memory(std::string_view bytes, const std::string& name) {
  MO_ASSIGN(BufferPtr buffer, frontends::copy_to_buffer(bytes));
  return std::make_unique<WireSource>(std::move(buffer), name);
}

Expected<std::unique_ptr<WireSource>> source_in_memory(const Tensor& bytes, const std::string& name) {
  MO_ASSIGN(const Tensor loaded, bytes.load());
  return source_in_memory(std::string_view(reinterpret_cast<const char*>(loaded.bytes().data()), loaded.bytes().size()),
                          name);
}

Expected<std::unique_ptr<Graph>> read_model(const std::string& path, DiagnosticSink& sink, Links links) {
  auto graph = [&]() -> Expected<std::unique_ptr<Graph>> {
    MO_ASSIGN(const std::unique_ptr<WireSource> source, open_model(path));
    return read_model_message(*source, path, sink, links);
  }();
  if (!graph) return std::move(graph).error().in_file(path);
  return graph;
}

Expected<std::unique_ptr<Graph>> read_model_bytes(std::string_view bytes, DiagnosticSink& sink) {
  MO_ASSIGN(const std::unique_ptr<WireSource> source, source_in_memory(bytes));
  return read_model_message(*source, "", sink);
}

Expected<std::unique_ptr<Graph>> read_model_text(const std::string& text, DiagnosticSink& sink) {
  MO_ASSIGN(const std::string bytes, model_from_text(text));
  return read_model_bytes(bytes, sink);
}

}  // namespace mo::onnx
