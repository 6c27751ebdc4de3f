#include "tools/transform/model_format.hpp"

#include "frontends/common/model_kind.hpp"
#include "frontends/tensorflow/graph_def/saved_model_graph.hpp"
#include "graph_transforms/engine/editor.hpp"
#include "tools/transform/formats/formats.hpp"

namespace mo::tools {
namespace {

const ModelFormat& format_of_framework(std::string_view framework) {
  return framework == "onnx" ? onnx_format() : framework == "caffe" ? caffe_format() : graph_def_format();
}

}  // namespace

const ModelFormat& format_of_file(const std::string& path) {
  const frontends::ModelKind kind = frontends::kind_of_path(path);
  const bool is_saved_model = kind == frontends::ModelKind::saved_model_folder ||
                              kind == frontends::ModelKind::saved_model ||
                              kind == frontends::ModelKind::saved_model_text;
  return is_saved_model ? saved_model_format() : format_of_framework(frontends::framework_of(kind));
}

const ModelFormat& format_of_graph(const Graph& graph) {
  return tensorflow::is_of_saved_model(graph) ? saved_model_format()
                                              : format_of_framework(graph_transforms::framework_of(graph));
}

}  // namespace mo::tools
