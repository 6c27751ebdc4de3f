#include "transformations/cleanup/constant_folding.hpp"

#include <fmt/format.h>

#include <string>
#include <unordered_set>

#include "core/graph/runtime_info.hpp"
#include "core/graph/values.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/build/folding.hpp"
#include "ops/concat.hpp"
#include "ops/squeeze.hpp"
#include "transformations/support/constant_folding_marks.hpp"
#include "transformations/support/constant_folding_settings.hpp"
#include "transformations/support/gathers.hpp"

namespace mo::transformations {
namespace {

/// The input of size 1 that lies at `index` along the axis of a Concat; a negative index counts from the back. Nothing
/// when sizes before it are unknown.
std::optional<Value> input_at(const Node& concat, std::size_t axis, std::int64_t index) {
  const std::int64_t step = index < 0 ? -1 : 1;
  const auto count = static_cast<std::int64_t>(concat.in_port_count());
  std::int64_t place = index < 0 ? -1 : 0;
  for (std::int64_t i = index < 0 ? count - 1 : 0; i >= 0 && i < count; i += step) {
    const Value input = concat.input(static_cast<std::size_t>(i));
    const PartialShape& shape = type_of(input).shape;
    if (!shape.has_rank() || axis >= shape.size() || !shape[axis].is_known()) return std::nullopt;
    if (place == index) return shape[axis] == Dimension(1) ? std::optional(input) : std::nullopt;
    place += step * shape[axis].value();
  }
  return std::nullopt;
}

/// The input of a Concat that a Gather takes as it is.
std::optional<Value> gathered_input(const Node& gather) {
  if (!is_gather(gather) || gather.output().data().value()) return std::nullopt;
  const auto* const concat = gather.input(0).node().as<ops::Concat>();
  const auto axis = gather_axis(gather);
  const auto index = constant_integers_of(gather.input(1));
  const auto rank = gather.input_type(0).rank();
  if (!concat || !axis || !index || index->size() != 1 || gather.input_type(1).shape.size() > 1 || !rank)
    return std::nullopt;
  if (normalize_axis(concat->axis, *rank) != axis) return std::nullopt;
  return input_at(gather.input(0).node(), static_cast<std::size_t>(*axis), index->front());
}

class Folding {
 public:
  Folding(Graph& graph, const PassContext& context)
      : graph_(graph), context_(context), settings_(context.settings.get<ConstantFoldingSettings>()), rw_(graph) {}

  Expected<bool> run() {
    if (!may_fold()) return false;
    MO_ASSIGN(const std::vector<Node> order, graph_.topological_order());
    for (const Node& node : order) {
      if (!node.alive()) continue;
      if (is_held(node)) {
        held_.insert(node.id());
        continue;
      }
      if (!settings_.constants) {
        if (!is_of_shapes(node)) continue;
        of_shapes_.insert(node.id());
      }
      if (!build::may_have_folded_values(node, settings_.shapes)) continue;
      if (const auto input = settings_.shapes ? gathered_input(node) : std::nullopt) {
        if (!context_.skips(node)) MO_TRY(take_input(node, *input));
        continue;
      }
      MO_ASSIGN(const auto values, build::folded_values(node, settings_.shapes));
      if (!values) continue;
      if (context_.skips(node)) {
        held_.insert(node.id());
        continue;
      }
      fold(node, *values);
      if (rw_.error()) return Error(*rw_.error());
    }
    return rw_.has_changed();
  }

 private:
  /// Mostly a conversion has folded everything while it inferred types, so that nothing is left to be put in order.
  bool may_fold() const {
    for (const Node node : graph_.nodes())
      if (settings_.constants ? build::may_have_folded_values(node, settings_.shapes) : node.op_type().traits.shape_of)
        return true;
    return false;
  }

  /// The shape of a tensor, or computed from one.
  bool is_of_shapes(const Node& node) const {
    if (node.op_type().traits.shape_of) return true;
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (const Value source = node.input(i); source && of_shapes_.contains(source.node().id())) return true;
    return false;
  }

  /// A Gather of one element that a Concat got as an input of size 1 is that input: how the shapes that a model
  /// computes become their parts. Where the Gather has known values, these say more.
  Expected<void> take_input(const Node& gather, const Value& input) {
    const bool drops_axis = gather.input_type(1).shape.size() == 0;
    rw_.replace(gather, {drops_axis ? rw_.create(ops::Squeeze{}, input, rw_.integers({*gather_axis(gather)})) : input});
    rw_.take_created();
    rw_.take_touched();
    return rw_.error() ? Expected<void>(Error(*rw_.error())) : Expected<void>();
  }

  /// Marked, kept by the configuration, compressed weights, or computed from what is; a shape is known whatever is
  /// computed.
  bool is_held(const Node& node) const {
    if (is_folding_disabled(node) || is_decompression(node)) return true;
    if (node.op_type().traits.shape_of) return false;
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (const Value source = node.input(i); source && held_.contains(source.node().id())) return true;
    return false;
  }

  void fold(const Node& node, const std::vector<Tensor>& values) {
    Outputs constants;
    for (std::size_t i = 0; i < values.size(); ++i) {
      constants.push_back(values[i].empty() ? Value() : rw_.constant(values[i]));
      // What the node was marked with goes to what reads its value: constants carry no marks.
      for (const InPort& reader : node.out_port(i).get_destinations())
        copy_runtime_info(std::vector<Node>{node}, reader.node());
    }
    for (const Value& constant : constants)
      if (constant) of_shapes_.insert(constant.node().id());
    const std::string name(node.name());
    rw_.replace(node, constants);
    for (std::size_t i = 0; i < constants.size() && constants.size() > 1; ++i)
      if (constants[i] && !name.empty()) constants[i].node().set_name(fmt::format("{}.{}", name, i));
    rw_.take_created();
    rw_.take_touched();
  }

  Graph& graph_;
  const PassContext& context_;
  const ConstantFoldingSettings& settings_;
  Rewriter rw_;
  std::unordered_set<NodeId> held_;
  std::unordered_set<NodeId> of_shapes_;  ///< filled where nothing else is folded
};

}  // namespace

Pass constant_folding() {
  return graph_pass("ConstantFolding")
      .run_after({"TransposeFusion"})
      .run_before({"DeadCodeElimination"})
      .described("Op(constants)", "a constant",
                 "no random numbers, states or bodies; not what is marked disable_constant_folding or decompresses "
                 "weights, nor what is computed from it; setting shapes: also what is known because shapes are "
                 "(conversions: with --static_shape, and to ONNX), and of a Gather with a constant index out of a "
                 "Concat that input; setting constants=false: only what shapes are in")
      .settings<ConstantFoldingSettings>()
      .asks_nodes()
      .run([](Graph& graph, PassContext& context) -> Expected<bool> { return Folding(graph, context).run(); });
}

void register_constant_folding(PassRegistry& passes) { passes.add(constant_folding()); }

}  // namespace mo::transformations
