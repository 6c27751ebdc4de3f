#include <algorithm>

#include "core/op/define_op.hpp"
#include "core/pass/subgraph_replacement.hpp"
#include "core/rewrite.hpp"
#include "core/tensor/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/mvn.hpp"
#include "ops/reshape.hpp"

namespace mo::examples {

/// An MVN that still has the axes of both reductions as inputs 1 and 2. An op with an inference function of its own: it
/// checks what only inference can know, and then asks the inference function of MVN.
struct MvnWithAxes {
  static constexpr OpId id{"MvnWithAxes", "example"};
  double eps = 1e-9;
  std::vector<std::int64_t> required_axes;
  static constexpr auto attributes =
      Attributes{attr("eps", &MvnWithAxes::eps), attr("required_axes", &MvnWithAxes::required_axes)};

  Expected<void> infer(InferContext& ctx) const {
    MO_TRY(ctx.expect_inputs(3));
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
      auto axes = ctx.integers(i);
      if (!axes) return ctx.error("EXAMPLE-0001", "the axes of input {} are not constant", i).hint("freeze the model");
      std::sort(axes->begin(), axes->end());
      if (*axes != required_axes)
        return ctx.error("EXAMPLE-0002", "the axes of input {} are not those of the image", i)
            .hint("reduce over height and width");
    }
    // The two further inputs are checked: what is left is an MVN.
    InferContext own(OpType::of<ops::MVN>(), {ctx.input_fact(0), ctx.input_fact(1)}, {true, true}, 1);
    MO_TRY(ops::MVN{.eps = eps}.infer(own));
    ctx.output(0, own.outputs().front().type);
    return {};
  }
};

/// A vector of one element per channel as FusedBatchNorm takes it: [C], or [C, 1, 1] where channels are in front of
/// height and width. Without that an image as wide as it has channels would take it for one of columns.
Value along_channels(Rewriter& rw, const Value& vector, bool channels_last) {
  return channels_last ? vector : rw.create(ops::Reshape{}, vector, rw.integers({-1, 1, 1}));
}

/// MVN * gamma + beta in the place of a FusedBatchNorm whose statistics are the moments of its own data.
Expected<bool> replace_fused_batch_norm(const AliasMatch& match, Rewriter& rw) {
  const Node& fbn = match["fbn"];
  const Value data = fbn.input(0);
  if (data != match["mean"].input(0) || data != match["sqdiff"].input(0)) return false;
  // A training step makes statistics of its own, and does not read these.
  if (fbn.attr<bool>("is_training").value_or(true)) return false;
  const bool channels_last = fbn.attr<std::string>("data_format").value_or("NHWC") == "NHWC";
  MvnWithAxes normalise{fbn.attr<double>("epsilon").value_or(1e-4), {}};
  normalise.required_axes = channels_last ? std::vector<std::int64_t>{1, 2} : std::vector<std::int64_t>{2, 3};
  const Value normal = rw.create(std::move(normalise), data, match["mean"].input(1), match["variance"].input(1));
  const Value scaled = rw.create(ops::Multiply{}, normal, along_channels(rw, fbn.input(1), channels_last));
  rw.replace(fbn, {rw.create(ops::Add{}, scaled, along_channels(rw, fbn.input(2), channels_last))}, match.nodes());
  return true;
}

/// Mean, SquaredDifference, Mean, two Squeezes and FusedBatchNorm -> MVN * gamma + beta. A pattern says exactly which
/// nodes there are, so that the StopGradient, which tf.nn.moments puts between the mean and the SquaredDifference,
/// makes another one.
Pass mvn(std::string name, bool with_stop_gradient) {
  std::vector<SubgraphNode> nodes = {{"mean", {{"op", "Mean"}}},
                                     {"sqdiff", {{"op", "SquaredDifference"}}},
                                     {"variance", {{"op", "Mean"}}},
                                     {"squeeze_mean", {{"op", "Squeeze"}}},
                                     {"squeeze_variance", {{"op", "Squeeze"}}},
                                     {"fbn", {{"op", [](const AttributeValue& op) {
                                                 return op == "FusedBatchNorm" || op == "FusedBatchNormV2" ||
                                                        op == "FusedBatchNormV3";
                                               }}}}};
  std::vector<SubgraphEdge> edges = {{"sqdiff", "variance", {.in = 0}},
                                     {"mean", "squeeze_mean", {.in = 0}},
                                     {"variance", "squeeze_variance", {.in = 0}},
                                     {"squeeze_mean", "fbn", {.in = 3}},
                                     {"squeeze_variance", "fbn", {.in = 4}}};
  if (with_stop_gradient) {
    nodes.push_back({"stop", {{"op", "StopGradient"}}});
    edges.push_back({"mean", "stop", {.in = 0}});
  }
  edges.push_back({with_stop_gradient ? "stop" : "mean", "sqdiff", {.in = 1}});
  return front_replacement_subgraph(std::move(name))
      .pattern(std::move(nodes), std::move(edges))
      .replace_sub_graph(replace_fused_batch_norm);
}

/// Inference has checked the axes: the input that MVN has not goes.
Pass mvn_without_axes() {
  return graph_pass("MvnWithoutAxes")
      .run_before({"LayoutChange"})
      .run([](Graph& graph, PassContext&) -> Expected<bool> {
        Rewriter rw(graph);
        for (auto [node, op] : graph.each<MvnWithAxes>())
          rw.replace(node, {rw.create(ops::MVN{.eps = op.eps}, node.input(0), node.input(1))});
        if (rw.error()) return Error(*rw.error());
        return rw.has_changed();
      });
}

}  // namespace mo::examples
