#include <algorithm>

#include "frontends/caffe/ops/support/blobs.hpp"
#include "ops/activations.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reshape.hpp"
#include "ops/soft_max.hpp"
#include "ops/top_k.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::caffe {
namespace {

Expected<Op> softmax(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  return ops::SoftMax{.axis = layer.integer("softmax_param.axis", 1)};
}

/// ArgMax -> TopK. With an axis: places, or values, along it. Without: the bottom is a row for each sample; the top is
/// [N, 1, k] with places or [N, 2, k] with places and values, and has as many dimensions as the bottom where that has
/// more than three.
Replacement arg_max(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  MO_ASSIGN(const std::int64_t count, size_of(layer, "argmax_param.top_k", 1));
  const bool values = layer.flag("argmax_param.out_max_val", false);
  const Value x = layer.bottom(0);
  const bool has_axis = layer.has("argmax_param.axis");
  const std::int64_t axis = has_axis ? layer.integer("argmax_param.axis", 0) : 1;
  const Value data = has_axis ? x : rw.create(ops::Reshape{.special_zero = true}, x, rw.integers({0, -1}));
  const Node best = rw.create_node(ops::TopK{.axis = axis}, {data, rw.scalar(count)});
  if (has_axis && values) return best.output(0);
  const Value places = as_type(rw, best.output(1), ElementType::f32);
  if (has_axis) return places;
  const Value second = rw.integers({1});
  Value y = rw.create(ops::Unsqueeze{}, places, second);
  if (values) y = rw.create(ops::Concat{.axis = 1}, y, rw.create(ops::Unsqueeze{}, best.output(0), second));
  if (const auto rank = type_of(x).rank()) {
    if (*rank <= 3) return y;
    Integers shape(static_cast<std::size_t>(*rank), 1);
    std::fill_n(shape.begin(), 3, 0);
    return rw.create(ops::Reshape{.special_zero = true}, y, rw.integers(shape));
  }
  const Value more = rw.create(ops::Maximum{}, rw.create(ops::Subtract{}, rank_of(rw, x), rw.scalar<std::int64_t>(3)),
                               rw.scalar<std::int64_t>(0));
  return rw.create(ops::Reshape{.special_zero = true}, y, join(rw, {rw.integers({0, 0, 0}), ones(rw, more)}));
}

/// A loss that has the last function of the network inside is that function of the first bottom; the front phase has
/// taken the labels away.
template <class Function>
Translator loss_with(Function function) {
  return [function](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    const Layer layer(node);
    node.ignore({"infogain_loss_param.source"}, "how the loss is computed, which is left out");
    if (layer.bottoms() < 1) MO_TRY(expect_bottoms_from(layer, 1));
    MO_TRY(node.expect_inputs(1));
    const Value y = rw.create(function(layer), layer.bottom(0));
    return Outputs(node.output_count(), y);
  };
}

/// Losses and measures that the front phase takes out of the network.
Replacement left_out(const FrameworkNode& node, Rewriter&) {
  return node
      .error("MO-CAFFE-0108", "the layer compares predictions with labels, which a model for inference does not need")
      .hint("run the pass CaffeLossRemoval, or name the outputs that you want with --output");
}

}  // namespace

void register_softmax_loss(OperatorTable& table) {
  table.extract("Softmax", softmax);
  table.translate("ArgMax", arg_max);
  const auto softmax_along = [](std::string_view path) {
    return loss_with([path](const Layer& layer) { return ops::SoftMax{.axis = layer.integer(path, 1)}; });
  };
  table.translate("SoftmaxWithLoss", softmax_along("softmax_param.axis"));
  // Caffe InfogainLoss applies a softmax of its own to the first bottom.
  table.translate("InfogainLoss", softmax_along("infogain_loss_param.axis"));
  table.translate("SigmoidCrossEntropyLoss", loss_with([](const Layer&) { return ops::Sigmoid{}; }));
  for (const char* name : {"EuclideanLoss", "HingeLoss", "MultinomialLogisticLoss", "SmoothL1Loss", "ContrastiveLoss",
                           "CTCLoss", "MultiBoxLoss", "Accuracy", "DetectionEvaluate", "HDF5Output", "Silence"})
    table.translate(name, left_out);
}

}  // namespace mo::caffe
