#pragma once

#include "core/pass/subgraph_replacement.hpp"
#include "extensions/config/descriptor.hpp"
#include "extensions/config/sub_graph_match.hpp"

namespace mo {

/// Builder of a replacer that JSON descriptors of one id steer (--transformations_config); the pass is called like the
/// id. It does nothing when no descriptor has it. The Model Optimizer's FrontReplacementFromConfigFileSubGraph and
/// …General.
///
///     config_replacement("InceptionBlockReplacer").generate([](SubgraphMatch& match, Rewriter& rw) -> Replacement {…})
///
/// Such passes run in phase extraction: nodes have the framework's names, ops are what extractors made of them, loops
/// of TensorFlow 1 are flat. Bodies of functions are searched too. Order among replacers: `run_after`, `run_before`
/// with their ids.
class ConfigReplacementBuilder : public PassBuilder<ConfigReplacementBuilder> {
 public:
  using Generate = std::function<Replacement(SubgraphMatch&, Rewriter&, PassContext&)>;
  using Transform = std::function<Expected<bool>(Graph&, const AttributeMap&, PassContext&)>;

  explicit ConfigReplacementBuilder(std::string id) : PassBuilder(std::move(id), Phase::extraction) {}

  /// For kinds scope and points, once for each match. `fn(match, rewriter)` or `fn(match, rewriter, context)` returns a
  /// new value for each output of the match: its readers read that, names move along, and matched nodes that no longer
  /// have readers are removed. An output without a new value must be read by Results only, which go with it.
  /// `Replacement::declined()` without having changed anything leaves the match alone; after changes it means that
  /// everything is connected already.
  template <class Fn>
  Pass generate(Fn fn) && {
    if constexpr (std::is_invocable_v<Fn, SubgraphMatch&, Rewriter&, PassContext&>)
      return std::move(*this).build(Generate(std::move(fn)));
    else
      return std::move(*this).build(Generate(
          [fn = std::move(fn)](SubgraphMatch& m, Rewriter& rw, PassContext&) -> Replacement { return fn(m, rw); }));
  }

  /// For kind general, once for each descriptor, on the main graph. `fn(graph, custom_attributes)` or `fn(graph,
  /// custom_attributes, context)` says whether it changed the graph.
  template <class Fn>
  Pass transform_graph(Fn fn) && {
    if constexpr (std::is_invocable_v<Fn, Graph&, const AttributeMap&, PassContext&>)
      return std::move(*this).build(Transform(std::move(fn)));
    else
      return std::move(*this).build(Transform(
          [fn = std::move(fn)](Graph& g, const AttributeMap& a, PassContext&) -> Expected<bool> { return fn(g, a); }));
  }

 private:
  Pass build(Generate generate) &&;
  Pass build(Transform transform) &&;
  Pass finish() &&;
};
inline ConfigReplacementBuilder config_replacement(std::string id) { return ConfigReplacementBuilder(std::move(id)); }

namespace config {

/// Finds the matches of a descriptor in a graph and its bodies, replaces them, and checks what is left. Says whether
/// anything changed. Warnings: MO-CONFIG-0026 (nothing matches), 0027 (a match does not hang together), 0028 (matches
/// overlap).
Expected<bool> replace_matches(const Descriptor& descriptor, Graph& graph, PassContext& context,
                               const ConfigReplacementBuilder::Generate& generate);

}  // namespace config

}  // namespace mo
