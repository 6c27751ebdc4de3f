#pragma once

#include <map>
#include <optional>
#include <variant>

#include "core/pass/framework_names.hpp"
#include "core/pass/pass.hpp"

/// Replacing sub-graphs that are described as a graph: named nodes with constraints, and edges between them.
namespace mo {

/// What an attribute of a node must be: a value, or whatever a predicate says (it gets no value when the attribute is
/// missing).
///
/// "op" is the name that the framework or the IR has for the op ("Conv2D", "Convolution"), "type" only that of the IR
/// or of a front-only op, "name" the name of the node; everything else is an attribute of the op.
struct AttributeConstraint {
  using Predicate = std::function<bool(const AttributeValue&)>;

  template <class T>
  AttributeConstraint(std::string name_, T wanted_) : name(std::move(name_)) {
    if constexpr (std::is_invocable_r_v<bool, T, const AttributeValue&>)
      wanted = Predicate(std::move(wanted_));
    else
      wanted = AttributeValue(std::move(wanted_));
  }

  std::string name;
  std::variant<AttributeValue, Predicate> wanted;
};

/// A node of a pattern, under an alias. All constraints must hold.
struct SubgraphNode {
  std::string alias;
  std::vector<AttributeConstraint> attributes;
};

/// What is asked of an edge; an unset port may be any.
struct EdgePorts {
  std::optional<std::size_t> in;   ///< input port of the reader
  std::optional<std::size_t> out;  ///< output port of the source
};

struct SubgraphEdge {
  std::string from;
  std::string to;
  EdgePorts ports;
};

struct SubgraphPattern {
  std::vector<SubgraphNode> nodes;
  std::vector<SubgraphEdge> edges;
  /// Off: edges between matched nodes are exactly those of the pattern (a node-induced sub-graph), as the Model
  /// Optimizer has it. On: there may be more of them. Edges to nodes outside of the match never matter.
  bool allow_extra_edges = false;
  /// Whether "op" also compares with the framework's name. Nodes that a replacer made have none.
  bool framework_names = true;
};

/// One place where a pattern was found: nodes by alias.
class AliasMatch {
 public:
  explicit AliasMatch(std::map<std::string, Node, std::less<>> nodes) : nodes_(std::move(nodes)) {}
  /// Asserted: the pattern has that alias.
  const Node& operator[](std::string_view alias) const;
  bool contains(std::string_view alias) const { return nodes_.contains(alias); }
  const std::map<std::string, Node, std::less<>>& by_alias() const { return nodes_; }
  std::vector<Node> nodes() const;
  bool alive() const;

 private:
  std::map<std::string, Node, std::less<>> nodes_;
};

/// All instances, in the order of the node ids. A symmetric pattern is found once for each of its symmetries. `why`:
/// gets the constraint or the edge at which the search ended, when there is no instance. Errors: MO-PASS-0013 (the
/// pattern contradicts itself), MO-PASS-0016 (the search takes too long).
Expected<std::vector<AliasMatch>> find_subgraphs(const Graph& graph, const SubgraphPattern& pattern,
                                                 std::string* why = nullptr);

/// New nodes by a name of their own.
using GeneratedSubgraph = std::map<std::string, Node, std::less<>>;

/// A port of a matched node (by alias) or of a new node (by its name).
struct AliasPort {
  std::string alias;
  std::size_t port = 0;
};
/// Old port -> new port.
using PortMapping = std::vector<std::pair<AliasPort, AliasPort>>;

/// Builder of replacements by pattern; the Model Optimizer's FrontReplacementSubgraph. All instances are found first;
/// those that lost a node to an earlier replacement are passed over. Runs in phase extraction, where nodes have the
/// names and ops of the framework, unless told otherwise.
class SubgraphReplacementBuilder : public PassBuilder<SubgraphReplacementBuilder> {
 public:
  using Replace = std::function<Expected<bool>(const AliasMatch&, Rewriter&, PassContext&)>;
  using Generate = std::function<Expected<GeneratedSubgraph>(const AliasMatch&, Rewriter&)>;
  using MapPorts = std::function<PortMapping(const AliasMatch&, const GeneratedSubgraph&)>;
  using Remove = std::function<std::vector<Node>(const AliasMatch&)>;

