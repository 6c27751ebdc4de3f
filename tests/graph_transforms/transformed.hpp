#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "graph_transforms/engine/pipeline.hpp"
#include "tests/frontends/tensorflow/model_text.hpp"

namespace mo::graph_transforms::testing {

using tensorflow::testing::attribute;
using tensorflow::testing::node;

/// What came of applying transforms to a graph.
struct Transformed {
  std::unique_ptr<Graph> graph;
  std::string error_code;  ///< of the first error; "" when there is none
  std::string error_text;
  std::vector<std::string> warnings;  ///< codes

  /// A line "name = Op(a, b:1, ^c)" for each node, in the order of the file; or the error.
  std::string nodes() const;
  /// The same for each node whose op is in `ops`, names between '|'.
  std::string nodes_of(std::string_view ops) const;
  Node find(std::string_view name) const { return graph->find_node(name); }
  std::size_t count(std::string_view op) const;
  /// The elements of a Const of floats.
  std::vector<float> floats(std::string_view name) const;
  template <class T>
  std::vector<T> values(std::string_view name) const;
};

struct Ends {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
};

/// `text`: a GraphDef in text form. `transforms`: as on the command line.
Transformed transformed(const std::string& text, const std::string& transforms, const Ends& ends = {},
                        Grammar grammar = Grammar::lenient);

/// The same for a model that was read; `named` is what the user names, the model says the rest.
Transformed transformed_model(std::unique_ptr<Graph> model, const std::string& transforms, const Ends& named = {},
                              Grammar grammar = Grammar::lenient);

/// A Const of floats.
std::string constant(std::string_view name, const std::vector<std::int64_t>& shape, const std::vector<float>& values);
std::string constant_of_integers(std::string_view name, const std::vector<std::int64_t>& shape,
                                 const std::vector<std::int32_t>& values);
/// The numbers one after the other, again and again, until there are `count`.
std::vector<float> cycled(const std::vector<float>& values, std::size_t count);

/// What the graph computes for its Placeholders; `values` in their order.
std::vector<std::vector<float>> computed(const Graph& graph, const std::vector<std::string>& outputs,
                                         const std::vector<Tensor>& values = {});

template <class T>
std::vector<T> Transformed::values(std::string_view name) const {
  const Node found = find(name);
  if (!found) return {};
  const std::optional<Tensor> value = found.attr<Tensor>("value");
  if (!value) return {};
  const auto loaded = value->load();
  const auto elements = loaded->values<T>();
  return {elements.begin(), elements.end()};
}

}  // namespace mo::graph_transforms::testing
