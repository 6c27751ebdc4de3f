#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics/expected.hpp"
#include "core/graph/graph.hpp"

namespace mo::graph_transforms {

class Services;

/// Arguments of a transform: name -> all values that were given for it, in order.
using TransformParameters = std::map<std::string, std::vector<std::string>, std::less<>>;

/// What a transform knows beside the graph: the feeds and fetches of the model, and its own arguments.
struct TransformFuncContext {
  std::vector<std::string> input_names;   ///< --inputs, as the user wrote them ("x", "x:0")
  std::vector<std::string> output_names;  ///< --outputs
  TransformParameters params;
  /// what transforms need of the framework; not owned, may be absent in tests
  const Services* services = nullptr;
  DiagnosticSink* sink = nullptr;  ///< for warnings; not owned, may be absent
  /// The nodes that --inputs and --outputs mean in the graph as it is before the transform: a reference like "1:0" is
  /// of node "1:0" where there is one, and of "1" only otherwise. The caller that runs transforms fills them in
  /// (`resolve_ends`); without them a reference is of both.
  std::optional<std::set<std::string, std::less<>>> input_nodes = {};
  std::optional<std::set<std::string, std::less<>>> output_nodes = {};

  /// The arguments that were asked for until now; shared by copies. Created by the caller that runs transforms; absent:
  /// not recorded.
  std::shared_ptr<std::set<std::string, std::less<>>> asked = {};

  // -- arguments ------------------------------------------------------------------------------------------------------
  std::size_t count_parameters(std::string_view name) const;
  /// All values of an argument; empty when it is not given.
  const std::vector<std::string>& parameters(std::string_view name) const;
  /// The value, or `fallback` when it is not given. Errors: MO-GTT-0010 (given several times), MO-GTT-0011 (no number),
  /// MO-GTT-0012 (no truth value).
  Expected<std::string> one_string(std::string_view name, std::string_view fallback) const;
  Expected<std::int32_t> one_int32(std::string_view name, std::int32_t fallback) const;
  Expected<std::int64_t> one_int64(std::string_view name, std::int64_t fallback) const;
  Expected<float> one_float(std::string_view name, float fallback) const;
  /// "true" or "1", "false" or "0".
  Expected<bool> one_bool(std::string_view name, bool fallback) const;
  /// The value of an argument that has to be given exactly once. Error MO-GTT-0013.
  Expected<std::string> required_string(std::string_view name) const;

  // -- feeds and fetches ----------------------------------------------------------------------------------------------
  /// Whether the node is named in --inputs or --outputs; ports do not count.
  bool is_input(std::string_view node_name) const;
  bool is_output(std::string_view node_name) const;

  /// The arguments that the transform did not ask for, those of every transform aside.
  std::vector<std::string> unused_parameters() const;

  /// Fills in `input_nodes` and `output_nodes`.
  void resolve_ends(const Graph& graph);

  void warn(Diagnostic warning) const;
};

}  // namespace mo::graph_transforms