  explicit SubgraphReplacementBuilder(std::string name) : PassBuilder(std::move(name), Phase::extraction) {}

  SubgraphReplacementBuilder pattern(std::vector<SubgraphNode> nodes, std::vector<SubgraphEdge> edges) && {
    pattern_.nodes = std::move(nodes);
    pattern_.edges = std::move(edges);
    return std::move(*this);
  }
  /// Some of the ops are such that no table of mo or of a plugin knows: their names are not checked.
  SubgraphReplacementBuilder of_unknown_op() && { return checks_names_ = false, std::move(*this); }
  SubgraphReplacementBuilder allow_extra_edges() && { return pattern_.allow_extra_edges = true, std::move(*this); }

  /// `fn(match, rewriter)` or `fn(match, rewriter, context)` edits the graph and says whether it did:
  /// `rewriter.replace(match["last"], {value})` does all that is needed. Nodes without readers are removed afterwards.
  template <class Fn>
  Pass replace_sub_graph(Fn fn) && {
    if constexpr (std::is_invocable_v<Fn, const AliasMatch&, Rewriter&, PassContext&>)
      return std::move(*this).build(Replace(std::move(fn)));
    else
      return std::move(*this).build([fn = std::move(fn)](const AliasMatch& m, Rewriter& rw,
                                                         PassContext&) -> Expected<bool> { return fn(m, rw); });
  }

  /// The older form: new nodes, and which of their ports take the place of which old ones.
  /// Errors when it runs: MO-PASS-0014 (a mapping names no such node or port).
  SubgraphReplacementBuilder generate_sub_graph(Generate fn) && { return generate_ = std::move(fn), std::move(*this); }
  /// Input port of a matched node -> input port of a new node, which reads the same tensor then.
  SubgraphReplacementBuilder input_edges_match(MapPorts fn) && { return inputs_ = std::move(fn), std::move(*this); }
  SubgraphReplacementBuilder input_edges_match(PortMapping ports) && {
    return std::move(*this).input_edges_match(
        [ports = std::move(ports)](const AliasMatch&, const GeneratedSubgraph&) { return ports; });
  }
  /// Output port of a matched node -> output port of a new node, which its readers read then.
  SubgraphReplacementBuilder output_edges_match(MapPorts fn) && { return outputs_ = std::move(fn), std::move(*this); }
  SubgraphReplacementBuilder output_edges_match(PortMapping ports) && {
    return std::move(*this).output_edges_match(
        [ports = std::move(ports)](const AliasMatch&, const GeneratedSubgraph&) { return ports; });
  }
  /// Nodes to remove if they have no readers outside any more; without this: all matched nodes.
  SubgraphReplacementBuilder nodes_to_remove(Remove fn) && { return remove_ = std::move(fn), std::move(*this); }
  /// Of the older form.
  Pass build() &&;
  operator Pass() && { return std::move(*this).build(); }  // NOLINT

 private:
  Pass build(Replace replace) &&;
  SubgraphPattern pattern_;
  bool checks_names_ = true;
  Generate generate_;
  MapPorts inputs_;
  MapPorts outputs_;
  Remove remove_;
};
inline SubgraphReplacementBuilder front_replacement_subgraph(std::string name) {
  return SubgraphReplacementBuilder(std::move(name));
}

/// Anchors of phase extraction: empty passes that others order themselves against. JSON replacers run between the first
/// two, replacements by pattern between the second and the third, then control flow is converted.
inline constexpr std::string_view kConfigReplacementStart = "ConfigReplacementStart";
inline constexpr std::string_view kConfigReplacementFinish = "ConfigReplacementFinish";
inline constexpr std::string_view kControlFlowStart = "ControlFlowStart";

/// After `pass` has changed a graph, what no Result needs is removed (the Model Optimizer's force_clean_up).
Pass force_clean_up(Pass pass);
/// After `pass` has changed a graph, all its shapes are inferred anew (force_shape_inference). For passes of middle and
/// back.
Pass force_shape_inference(Pass pass);

}  // namespace mo
