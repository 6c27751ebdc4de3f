#include "frontends/tensorflow/frontend.hpp"

#include "frontends/tensorflow/reader.hpp"

namespace mo::tensorflow {

/// Generated from the files of extractors/.
void register_operators(OperatorTable& table);

namespace {

std::string text_setting(const AttributeMap& settings, std::string_view name) {
  const AttributeValue* value = settings.find(name);
  const auto* text = value ? value->get_if<std::string>() : nullptr;
  return text ? *text : std::string();
}

std::vector<std::string> list_setting(const AttributeMap& settings, std::string_view name) {
  const AttributeValue* value = settings.find(name);
  const auto* list = value ? value->get_if<std::vector<std::string>>() : nullptr;
  return list ? *list : std::vector<std::string>();
}

Expected<std::unique_ptr<Graph>> read(const std::string& path, const AttributeMap& settings, DiagnosticSink& sink) {
  ModelSource source;
  source.input_model = path;
  source.checkpoint = text_setting(settings, "input_checkpoint");
  source.meta_graph = text_setting(settings, "input_meta_graph");
  source.saved_model_dir = text_setting(settings, "saved_model_dir");
  source.tags = list_setting(settings, "saved_model_tags");
  source.signature = text_setting(settings, "saved_model_signature");
  source.outputs = list_setting(settings, "outputs");
  const AttributeValue* is_text = settings.find("input_model_is_text");
  source.is_text = is_text && is_text->holds<bool>() && *is_text->get_if<bool>();
  return read_model(source, sink);
}

}  // namespace

void register_frontend(Registry& registry) {
  registry.add(Frontend{"tf", "TensorFlow", {".pb", ".pbtxt"}, read});
  register_operators(registry.operators("tf"));
}

}  // namespace mo::tensorflow
