#include "transformations/fusions/support/known_shapes.hpp"

#include <algorithm>

#include "core/graph/bodies.hpp"
#include "core/inference/infer.hpp"
#include "transformations/support/loop_parts.hpp"

namespace mo::transformations {
namespace {

using Symbols = std::unordered_map<Dimension::Symbol, Dimension::Symbol>;

/// `declared` with the symbols that the tensor has outside, in numbers of the body.
PartialShape related(const PartialShape& declared, PartialShape outside, const LoopArgument& argument, Graph& body,
                     Symbols& symbols) {
  if (!declared.has_rank() || !outside.has_rank() || declared.size() != outside.size()) return declared;
  if (argument.map->axis) {
    const auto axis = normalize_axis(*argument.map->axis, static_cast<std::int64_t>(outside.size()));
    if (!axis) return declared;
    outside[static_cast<std::size_t>(*axis)] = argument.map->part_size;
  }
  PartialShape made = declared;
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (made[i].is_known()) continue;
    Dimension::Symbol symbol = 0;
    if (!outside[i].is_known() && outside[i].symbol() != 0) {
      Dimension::Symbol& own = symbols[outside[i].symbol()];
      if (own == 0) own = body.new_symbol();
      symbol = own;
    }
    made[i] = Dimension(made[i].min(), made[i].max(), symbol);
  }
  return made;
}

/// Drops the symbols of carried dimensions that an iteration does not hand on. Whether there were any.
bool drop_broken(const LoopParts& parts, Graph& body) {
  bool broken = false;
  const std::vector<Node> parameters = body.parameters();
  const std::vector<Node> results = body.results();
  for (const ops::BackEdge& edge : *parts.back_edges) {
    PartialShape& first = parameters[static_cast<std::size_t>(edge.parameter)].as<Parameter>()->shape;
    const PartialShape& next = results[static_cast<std::size_t>(edge.result)].input_type(0).shape;
    for (std::size_t i = 0; first.has_rank() && i < first.size(); ++i) {
      if (first[i].symbol() == 0 || (next.has_rank() && next.size() == first.size() && next[i].same_value(first[i])))
        continue;
      first[i] = Dimension(first[i].min(), first[i].max());
      broken = true;
    }
  }
  return broken;
}

}  // namespace

const PartialShape& KnownShapes::of(const Value& value) const {
  const auto found = shapes_.find(value.id());
  return found != shapes_.end() ? found->second : value.type().shape;
}

bool KnownShapes::same_batch(const Value& a, const Value& b) const {
  const PartialShape& first = of(a);
  const PartialShape& second = of(b);
  return first.has_rank() && second.has_rank() && first.size() > 0 && second.size() > 0 &&
         first[0].same_value(second[0]);
}

Expected<KnownShapes> shapes_in_body(const Node& owner, const Graph& body, const KnownShapes& around) {
  KnownShapes shapes;
  const auto parts = loop_parts(owner);
  if (!parts || parts->body != &body) return shapes;
  const std::unique_ptr<Graph> copy = body.clone();
  const std::vector<Node> parameters = copy->parameters();
  const std::vector<LoopArgument> arguments = loop_arguments(*parts);
  Symbols symbols;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!arguments[i].map || arguments[i].map->input < 0) continue;
    PartialShape& shape = parameters[i].as<Parameter>()->shape;
    shape = related(shape, around.of(owner.input(static_cast<std::size_t>(arguments[i].map->input))), arguments[i],
                    *copy, symbols);
  }
  if (symbols.empty()) return shapes;
  // Real bodies settle at once; one where each round breaks the next equality is left alone.
  constexpr int kMostRounds = 8;
  bool settled = false;
  for (int round = 0; round < kMostRounds && !settled; ++round) {
    MO_TRY(infer_graph(*copy));
    settled = !drop_broken(*parts, *copy);
  }
  if (!settled) return shapes;
  auto twin = copy->nodes().begin();
  for (const Node node : body.nodes()) {
    for (std::size_t i = 0; i < node.out_port_count(); ++i) shapes.set(node.output(i), (*twin).output_type(i).shape);
    ++twin;
  }
  return shapes;
}

Expected<bool> for_each_graph(Graph& graph, const std::function<Expected<bool>(Graph&, KnownShapes&)>& fn) {
  const std::vector<OwnedGraph> graphs = with_owners(graph);
  // All of them first: the shapes around a body are those before `fn` changes anything.
  std::vector<KnownShapes> shapes(graphs.size());
  for (std::size_t i = 1; i < graphs.size(); ++i) {
    MO_ASSIGN(shapes[i], shapes_in_body(graphs[i].owner, *graphs[i].graph, shapes[graphs[i].outer]));
  }
  bool changed = false;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    MO_ASSIGN(const bool one, fn(*graphs[i].graph, shapes[i]));
    changed = changed || one;
  }
  return changed;
}

}  // namespace mo::transformations
