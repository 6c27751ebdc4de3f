#include <fmt/format.h>

#include <unordered_map>

#include "core/graph/copying.hpp"
#include "core/text/visualize_tree.hpp"
#include "tools/diff/report.hpp"

namespace mo::tools {
namespace {

constexpr std::string_view kAdded = "#ccffcc";
constexpr std::string_view kRemoved = "#ffcccc";
constexpr std::string_view kChanged = "#fff2b3";
/// Constants and inputs are drawn once for each reader, and coloured only when they carry something.
constexpr std::string_view kMark = "difference";
constexpr std::size_t kDrawnWhole = 300;

/// Both graphs in one: all of `after`, and what `before` alone has beside it.
class Union {
 public:
  Union(const Graph& before, const Graph& after, const GraphMatching& matching) : matching_(matching) {
    for (const Node node : after.nodes()) copy(node, copies_of_after_);
    for (const Node node : before.nodes())
      if (!matching.after(node)) copy(node, copies_of_before_);
    for (const auto& [id, twin] : copies_of_after_) connect(after.node(id), twin, false);
    for (const auto& [id, twin] : copies_of_before_) connect(before.node(id), twin, true);
  }

  const Graph& graph() const { return graph_; }
  /// The node that stands for a node of either graph.
  Node of_before(const Node& node) const {
    const Node twin = matching_.after(node);
    return twin ? of_after(twin) : copies_of_before_.at(node.id());
  }
  Node of_after(const Node& node) const { return copies_of_after_.at(node.id()); }

 private:
  using Copies = std::unordered_map<NodeId, Node>;

  void copy(const Node& node, Copies& copies) {
    const Node made = copy_unconnected(node, graph_, node.name());
    copy_facts(node, made);
    copies.emplace(node.id(), made);
  }

  void connect(const Node& from, const Node& to, bool is_before) {
    for (std::size_t i = 0; i < from.in_port_count(); ++i)
      if (const Value source = from.input(i)) {
        const Node made = is_before ? of_before(source.node()) : of_after(source.node());
        // A pair may have fewer outputs than it had.
        if (source.index() < made.out_port_count())
          static_cast<void>(to.in_port(i).connect(made.out_port(source.index())));
      }
  }

  const GraphMatching& matching_;
  Graph graph_;
  Copies copies_of_after_;
  Copies copies_of_before_;
};

}  // namespace

std::string diff_picture(const Graph& before, const Graph& after, const std::vector<GraphChange>& changes, bool names) {
  const GraphMatching matching = match_graphs(before, after, names);
  Union both(before, after, matching);
  std::unordered_map<NodeId, std::string_view> colours;
  VisualizeOptions options{.shapes = true, .types = true};
  const bool is_large = both.graph().node_count() > kDrawnWhole;
  for (const GraphChange& change : changes) {
    // What changed inside of a body is a change of its owner's picture only by its text.
    if (!change.inside.empty() || (!change.before && !change.after)) continue;
    const Node node = change.after ? both.of_after(change.after) : both.of_before(change.before);
    colours[node.id()] = change.kind == ChangeKind::removed ? kRemoved
                         : change.kind == ChangeKind::added ? kAdded
                                                            : kChanged;
    if (node.is<Const>() || node.is<Parameter>()) node.set_rt_info(kMark);
    if (is_large) options.around.emplace_back(node.name());
  }
  options.modify = [&](const Node& node, std::vector<std::string>& attributes) {
    const auto found = colours.find(node.id());
    if (found == colours.end()) return;
    attributes.emplace_back("style=filled");
    attributes.push_back(fmt::format("fillcolor=\"{}\"", found->second));
  };
  return visualize_tree(both.graph(), options);
}

}  // namespace mo::tools
