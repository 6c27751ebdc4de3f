#include "tools/transform/formats/formats.hpp"

#include <algorithm>
#include <span>

#include "frontends/onnx/model_proto/model_proto.hpp"
#include "frontends/onnx/reader.hpp"
#include "tools/transform/evaluation.hpp"
#include "tools/transform/formats/single_file.hpp"

namespace mo::tools {
namespace {

class OnnxFormat final : public SingleFileFormat {
 public:
  std::string_view framework() const override { return "onnx"; }
  Expected<std::unique_ptr<Graph>> read(const ModelFiles& files, DiagnosticSink& sink) const override {
    return onnx::read_model_proto(files.model, sink);
  }
  Expected<void> write(const Graph& graph, OutputFile& file) const override {
    return onnx::write_model_proto(graph, file);
  }
  Expected<std::string> text(const Graph& graph) const override { return onnx::model_proto_text(graph); }
  std::set<std::string> companions(const Graph& graph) const override { return onnx::external_files(graph); }

  Expected<std::vector<std::string>> inputs(const Graph& graph, const std::vector<std::string>& named) const override {
    if (named.empty()) return onnx::model_inputs(graph);
    return references(graph, named);
  }
  Expected<std::vector<std::string>> outputs(Graph& graph, const std::vector<std::string>& named) const override {
    if (!named.empty()) MO_TRY(set_outputs(graph, references(graph, named)));
    return onnx::model_outputs(graph);
  }
  /// Bodies of loops and branches name what they read; inputs keep their names anyway.
  std::vector<std::string> kept(const Graph& graph) const override {
    std::vector<std::string> names = onnx::captured_tensors(graph);
    const std::vector<std::string> fed = onnx::model_inputs(graph);
    std::erase_if(names, [&](const std::string& name) { return std::find(fed.begin(), fed.end(), name) != fed.end(); });
    return names;
  }
  /// The checker of ONNX wants the shape of each output.
  Expected<std::vector<std::string>> add_outputs(Graph& graph, const std::vector<std::string>& more) const override {
    std::vector<std::string> left_out;
    if (onnx::is_inner_graph(graph)) return left_out;  // its outputs are those that the node around it has
    std::vector<std::string> wanted = onnx::model_outputs(graph);
    MO_ASSIGN(const std::vector<Value> tensors, onnx::tensors_of(graph, more));
    const std::vector<TensorType> types = types_of(tensors);
    for (std::size_t i = 0; i < more.size(); ++i) {
      if (std::find(wanted.begin(), wanted.end(), more[i]) != wanted.end()) continue;
      const bool is_known = onnx::is_described(tensors[i]) || types[i].shape.has_rank();
      (is_known ? wanted : left_out).push_back(more[i]);
    }
    MO_TRY(set_outputs(graph, wanted));
    return left_out;
  }

  Expected<std::unique_ptr<Graph>> linked(const Graph& graph, const std::vector<Value>& outputs,
                                          DiagnosticSink& sink) const override {
    const std::unique_ptr<Graph> part = graph.clone();
    MO_TRY(onnx::set_model_outputs(*part, outputs));
    MO_ASSIGN(const std::string bytes, onnx::model_proto_bytes(*part, onnx::ExternalData::inlined));
    return onnx::read_model_bytes(bytes, sink);
  }
  Expected<void> edit_inner_graphs(Graph& graph,
                                   const std::function<Expected<void>(InnerGraph&)>& edit) const override {
    return onnx::edit_inner_graphs(graph, [&](onnx::InnerGraph& found) {
      InnerGraph inner{found.name, found.graph, found.inputs, found.outputs};
      return edit(inner);
    });
  }
  std::int64_t operator_version(const Graph& graph) const override { return onnx::operator_version(graph); }
  Expected<std::vector<Value>> put_function(Graph&, const std::string& name, const std::string&,
                                            const std::vector<Value>&) const override {
    return error("MO-GTT-0054", "function {} of an ONNX model is not put into its graph", name)
        .hint("conversion inlines functions by itself");
  }

 private:
  /// Outputs have types: those of tensors that the model does not describe are inferred, as far as that goes.
  static std::vector<TensorType> types_of(const std::vector<Value>& tensors) {
    std::vector<TensorType> types(tensors.size());
    std::vector<std::size_t> unknown;
    std::vector<Value> undescribed;
    for (std::size_t i = 0; i < tensors.size(); ++i)
      if (!onnx::is_described(tensors[i])) {
        unknown.push_back(i);
        undescribed.push_back(tensors[i]);
      }
    std::size_t next = 0;
    infer_types(undescribed, [&](TensorType type) { types[unknown[next++]] = std::move(type); });
    return types;
  }
  /// Puts the types of the tensors in order. Where one stands in the way of all, each half is tried by itself.
  template <class Put>
  static void infer_types(std::span<const Value> tensors, Put&& put) {
    if (tensors.empty()) return;
    const auto inferred = executable_graph({tensors.begin(), tensors.end()});
    if (inferred || tensors.size() == 1) {
      for (std::size_t i = 0; i < tensors.size(); ++i)
        put(inferred ? (*inferred)->results()[i].input_type(0) : TensorType{});
      return;
    }
    infer_types(tensors.first(tensors.size() / 2), put);
    infer_types(tensors.subspan(tensors.size() / 2), put);
  }
  static Expected<void> set_outputs(Graph& graph, const std::vector<std::string>& references) {
    MO_ASSIGN(const std::vector<Value> tensors, onnx::tensors_of(graph, references));
    return onnx::set_model_outputs(graph, tensors, types_of(tensors));
  }

  static std::vector<std::string> references(const Graph& graph, const std::vector<std::string>& names) {
    std::vector<std::string> found;
    for (const std::string& name : names) found.push_back(onnx::reference_to(graph, name));
    return found;
  }
};

}  // namespace

const ModelFormat& onnx_format() {
  static const OnnxFormat kFormat;
  return kFormat;
}

}  // namespace mo::tools
