#include "tools/transform/formats/formats.hpp"

#include "frontends/tensorflow/graph_def/graph_def.hpp"
#include "frontends/tensorflow/reader.hpp"
#include "tools/transform/formats/single_file.hpp"
#include "tools/transform/formats/tensorflow.hpp"

namespace mo::tools {
namespace {

/// A GraphDef does not define feeds and fetches.
class GraphDefFormat final : public TensorFlowFormat<SingleFileFormat> {
 public:
  Expected<std::unique_ptr<Graph>> read(const ModelFiles& files, DiagnosticSink& sink) const override {
    return tensorflow::read_graph_def(files.model, sink);
  }
  Expected<void> write(const Graph& graph, OutputFile& file) const override {
    return tensorflow::write_graph_def(graph, file);
  }
  Expected<std::string> text(const Graph& graph) const override { return tensorflow::graph_def_text(graph); }

  Expected<std::vector<std::string>> inputs(const Graph&, const std::vector<std::string>& named) const override {
    return named;
  }
  Expected<std::vector<std::string>> outputs(Graph&, const std::vector<std::string>& named) const override {
    return named;
  }

  Expected<std::unique_ptr<Graph>> linked(const Graph& graph, const std::vector<Value>& outputs,
                                          DiagnosticSink& sink) const override {
    MO_ASSIGN(const std::string bytes, tensorflow::graph_def_bytes(graph));
    return tensorflow::read_graph_bytes(bytes, sink, tensorflow::tensors_of(outputs));
  }
};

}  // namespace

const ModelFormat& graph_def_format() {
  static const GraphDefFormat kFormat;
  return kFormat;
}

}  // namespace mo::tools
