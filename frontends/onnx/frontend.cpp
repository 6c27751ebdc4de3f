#include "frontends/onnx/frontend.hpp"

#include "frontends/onnx/reader.hpp"

namespace mo::onnx {

/// Generated from the files of extractors/.
void register_operators(OperatorTable& table);

void register_frontend(Registry& registry) {
  registry.add(Frontend{"onnx",
                        "ONNX",
                        {".onnx", ".onnxtxt"},
                        [](const std::string& path, const Settings& settings, DiagnosticSink& sink) {
                          return read_model(path, sink, settings.allow_links ? Links::followed : Links::refused);
                        }});
  OperatorTable& operators = registry.operators("onnx");
  operators.before_each([](const FrameworkNode& node) {
    node.ignore({"consumed_inputs"}, "a hint of opset 1 about memory that may be used again, which many operators had");
  });
  register_operators(operators);
}

}  // namespace mo::onnx
