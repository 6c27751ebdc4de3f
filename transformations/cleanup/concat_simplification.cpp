#include "ops/concat.hpp"
#include "ops/split.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

/// Concat(x) -> x
RewriteRule of_one() {
  const Pat root = pattern::op<ops::Concat>();
  return rewrite("ConcatOfOne").match(root).rule([](const Match& m, Rewriter&) -> Replacement {
    const Node node = m.root().node();
    if (node.in_port_count() != 1 || !node.input(0)) return declined("there are several inputs");
    if (node.input(0).node().is<Parameter>() && is_model_output(m.root()))
      return declined("an input of the model would be its output");
    return node.input(0);
  });
}

/// Concat of all parts of a Split, in order and along its axis -> what was
/// split
RewriteRule of_split() {
  const Pat root = pattern::op<ops::Concat>();
  return rewrite("ConcatOfSplit").match(root).rule([](const Match& m, Rewriter&) -> Replacement {
    const Node node = m.root().node();
    if (!node.input(0)) return declined("the first input is missing");
    const Node split = node.input(0).node();
    const auto rank = node.output_type().rank();
    if ((!split.is<ops::Split>() && !split.is<ops::VariadicSplit>()) || !rank)
      return declined("the first input is not a split, or the rank is unknown");
    const auto axes = known_axes(split.input(1), *rank);
    if (split.out_port_count() != node.in_port_count() || !axes || axes->size() != 1)
      return declined("the split has another number of outputs, or its axis is unknown");
    if (normalize_axis(node.as<ops::Concat>()->axis, *rank) != axes->front())
      return declined("split and concatenation are along different axes");
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (node.input(i) != split.output(i)) return declined("the outputs of the split are not joined in their order");
    if (split.input(0).node().is<Parameter>() && is_model_output(m.root()))
      return declined("an input of the model would be its output");
    return split.input(0);
  });
}

/// Concat without the inputs that are empty along its axis.
RewriteRule of_empty() {
  const Pat root = pattern::op<ops::Concat>();
  return rewrite("ConcatOfEmpty").match(root).rule([](const Match& m, Rewriter& rw) -> Replacement {
    const Node node = m.root().node();
    const auto rank = node.output_type().rank();
    const auto axis = rank ? normalize_axis(node.as<ops::Concat>()->axis, *rank) : std::nullopt;
    if (!axis) return declined("the axis is unknown");
    std::vector<Value> inputs;
    for (std::size_t i = 0; i < node.in_port_count(); ++i) {
      const PartialShape& shape = node.input_type(i).shape;
      if (!node.input(i) || !shape.has_rank()) return declined("an input is missing or its rank is unknown");
      if (shape[static_cast<std::size_t>(*axis)] != Dimension(0)) inputs.push_back(node.input(i));
    }
    if (inputs.empty() || inputs.size() == node.in_port_count()) return declined("no input is empty, or all are");
    return rw.create(ops::Concat{.axis = *axis}, inputs);
  });
}

}  // namespace

/// Concats that put nothing together.
void register_concat_simplification(PassRegistry& passes) {
  passes.add(graph_rewrite("ConcatSimplification")
                 .run_after({"CommonSubexpressions", "GroupConvolutionFusion", "RepeatedSplitFusion"})
                 .add(of_one())
                 .add(of_empty())
                 .add(of_split()));
}

}  // namespace mo::transformations
