#include "frontends/caffe/frontend.hpp"

#include "frontends/caffe/reader.hpp"

namespace mo::caffe {

/// Generated from the files of extractors/.
void register_operators(OperatorTable& table);

namespace {

template <class T>
T setting(const AttributeMap& settings, std::string_view name) {
  const AttributeValue* value = settings.find(name);
  const T* found = value ? value->get_if<T>() : nullptr;
  return found ? *found : T();
}

Expected<std::unique_ptr<Graph>> read(const OperatorTable& extractors, const std::string& path, const AttributeMap& settings, DiagnosticSink& sink) {
  ModelSource source;
  source.weights = path;
  source.topology = setting<std::string>(settings, "input_proto");
  source.disable_weights = setting<bool>(settings, "disable_weights");
  for (const auto& [type, rows] : extractors.rows()) source.known_types.push_back(type);
  const auto names = setting<std::vector<std::string>>(settings, "input_shape_names");
  const auto shapes = setting<AttributeList>(settings, "input_shapes");
  for (std::size_t i = 0; i < std::min(names.size(), shapes.size()); ++i)
    if (const auto* shape = shapes[i].get_if<PartialShape>()) source.input_shapes.emplace_back(names[i], *shape);
  return read_model(source, sink);
}

}  // namespace

void register_frontend(Registry& registry) {
  OperatorTable& extractors = registry.operators("caffe");
  register_operators(extractors);
  const auto read_with = [&extractors](const std::string& path, const AttributeMap& settings, DiagnosticSink& sink) {
    return read(extractors, path, settings, sink);
  };
  registry.add(Frontend{"caffe", "Caffe", {".caffemodel"}, read_with});
}

}  // namespace mo::caffe
