#include "frontends/onnx/frontend.hpp"

#include "frontends/onnx/reader.hpp"

namespace mo::onnx {

/// Generated from the files of extractors/.
void register_operators(OperatorTable& table);
std::span<const Part<OperatorTable>> register_operators_parts();

void register_frontend(Registry& registry, std::string_view outline) {
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
  if (outline.empty())
    register_operators(operators);
  else
    operators.promise(register_operators_parts(), outline);
}

}  // namespace mo::onnx
