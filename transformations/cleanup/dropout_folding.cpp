#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "core/tensor/convert.hpp"
#include "ops/broadcast.hpp"
#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/if.hpp"
#include "ops/loop.hpp"
#include "ops/random_uniform.hpp"
#include "ops/select.hpp"
#include "ops/tensor_iterator.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

/// The numbers that a graph knows: those of constants, and those of Parameters of a body that always get the same
/// constant.
class Numbers {
 public:
  std::optional<double> of(const Value& value) const {
    if (!value || !value.node().is<Parameter>()) return single_real_of(value);
    const auto found = parameters_.find(value.node().id());
    return found != parameters_.end() ? std::optional(found->second) : std::nullopt;
  }
  bool is(const Value& value, double number) const { return of(value) == number; }

  /// What a body is told: inputs that are handed in whole, except for those that an iteration changes.
  Numbers inside(const Node& owner, const Graph& body, const std::vector<ops::InputMap>& inputs,
                 const std::vector<ops::BackEdge>& edges) const {
    Numbers known;
    const std::vector<Node> parameters = body.parameters();
    for (const ops::InputMap& map : inputs) {
      const auto changes = [&](const ops::BackEdge& edge) { return edge.parameter == map.parameter; };
      if (map.input < 0 || map.axis || std::any_of(edges.begin(), edges.end(), changes)) continue;
      if (const auto number = of(owner.input(static_cast<std::size_t>(map.input))))
        known.parameters_.emplace(parameters[static_cast<std::size_t>(map.parameter)].id(), *number);
    }
    return known;
  }

 private:
  std::unordered_map<NodeId, double> parameters_;
};

/// The RandomUniform whose numbers in [0, 1) the tensor is. TensorFlow scales them to the range of the distribution, x
/// * (1 - 0) + 0, which changes nothing. Its generator, which draws multiples of 2^-23 (of 2^-10 for f16), is meant: 1
/// + x is exact then and stays below 2.
Node unit_random(Value value, const Numbers& numbers) {
  constexpr int kMostSteps = 8;
  for (int step = 0; value && step < kMostSteps; ++step) {
    const Node node = value.node();
    if (const auto* random = node.as<ops::RandomUniform>()) {
      const bool unit = is_real(random->output_type) && random->alignment == ops::RandomAlignment::tensorflow &&
                        numbers.is(node.input(1), 0) && numbers.is(node.input(2), 1);
      return unit ? node : Node();
    }
    const bool scales = node.is<ops::Multiply>();
    if (!scales && !node.is<ops::Add>()) return {};
    const double neutral = scales ? 1 : 0;
    if (numbers.is(node.input(1), neutral))
      value = node.input(0);
    else if (numbers.is(node.input(0), neutral))
      value = node.input(1);
    else
      return {};
  }
  return {};
}

/// A tensor of which every element is `number` whatever the random numbers are.
struct Settled {
  Node random;
  double number = 0;
};

/// Floor(keep + u) for keep 0 or 1, in either order, and Floor(u).
std::optional<Settled> settled_floor(const Node& node, const Numbers& numbers) {
  const Value x = node.input(0);
  if (!x) return std::nullopt;
  if (const Node random = unit_random(x, numbers)) return Settled{random, 0};
  if (!x.node().is<ops::Add>()) return std::nullopt;
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const Node random = unit_random(x.node().input(1 - i), numbers);
    const auto keep = numbers.of(x.node().input(i));
    if (random && keep && (*keep == 0 || *keep == 1)) return Settled{random, *keep};
  }
  return std::nullopt;
}

/// What `u relation limit` is for every u in [0, 1); nothing when that depends on u.
std::optional<bool> decided(std::string_view relation, double limit) {
  const bool is_larger = relation == "GreaterEqual" ? limit <= 0 : limit < 0;  // `u > 0` does not hold for 0
  const bool is_smaller = limit >= 1;
  if (relation == "GreaterEqual" || relation == "Greater")
    return is_larger ? std::optional(true) : is_smaller ? std::optional(false) : std::nullopt;
  if (relation == "LessEqual")
    return is_smaller ? std::optional(true) : limit < 0 ? std::optional(false) : std::nullopt;
  if (relation == "Less") return is_smaller ? std::optional(true) : limit <= 0 ? std::optional(false) : std::nullopt;
  return std::nullopt;
}

std::optional<Settled> settled_comparison(const Node& node, const Numbers& numbers) {
  const std::string_view relation = node.type();
  constexpr std::array<std::array<std::string_view, 2>, 4> kMirrored{
      {{"Greater", "Less"}, {"Less", "Greater"}, {"GreaterEqual", "LessEqual"}, {"LessEqual", "GreaterEqual"}}};
  const auto row =
      std::find_if(kMirrored.begin(), kMirrored.end(), [&](const auto& pair) { return pair[0] == relation; });
  if (row == kMirrored.end()) return std::nullopt;
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const Node random = unit_random(node.input(i), numbers);
    const auto limit = numbers.of(node.input(1 - i));
    if (!random || !limit) continue;
    if (const auto answer = decided((*row)[i], *limit)) return Settled{random, *answer ? 1.0 : 0.0};
  }
  return std::nullopt;
}

