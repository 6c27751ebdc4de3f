#include <map>

#include "extensions/front/tensorflow/support/graphs.hpp"
#include "ops/build/lengths.hpp"
#include "ops/comparison.hpp"
#include "ops/select.hpp"

namespace mo::front::tensorflow {
namespace {

/// More branches than this are refused: each one is a conditional inside of others.
constexpr std::int64_t kMostBranches = 4096;

/// The comparisons of a branch index, each of which is made once: two Switches belong to one conditional when they read
/// the same predicate.
class Predicates {
 public:
  explicit Predicates(Rewriter& rw) : rw_(rw) {}

  /// index < middle, where an index outside of the branches is that of the last one.
  Value below(const Value& index, std::int64_t middle, std::int64_t count) {
    const Value source = plain(index);
    Value& made = made_[{source.id(), middle, count}];
    if (made) return made;
    if (const auto known = constant_integer(source))
      return made = rw_.scalar((*known < 0 || *known >= count ? count - 1 : *known) < middle);
    return made = rw_.create(ops::Less{}, taken(source, count), rw_.scalar(static_cast<std::int32_t>(middle)));
  }

 private:
  /// Negative numbers take the last branch; too large ones do by comparison.
  Value taken(const Value& index, std::int64_t count) {
    Value& made = taken_[{index.id(), count}];
    if (made) return made;
    const Value number = build::as_type(rw_, index, ElementType::i32);
    const Value is_negative = rw_.create(ops::Less{}, number, rw_.scalar<std::int32_t>(0));
    return made = rw_.create(ops::Select{}, is_negative, rw_.scalar(static_cast<std::int32_t>(count - 1)), number);
  }

  Rewriter& rw_;
  std::map<std::tuple<ValueId, std::int64_t, std::int64_t>, Value> made_;
  std::map<std::pair<ValueId, std::int64_t>, Value> taken_;
};

/// _SwitchN(data, index) -> Switch(Switch(data, index < n / 2), …): the outputs of branches first … last - 1.
void split(Rewriter& rw, Predicates& predicates, const Value& data, const Value& index, std::size_t first,
           std::size_t last, Outputs& outputs) {
  if (last - first == 1) {
    outputs[first] = data;
    return;
  }
  const std::size_t middle = first + (last - first) / 2;
  const Value below =
      predicates.below(index, static_cast<std::int64_t>(middle), static_cast<std::int64_t>(outputs.size()));
  const Node made = rw.create_node(Op("tf::Switch", {}), {data, below}, 2);
  split(rw, predicates, made.output(1), index, first, middle, outputs);
  split(rw, predicates, made.output(0), index, middle, last, outputs);
}

/// Merge(a, b, c, d) -> Merge(Merge(a, b), Merge(c, d)).
Value merged(Rewriter& rw, const Node& merge, std::size_t first, std::size_t last) {
  if (last - first == 1) return merge.input(first);
  const std::size_t middle = first + (last - first) / 2;
  return rw.create_node(Op("tf::Merge", {}), {merged(rw, merge, first, middle), merged(rw, merge, middle, last)}, 1)
      .output();
}

bool joins_many(const Node& node) {
  if (!is_merge(node) || node.in_port_count() == 2 || (node.out_port_count() > 1 && !node.out_port(1).disconnected()))
    return false;
  for (std::size_t i = 0; i < node.in_port_count(); ++i)
    if (!node.input(i)) return false;
  return node.in_port_count() > 0;
}

Expected<bool> convert_switches(Graph& graph, PassContext&) {
  if (!graph.has_op("tf::_SwitchN")) return false;
  Rewriter rw(graph);
  Predicates predicates(rw);
  std::vector<Node> nodes;
  for (const Node node : graph.nodes()) nodes.push_back(node);
  for (const Node& node : nodes) {
    if (!node.alive()) continue;
    if (joins_many(node)) {
      rw.replace(node, {merged(rw, node, 0, node.in_port_count())});
      continue;
    }
    if (!node.is("tf::_SwitchN")) continue;
    const FrameworkNode framework_node(node);
    MO_TRY(framework_node.expect_inputs(2));
    const auto count = framework_node.attr<std::int64_t>("num_outs", static_cast<std::int64_t>(node.out_port_count()));
    if (framework_node.failure()) return *framework_node.failure();
    if (count < static_cast<std::int64_t>(node.out_port_count()) || count < 1 || count > kMostBranches)
      return node.error("MO-TF-0757", "it has {} branches", count).hint("export the model again with a newer exporter");
    Outputs outputs(static_cast<std::size_t>(count));
    split(rw, predicates, node.input(0), node.input(1), 0, outputs.size(), outputs);
    outputs.resize(node.out_port_count());
    rw.replace(node, outputs);
  }
  if (rw.error()) return *rw.error();
  return rw.has_changed();
}

}  // namespace

/// The Switch of a tf.switch_case that TensorFlow has lowered, and its Merge, become those of nested conditionals.
void register_switch_n(PassRegistry& passes) {
  passes.add(graph_pass("TfSwitchN")
                 .phase(Phase::extraction)
                 .run_after({"FreezeInputs", "OutputCut"})
                 .run_before({"TfTensorArrays"})
                 .run(convert_switches));
}

}  // namespace mo::front::tensorflow
