#include "frontends/caffe/ops/support/layer_ports.hpp"
#include "ops/soft_max.hpp"

namespace mo::caffe {
namespace {

Expected<Op> softmax(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  return ops::SoftMax{.axis = layer.integer("softmax_param.axis", 1)};
}

/// The k largest along an axis; without an axis, of a whole sample.
Expected<Op> arg_max(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  MO_ASSIGN(const std::int64_t count, size_of(layer, "argmax_param.top_k", 1));
  AttributeMap attributes = {{"top_k", count}, {"out_max_val", layer.flag("argmax_param.out_max_val", false)}};
  if (layer.has("argmax_param.axis")) attributes.set("axis", layer.integer("argmax_param.axis", 0));
  return layer_op(layer, "CaffeArgMax", std::move(attributes));
}

/// A layer that compares predictions with what is wanted. `inference` is the function of the first bottom that the layer has inside
/// ("none": the predictions themselves are the result), `message` the one with the parameters of that function.
Extractor loss(std::string_view inference, std::string_view message = "", std::size_t predictions = 1) {
  return [=](const FrameworkNode& node) -> Expected<Op> {
    const Layer layer(node);
    MO_TRY(expect_bottoms_from(layer, 1));
    std::int64_t axis = 1;
    if (!message.empty()) axis = layer.integer(fmt::format("{}.axis", message), 1);
    // What else the layer has is about training.
    for (const std::string& name : node.unread_attributes()) node.ignore({name});
    return layer_op(layer, "CaffeLoss", {{"inference", inference}, {"axis", axis}, {"predictions", static_cast<std::int64_t>(predictions)}});
  };
}

}  // namespace

void register_softmax_loss(OperatorTable& table) {
  table.extract("Softmax", softmax);
  table.extract("ArgMax", arg_max);
  table.extract("SoftmaxWithLoss", loss("softmax", "softmax_param"));
  // Caffe InfogainLoss applies a softmax of its own to the first bottom.
  table.extract("InfogainLoss", loss("softmax", "infogain_loss_param"));
  table.extract("SigmoidCrossEntropyLoss", loss("sigmoid"));
  for (const char* name : {"EuclideanLoss", "HingeLoss", "MultinomialLogisticLoss", "SmoothL1Loss", "Accuracy", "CTCLoss", "DetectionEvaluate"})
    table.extract(name, loss("none"));
  table.extract("ContrastiveLoss", loss("none", "", 2));
  table.extract("MultiBoxLoss", loss("none", "", 2));  // places, confidences
  table.extract("HDF5Output", loss("none", "", 1));
  // Silence hides blobs that nobody wants to see.
  table.extract("Silence", loss("none", "", 0));
}

}  // namespace mo::caffe