std::optional<Settled> settled(const Node& node, const Numbers& numbers) {
  const auto found = node.is<ops::Floor>() ? settled_floor(node, numbers) : settled_comparison(node, numbers);
  return found && same_shape(found->random.output_type().shape, node.output_type().shape) ? found : std::nullopt;
}

/// x * 1 -> x, Select(true, a, b) -> a, Select(false, a, b) -> b: where the mask has the number and the other tensor
/// the shape of the result.
Expected<void> bypass_readers(Rewriter& rw, const Value& mask, double number) {
  std::vector<Node> readers;
  for (const InPort& reader : mask.get_destinations()) readers.push_back(reader.node());
  for (const Node& reader : readers) {
    if (!reader.alive()) continue;
    Value kept;
    if (reader.is<ops::Multiply>() && number == 1)
      kept = reader.input(0) == mask ? reader.input(1) : reader.input(0);
    else if (reader.is<ops::Select>() && reader.input(0) == mask)
      kept = reader.input(number != 0 ? 1 : 2);
    if (!kept || !same_shape(kept.type().shape, reader.output_type().shape)) continue;
    // a model needs an op between input and output
    if (kept.node().is<Parameter>() && is_model_output(reader.output())) continue;
    rw.replace(reader, {kept});
    if (rw.error()) return *rw.error();
  }
  return {};
}

Expected<void> settle(Rewriter& rw, const Node& node, const Settled& what) {
  MO_ASSIGN(Tensor number, from_reals(node.output_type().element_type, {}, {what.number}));
  const Value mask = rw.create(ops::Broadcast{}, rw.constant(std::move(number)), what.random.input(0));
  if (rw.error()) return *rw.error();
  std::vector<Value> masks = {mask};
  rw.replace(node, {mask});
  if (rw.error()) return *rw.error();
  for (const InPort& reader : mask.get_destinations())
    if (reader.node().is<ops::Convert>()) masks.push_back(reader.node().output());
  for (auto m = masks.rbegin(); m != masks.rend(); ++m) MO_TRY(bypass_readers(rw, *m, what.number));
  erase_if_dead(mask.node());
  return {};
}

/// Random numbers that no longer have readers have no effect.
void drop_unread(Graph& graph, const Node& random) {
  if (!random.alive() || !random.output().disconnected()) return;
  std::vector<Node> sources;
  for (const InPort& port : random.in_ports())
    if (const Value source = port.get_source()) sources.push_back(source.node());
  graph.erase(random);
  for (const Node& source : sources) erase_if_dead(source);
}

Expected<bool> fold_dropout(Graph& graph, const Numbers& numbers) {
  if (!graph.has_op("RandomUniform")) return false;
  Rewriter rw(graph);
  bool changed = false;
  const std::uint32_t end = graph.node_capacity();
  for (std::uint32_t i = 0; i < end; ++i) {
    const Node node = graph.node(NodeId{i});
    if (!node.alive() || node.out_port_count() != 1) continue;
    const auto found = settled(node, numbers);
    if (!found) continue;
    MO_TRY(settle(rw, node, *found));
    drop_unread(graph, found->random);
    changed = true;
  }
  return changed;
}

struct Scope {
  Graph* graph;
  Numbers numbers;
};

/// Appends the bodies of a node, with what they know.
void open_bodies(const Node& node, const Numbers& numbers, std::vector<Scope>& open) {
  const auto add = [&](Graph& body, const std::vector<ops::InputMap>& inputs, const std::vector<ops::BackEdge>& edges) {
    open.push_back({&body, numbers.inside(node, body, inputs, edges)});
  };
  if (const auto* loop = node.as<ops::Loop>()) {
    add(loop->body.graph(), loop->input_map, loop->back_edges);
  } else if (const auto* iterator = node.as<ops::TensorIterator>()) {
    add(iterator->body.graph(), iterator->input_map, iterator->back_edges);
  } else if (const auto* branches = node.as<ops::If>()) {
    add(branches->then_body.graph(), branches->then_input_map, {});
    add(branches->else_body.graph(), branches->else_input_map, {});
  }
}

}  // namespace

/// Dropout of a model that was frozen with keep_prob = 1 (or rate = 0): Floor(1 + u), u >= 0 and the like are the same
/// for all random numbers u in [0, 1), so that x * mask is x. IR version 10 has no random numbers at all.
void register_dropout_folding(PassRegistry& passes) {
  passes.add(graph_pass("DropoutFolding")
                 .only_top_level()
                 .run_before({"CommonSubexpressions"})
                 .looks_for<ops::RandomUniform>()
                 .run([](Graph& graph, PassContext&) -> Expected<bool> {
                   bool changed = false;
                   std::vector<Scope> open = {{&graph, {}}};
                   while (!open.empty()) {
                     const Scope scope = std::move(open.back());
                     open.pop_back();
                     MO_ASSIGN(const bool folded, fold_dropout(*scope.graph, scope.numbers));
                     changed = changed || folded;
                     for (const Node node : scope.graph->nodes()) open_bodies(node, scope.numbers, open);
                   }
                   return changed;
                 }));
}

}  // namespace mo::transformations
