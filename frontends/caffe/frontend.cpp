#include "frontends/caffe/frontend.hpp"

#include "frontends/caffe/reader.hpp"

namespace mo::caffe {

/// Generated from the files of extractors/.
void register_operators(OperatorTable& table);
std::span<const Part<OperatorTable>> register_operators_parts();

namespace {

Expected<std::unique_ptr<Graph>> read(const OperatorTable& extractors, const std::string& path,
                                      const Settings& settings, DiagnosticSink& sink) {
  ModelSource source = settings.get<ModelSource>();
  source.weights = path;
  for (const auto& [type, rows] : extractors.rows()) source.known_types.push_back(type);
  return read_model(source, sink);
}

}  // namespace

void register_frontend(Registry& registry, std::string_view outline) {
  OperatorTable& extractors = registry.operators("caffe");
  if (outline.empty())
    register_operators(extractors);
  else
    extractors.promise(register_operators_parts(), outline);
  const auto read_with = [&extractors](const std::string& path, const Settings& settings, DiagnosticSink& sink) {
    return read(extractors, path, settings, sink);
  };
  registry.add(Frontend{"caffe", "Caffe", {".caffemodel"}, read_with});
}

}  // namespace mo::caffe
