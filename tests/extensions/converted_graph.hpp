#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "core/comparison/closeness.hpp"
#include "core/execution/executor.hpp"
#include "core/pass/pass_manager.hpp"
#include "core/tensor/convert.hpp"
#include "driver/builtins.hpp"
#include "driver/pipeline.hpp"
#include "driver/replacements.hpp"
#include "frontends/tensorflow/reader.hpp"

/// Small graphs of TensorFlow as text, and what a conversion with replacers makes of them.
namespace mo::test {

inline std::string placeholder(const std::string& name, std::vector<int> dims) {
  std::string shape;
  for (const int dim : dims) shape += "dim { size: " + std::to_string(dim) + " } ";
  return "node { name: '" + name +
         "' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { " +
         shape + "} } } }\n";
}

inline std::string node(const std::string& name, const std::string& op, std::vector<std::string> inputs,
                        const std::string& more = "") {
  std::string text = "node { name: '" + name + "' op: '" + op + "' ";
  for (const std::string& input : inputs) text += "input: '" + input + "' ";
  return text + "attr { key: 'T' value { type: DT_FLOAT } } " + more + "}\n";
}

inline std::string integers(const std::string& name, std::vector<int> values, bool scalar = false) {
  std::string text;
  for (const int value : values) text += "int_val: " + std::to_string(value) + " ";
  const std::string shape = scalar ? "" : "dim { size: " + std::to_string(values.size()) + " } ";
  return "node { name: '" + name +
         "' op: 'Const' attr { key: 'dtype' value { type: DT_INT32 } } attr { key: 'value' value { tensor { dtype: "
         "DT_INT32 " +
         "tensor_shape { " + shape + "} " + text + "} } } }\n";
}

inline std::string reals(const std::string& name, std::vector<float> values, bool scalar = false) {
  std::string text;
  for (const float value : values) text += "float_val: " + std::to_string(value) + " ";
  const std::string shape = scalar ? "" : "dim { size: " + std::to_string(values.size()) + " } ";
  return "node { name: '" + name +
         "' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'value' value { tensor { dtype: "
         "DT_FLOAT " +
         "tensor_shape { " + shape + "} " + text + "} } } }\n";
}

/// The graph after all phases up to `last`, with what a plugin registers and the configurations of `options`.
struct Converted {
  std::unique_ptr<Graph> graph;
  std::vector<std::string> warnings;
  std::string error;
};

inline Converted convert_with(const std::string& text, const std::function<void(Registry&)>& plugin,
                              const Options& options, Phase last) {
  Converted made;
  DiagnosticList sink;
  const auto failed = [&](const Error& error) {
    made.error = error.first().format();
    return std::move(made);
  };
  Registry registry;
  register_builtins(registry, "tf");
  plugin(registry);
  auto manager = make_pipeline(registry, "tf", options);
  if (!manager) return failed(manager.error());
  (*manager)->verify_each = false;
  Settings settings = settings_of(options);
  if (auto added = add_replacement_descriptors(settings, options, **manager, sink); !added)
    return failed(added.error());
  auto graph = tensorflow::read_graph_text(text, sink);
  if (!graph) return failed(graph.error());
  PassContext context{sink, settings, &(*manager)->config};
  for (const Phase phase : kPhases) {
    if (auto done = (*manager)->run(phase, **graph, context); !done) return failed(done.error());
    if (phase == last) break;
  }
  made.graph = *std::move(graph);
  for (const Diagnostic& d : sink.items) made.warnings.push_back(d.code);
  return made;
}

/// The same with further passes only.
inline Converted convert_graph(const std::string& text, std::vector<Pass> passes, const Options& options = {},
                               Phase last = Phase::inference) {
  const auto add = [&](Registry& registry) {
    for (Pass& pass : passes) registry.passes().add(std::move(pass));
  };
  return convert_with(text, add, options, last);
}

inline void expect_same_numbers(const Graph& want, const Graph& got) {
  std::vector<Tensor> inputs;
  std::uint32_t seed = 1;
  for (const Node& parameter : want.parameters()) {
    const auto& declared = *parameter.as<Parameter>();
    std::vector<double> values(static_cast<std::size_t>(*declared.shape.element_count()));
    for (double& v : values) v = static_cast<double>((seed = seed * 1664525U + 1013904223U) >> 8) / 4194304.0 - 2.0;
    inputs.push_back(*from_reals(declared.element_type, *declared.shape.to_shape(), values));
  }
  const auto a = execute(want, inputs);
  const auto b = execute(got, inputs);
  ASSERT_TRUE(a) << a.error().first().format();
  ASSERT_TRUE(b) << b.error().first().format();
  ASSERT_EQ(a->size(), b->size());
  for (std::size_t i = 0; i < a->size(); ++i) {
    const auto difference = difference_of((*b)[i], (*a)[i], {.relative = 1e-3, .absolute = 1e-4});
    ASSERT_TRUE(difference && difference->close()) << difference->to_string();
  }
}

}  // namespace mo::test
