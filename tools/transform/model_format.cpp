#include "tools/transform/model_format.hpp"

#include "frontends/common/model_kind.hpp"
#include "graph_transforms/engine/editor.hpp"
#include "tools/transform/formats/formats.hpp"

namespace mo::tools {
namespace {

const ModelFormat& format_of_framework(std::string_view framework) {
  return framework == "onnx" ? onnx_format() : framework == "caffe" ? caffe_format() : graph_def_format();
}

}  // namespace

const ModelFormat& format_of_file(const std::string& path) { return format_of_framework(frontends::framework_of(frontends::kind_of_path(path))); }

const ModelFormat& format_of_graph(const Graph& graph) { return format_of_framework(graph_transforms::framework_of(graph)); }

}  // namespace mo::tools
