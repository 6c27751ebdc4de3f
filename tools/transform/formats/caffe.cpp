#include <filesystem>

#include "core/files/output_set.hpp"
#include "frontends/caffe/net_parameter/net_parameter.hpp"
#include "frontends/caffe/reader.hpp"
#include "frontends/common/model_kind.hpp"
#include "tools/transform/formats/formats.hpp"

namespace mo::tools {
namespace {

namespace fs = std::filesystem;

/// A prototxt, and the .caffemodel that it has weights from. Nets do not say what their outputs are: blobs that no
/// layer reads.
class CaffeFormat final : public ModelFormat {
 public:
  std::string_view framework() const override { return "caffe"; }

  Expected<std::unique_ptr<Graph>> read(const ModelFiles& files, DiagnosticSink&) const override {
    if (frontends::kind_of_path(files.model) == frontends::ModelKind::caffe_topology)
      return caffe::read_net_parameter(files.model, "");
    std::string topology = files.topology;
    if (topology.empty()) { MO_ASSIGN(topology, caffe::find_topology(files.model)); }
    return caffe::read_net_parameter(topology, files.model);
  }

  Expected<void> save(const Graph& graph, const ModelFiles&, const Destination& destination) const override {
    if (destination.as_text)
      return error("MO-GTT-0060", "a Caffe model is a text and a file of weights, and has no other form")
          .hint("leave out --output_as_text");
    const fs::path path = destination.path;
    const bool has_weights = caffe::has_weight_file(graph);
    fs::path topology = path;
    fs::path weights = path;
    if (has_weights && path.extension() == ".prototxt")
      weights.replace_extension(".caffemodel");
    else if (has_weights)
      topology.replace_extension(".prototxt");
    const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
    std::vector<std::string> names{topology.filename().string()};
    if (has_weights) names.push_back(weights.filename().string());
    MO_ASSIGN(const std::string text, caffe::topology_text(graph));
    MO_ASSIGN(const std::unique_ptr<OutputSet> set, OutputSet::create(folder, path.stem().string(), names));
    MO_ASSIGN(OutputFile* const text_file, set->open(0));
    MO_TRY(text_file->write(std::as_bytes(std::span(text))));
    MO_TRY(text_file->close());
    if (has_weights) {
      MO_ASSIGN(OutputFile* const weight_file, set->open(1));
      MO_TRY(caffe::write_weights(graph, *weight_file));
      MO_TRY(weight_file->close());
    }
    return set->commit();
  }

  Expected<std::vector<std::string>> inputs(const Graph& graph, const std::vector<std::string>& named) const override {
    if (named.empty()) return caffe::net_inputs(graph);
    return references(graph, named);
  }
  Expected<std::vector<std::string>> outputs(Graph& graph, const std::vector<std::string>& named) const override {
    if (named.empty()) return caffe::net_outputs(graph);
    return references(graph, named);
  }
  Expected<std::vector<std::string>> add_outputs(Graph& graph, const std::vector<std::string>& more) const override {
    MO_TRY(caffe::add_net_outputs(graph, more));
    return std::vector<std::string>();
  }

  Expected<std::unique_ptr<Graph>> linked(const Graph& graph, const std::vector<Value>& outputs,
                                          DiagnosticSink& sink) const override {
    return caffe::linked_net(graph, outputs, sink);
  }
  Expected<std::vector<Value>> put_function(Graph&, const std::string& name, const std::string&,
                                            const std::vector<Value>&) const override {
    return error("MO-GTT-0054", "there is no function {}: Caffe nets have none", name).hint("leave that transform out");
  }

 private:
  static std::vector<std::string> references(const Graph& graph, const std::vector<std::string>& names) {
    std::vector<std::string> found;
    for (const std::string& name : names) found.push_back(caffe::reference_to_blob(graph, name));
    return found;
  }
};

}  // namespace

const ModelFormat& caffe_format() {
  static const CaffeFormat kFormat;
  return kFormat;
}

}  // namespace mo::tools
