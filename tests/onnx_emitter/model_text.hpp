#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "core/text/parser.hpp"
#include "frontends/onnx/model_proto/model_proto.hpp"
#include "onnx_emitter/emitter.hpp"
#include "tests/support/builtins.hpp"
#include "transformations/control_flow/support/freed_states.hpp"

namespace mo::onnx_emitter {

inline std::unique_ptr<Graph> graph_of(const std::string& text) {
  auto graph = parse_graph(text, test::builtins().ops(), {.infer = true});
  EXPECT_TRUE(graph) << graph.error().first().format();
  return graph ? *std::move(graph) : nullptr;
}

/// The ONNX model, as the driver makes it: of the graph without states.
inline Expected<OnnxGraph> onnx_of(Graph& graph, EmitOptions options = {}) {
  MO_ASSIGN(transformations::FreedStates freed, transformations::states_to_inputs(graph));
  options.defaults = std::move(freed.first_values);
  return to_onnx(graph, options);
}

/// The model as text, or the first error.
inline std::string model_of(const std::string& text, std::int64_t opset = 17) {
  const auto graph = graph_of(text);
  if (!graph) return "";
  const auto made = onnx_of(*graph, {.opset = opset});
  if (!made) return made.error().first().format();
  const auto model = onnx::model_proto_text(*made->graph);
  return model ? *model : model.error().first().format();
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// How often the model has an operator, inner graphs included.
inline std::size_t count_of(const std::string& model, const std::string& op) {
  const std::string line = "op_type: \"" + op + "\"";
  std::size_t count = 0;
  for (std::size_t at = model.find(line); at != std::string::npos; at = model.find(line, at + 1)) ++count;
  return count;
}

}  // namespace mo::onnx_emitter
