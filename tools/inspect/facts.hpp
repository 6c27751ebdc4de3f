#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::tools {

/// How much is known of a shape.
enum class Certainty : std::uint8_t {
  fixed,         ///< all dimensions
  partly,        ///< the rank, and not all dimensions
  unknown_rank,  ///< nothing
};

std::string_view to_string(Certainty certainty);
Certainty certainty_of(const PartialShape& shape);

/// The names that the file gives open dimensions, by symbol from 1 on.
std::vector<std::string> dimension_names_of(const Graph& graph);
/// A shape as users know it: an open dimension by the name that the file gives it, else by its interval. Numbers of
/// symbols mean nothing outside of mo. `names`: ModelFacts::dimension_names.
std::string shape_text(const PartialShape& shape, const std::vector<std::string>& names);

/// An input or an output of the model.
struct EndFacts {
  std::string name;                       ///< of its node, as --input and --output take it
  std::vector<std::string> tensor_names;  ///< in the model's order
  TensorType type;
  bool inferred = false;  ///< the file does not say the type: inference found it
};

/// A node that owns graphs.
struct ControlFlowFacts {
  std::string name;
  std::string op;
  std::size_t bodies = 0;
  std::size_t nodes = 0;  ///< in the bodies, at any depth
};

/// What a layer costs.
struct LayerCost {
  std::string name;
  std::string op;
  std::optional<std::int64_t> multiply_adds;  ///< none: shapes are not known
};

/// What is in a model.
struct ModelFacts {
  std::string framework;                        ///< "ONNX", "OpenVINO IR", "text form"
  std::string producer;                         ///< as the file says; empty: it does not
  std::map<std::string, std::int64_t> op_sets;  ///< "ai.onnx" -> 13; of an IR "opset1" -> 1
  std::map<std::string, std::string> versions;  ///< "IR version" -> "8"
  std::map<std::string, std::size_t> ops;       ///< by the framework's name, also those in bodies
  /// those of them that the framework itself does not define
  std::map<std::string, std::size_t> custom_ops;
  std::map<std::string, std::size_t> parameter_types;  ///< bytes of constants by element type
  std::int64_t parameters = 0;                         ///< elements of constants
  std::int64_t parameter_bytes = 0;
  std::size_t nodes = 0;
  std::size_t functions = 0;  ///< that the model declares
  std::vector<EndFacts> inputs;
  std::vector<EndFacts> outputs;
  std::vector<std::string> dimension_names;  ///< of open dimensions, by symbol from 1 on, as the file has them
  std::vector<ControlFlowFacts> control_flow;
  /// of the layers that multiply, in order; empty when the model could not be inferred
  std::vector<LayerCost> costs;
  std::vector<std::string> families;  ///< names of built-in configurations that fit, best first

  std::int64_t multiply_adds() const;  ///< of all layers of which it is known
  bool all_costs_known() const;
};

/// Everything but types, costs and families: from the graph as it was read. No weight is loaded.
ModelFacts facts_as_read(const Graph& graph);
/// Adds what inference found: types of inputs and outputs, and costs.
void add_inferred(ModelFacts& facts, const Graph& graph);

}  // namespace mo::tools
