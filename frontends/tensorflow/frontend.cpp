#include "frontends/tensorflow/frontend.hpp"

#include <algorithm>

#include "frontends/tensorflow/reader.hpp"

namespace mo::tensorflow {

/// Generated from the files of extractors/.
void register_operators(OperatorTable& table);
std::span<const Part<OperatorTable>> register_operators_parts();

namespace {

Expected<std::unique_ptr<Graph>> read(const std::string& path, const Settings& settings, DiagnosticSink& sink) {
  ModelSource source = settings.get<ModelSource>();
  source.input_model = path;
  source.inputs = settings.inputs;
  source.outputs = settings.outputs;
  source.names = settings.ir_version == 10 ? PublicNames::after_nodes : PublicNames::after_tensors;
  source.links = settings.allow_links ? Links::followed : Links::refused;
  return read_model(source, sink);
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

/// Types that an IR does not have, such as that of resources, are read as texts.
bool is_type(const AttributeValue& value) {
  const auto* text = value.get_if<std::string>();
  return value.holds<ElementType>() || (text && text->starts_with("DT_"));
}

/// Marks the attributes that TensorFlow's own kernels do not take from a node.
void ignore_notes(const FrameworkNode& node) {
  node.ignore_if([](const std::string& name, const AttributeValue&) { return name.starts_with('_'); },
                 "TensorFlow reserves names that begin with an underscore for notes of its tools (_class, "
                 "_output_shapes, _XlaMustCompile)");
  node.ignore_if(
      [](const std::string& name, const AttributeValue& value) {
        return is_type(value) && std::any_of(name.begin(), name.end(), is_upper);
      },
      "T, Tidx, SrcT and the like repeat the element types of inputs");
}

}  // namespace

void register_frontend(Registry& registry, std::string_view outline) {
  registry.add(Frontend{"tf", "TensorFlow", {".pb", ".pbtxt"}, read});
  OperatorTable& operators = registry.operators("tf");
  operators.before_each(ignore_notes);
  if (outline.empty())
    register_operators(operators);
  else
    operators.promise(register_operators_parts(), outline);
}

}  // namespace mo::tensorflow
