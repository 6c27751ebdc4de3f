#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/support/constants.hpp"
#include "graph_transforms/support/convolution_fusing.hpp"

namespace mo::graph_transforms {
namespace {

/// The mean that `squares`, which is averaged to a variance, subtracts from x: of (x - mean) * (x - mean), Square(x -
/// mean) or SquaredDifference(x, mean). An empty handle when it is none of these.
Node subtracted_mean(const Node& squares) {
  const std::string_view op = op_of(squares);
  Node difference;
  if (op == "SquaredDifference") {
    difference = squares;
  } else if (op == "Square" || (op == "Mul" && squares.input(0) == squares.input(1))) {
    difference = squares.input(0).node();
    if (op_of(difference) != "Sub") return {};
  } else {
    return {};
  }
  Node mean = difference.input(1).node();
  // The gradient of a variance does not go through its mean.
  if (op_of(mean) == "StopGradient") mean = mean.input(0).node();
  const bool is_mean = op_of(mean) == "Mean" && mean.in_port_count() == 2 && mean.input(0) == difference.input(0);
  return is_mean ? mean : Node();
}

Expected<bool> fold_to_moments(const NodeMatch& match, GraphEditor& editor) {
  const Node variance = match.node;
  const Node squares = match.inputs[0].node;
  const Node mean = subtracted_mean(squares);
  if (!mean || !are_equal_constants(variance.input(1).node(), mean.input(1).node())) return false;
  // The mean keeps its dimensions, so that it can be subtracted; the variance may have lost them.
  const bool keeps = mean.attr<bool>("keep_dims").value_or(false);
  if (!keeps || keeps != variance.attr<bool>("keep_dims").value_or(false)) return false;
  const TransformFuncContext& context = editor.context();
  if (context.is_output(mean.name()) || context.is_output(variance.name())) return false;

  AttributeMap attributes;
  for (const std::string_view name : {"T", "Tidx", "keep_dims"}) MO_TRY(copy_attribute(mean, name, attributes));
  const Node moments = editor.create("Moments", editor.free_name(std::string(mean.name()) + "_moments"),
                                     {mean.input(0), mean.input(1)}, std::move(attributes), 2);
  const std::vector<Node> replaced{variance, squares, squares.input(0).node(),
                                   squares.input(squares.in_port_count() - 1).node(), mean};
  editor.redirect(mean.output(), moments.out_port(0));
  editor.redirect(variance.output(), moments.out_port(1));
  for (const Node& node : {mean, variance}) editor.redirect_control(node, moments);
  editor.erase_unneeded(replaced);
  return true;
}

}  // namespace

/// mean = Mean(x, axes), variance = Mean((x - mean)^2, axes) -> Moments(x, axes), whose outputs are both. TensorFlow
/// has no such op: it is for programs that have one, and for fold_batch_norms_algebraic.
void register_fold_moments(TransformRegistry& registry) {
  registry.register_transform("fold_moments", [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
    GraphEditor editor(graph, context);
    const OpTypePattern pattern{"Mean", {{"Mul|Square|SquaredDifference", {}}, {"Const", {}}}};
    MO_TRY(replace_all_matching_op_types(editor, pattern, fold_to_moments));
    return {};
  });
  registry.describe("fold_moments", {"Joins the mean and the variance of one tensor in one Moments", {}});
}

}  // namespace mo::graph_transforms
