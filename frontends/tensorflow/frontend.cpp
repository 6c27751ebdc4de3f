#include "frontends/tensorflow/frontend.hpp"

#include "frontends/tensorflow/reader.hpp"

namespace mo::tensorflow {

/// Generated from the files of extractors/.
void register_operators(OperatorTable& table);

namespace {

Expected<std::unique_ptr<Graph>> read(const std::string& path, const Settings& settings, DiagnosticSink& sink) {
  ModelSource source = settings.get<ModelSource>();
  source.input_model = path;
  source.outputs = settings.outputs;
  source.links = settings.allow_links ? Links::followed : Links::refused;
  return read_model(source, sink);
}

}  // namespace

void register_frontend(Registry& registry) {
  registry.add(Frontend{"tf", "TensorFlow", {".pb", ".pbtxt"}, read});
  register_operators(registry.operators("tf"));
}

}  // namespace mo::tensorflow
