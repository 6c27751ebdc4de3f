#include "tools/reduce/model_form.hpp"

#include <algorithm>

#include "core/tensor/convert.hpp"
#include "core/text/printer.hpp"
#include "driver/framework.hpp"
#include "driver/given_model.hpp"
#include "driver/model_graph.hpp"
#include "frontends/onnx/model_proto/model_proto.hpp"
#include "frontends/onnx/reader.hpp"
#include "frontends/tensorflow/graph_def/graph_def.hpp"
#include "frontends/tensorflow/graph_def/unfrozen_model.hpp"

namespace mo::tools {
namespace {

/// Parameter, Const and Result are nodes of their own.
class GraphForm : public ModelForm {
 public:
  bool is_input(const Node& node) const override { return node.is<Parameter>(); }
  bool is_constant(const Node& node) const override { return node.is<Const>(); }
  Tensor value_of(const Node& constant) const override { return constant.as<Const>()->value; }
  void set_value(const Node& constant, Tensor value) const override {
    constant.as<Const>()->value = value;
    if (constant.graph().has_types()) constant.output().data().set_value(std::move(value));
  }
  Value make_input(Graph& graph, const std::string& name, const TensorType& type) const override {
    const Node made = graph.create_parameter(type, name);
    made.output().data().add_tensor_name(name);
    return made.output();
  }
  bool may_drop(const Node& node, const std::string& attribute) const override {
    return node.op_type().dynamic && !attribute.starts_with('@');
  }
  void drop(const Node& node, const std::string& attribute) const override {
    AttributeMap& attributes = *static_cast<AttributeMap*>(node.payload());
    attributes.erase(attribute);
  }
};

class TextForm final : public GraphForm {
 public:
  std::string ending() const override { return ".mo"; }
  std::string ending_for_people() const override { return ".mo"; }
  Expected<std::string> written(const Graph& graph, bool) const override {
    return to_text(graph, {.types = true, .elide_constants = false});
  }
};

class OnnxForm final : public GraphForm {
 public:
  std::string ending() const override { return ".onnx"; }
  std::string ending_for_people() const override { return ".onnxtxt"; }
  Expected<std::string> written(const Graph& graph, bool for_people) const override {
    return for_people ? onnx::model_proto_text(graph) : onnx::model_proto_bytes(graph);
  }
  Value make_input(Graph& graph, const std::string& name, const TensorType& type) const override {
    const TensorType known{type.element_type == ElementType::dynamic ? ElementType::f32 : type.element_type,
                           type.shape};
    return GraphForm::make_input(graph, name, known);
  }
};

/// Every NodeDef is a node, placeholders and constants too; what is not read is an output.
class GraphDefForm final : public ModelForm {
 public:
  std::string ending() const override { return ".pb"; }
  std::string ending_for_people() const override { return ".pbtxt"; }
  Expected<std::string> written(const Graph& graph, bool for_people) const override {
    return for_people ? tensorflow::graph_def_text(graph) : tensorflow::graph_def_bytes(graph);
  }
  bool is_input(const Node& node) const override { return node.is("tf::Placeholder"); }
  bool is_constant(const Node& node) const override { return node.is("tf::Const"); }
  Tensor value_of(const Node& constant) const override { return constant.attr<Tensor>("value").value_or(Tensor()); }
  void set_value(const Node& constant, Tensor value) const override {
    static_cast<void>(constant.set_attr("value", std::move(value)));
  }
  Value make_input(Graph& graph, const std::string& name, const TensorType& type) const override {
    AttributeMap attributes;
    attributes.set("dtype", type.element_type == ElementType::dynamic ? ElementType::f32 : type.element_type);
    if (type.shape.has_rank()) attributes.set("shape", type.shape);
    return graph.create_node(Op("tf::Placeholder", std::move(attributes)), {}, 1, name).output();
  }
  bool may_drop(const Node&, const std::string& attribute) const override {
    return attribute != "dtype" && attribute != "value" && attribute != "T" && attribute != "N" &&
           attribute != "@inputs";
  }
  void drop(const Node& node, const std::string& attribute) const override {
    static_cast<AttributeMap*>(node.payload())->erase(attribute);
  }
};

/// Where the GraphDef of a MetaGraph or SavedModel is.
tensorflow::ModelSource unfrozen_source(const Options& options) {
  tensorflow::ModelSource source;
  source.input_model = options.input_model;
  source.meta_graph = options.tensorflow.input_meta_graph;
  source.saved_model_dir = options.tensorflow.saved_model_dir;
  source.tags = options.tensorflow.saved_model_tags;
  return source;
}

}  // namespace

Expected<ReducibleModel> load_reducible(const Options& options, DiagnosticSink& sink) {
  ReducibleModel model;
  const auto framework = choose_framework(options);
  const std::string_view name = framework ? (*framework)->name : "";
  if (name == "onnx") {
    MO_ASSIGN(model.graph, onnx::read_model(options.input_model, sink));
    model.form = std::make_unique<OnnxForm>();
    return model;
  }
  Options given = options;
  adopt_model(given, kind_of_input_model(given));
  if (name == "tf" && !given.input_model.empty() && options.tensorflow.input_checkpoint.empty()) {
    if (auto graph = tensorflow::read_graph_def(options.input_model, sink)) {
      model.graph = *std::move(graph);
      model.form = std::make_unique<GraphDefForm>();
      return model;
    }
  }
  auto loaded = load_model(options, {.stage = ModelStage::inferred, .carries_unknown_ops = true}, sink);
  if (!loaded && name == "tf") {
    // What cannot be linked or inferred: its GraphDef alone may show the same.
    if (auto model = tensorflow::read_unfrozen_model(unfrozen_source(given), sink)) {
      return ReducibleModel{std::move(model->graph), std::make_unique<GraphDefForm>(), nullptr};
    }
  }
  if (!loaded) return std::move(loaded).error();
  auto keeps = std::make_shared<ModelGraph>(*std::move(loaded));
  model.graph = keeps->graph->clone();
  model.keeps = keeps;
  model.form = std::make_unique<TextForm>();
  return model;
}

}  // namespace mo::tools
