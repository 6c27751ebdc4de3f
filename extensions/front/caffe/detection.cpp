#include "extensions/support/front_shapes.hpp"
#include "ops/detection_output.hpp"
#include "ops/prior_box.hpp"
#include "ops/reshape.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::front::caffe {
namespace {

/// Extraction gave the attributes the names that the op has; those that begin with '@' are for the replacer.
Expected<void> take_attributes(const Node& node, Op& op) {
  for (const auto& [name, value] : node.attributes())
    if (!name.starts_with('@')) MO_TRY(op.set_attribute(name, value));
  return {};
}

/// Height and width of an image [N, C, H, W].
Value image_size(Rewriter& rw, const Value& image) { return slice_along(rw, shape_of(rw, image), 0, 2, 4); }

/// PriorBox(map, image) -> [PriorBox(size of map, size of image)], since Caffe's result has a batch of one: [1, 2, 4 * boxes]
Replacement replace_prior_boxes(const Node& node, Rewriter& rw, Op op) {
  if (auto taken = take_attributes(node, op); !taken) return std::move(taken).error();
  const auto given = node.attr<std::vector<std::int64_t>>("@image");
  const Value image = given ? rw.integers(*given) : image_size(rw, node.input(1));
  const Value boxes = rw.create(std::move(op), image_size(rw, node.input(0)), image);
  return rw.create(ops::Unsqueeze{}, boxes, rw.integers({0}));
}

/// Caffe counts elements, whatever their dimensions: box codes and scores become [N, elements], priors [N, 2, elements].
Replacement replace_detection_output(const Node& node, Rewriter& rw) {
  Op op = ops::v0::DetectionOutput{};
  if (auto taken = take_attributes(node, op); !taken) return std::move(taken).error();
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) {
    const auto shape = i == 2 ? rw.integers({0, 0, -1}) : rw.integers({0, -1});
    inputs.push_back(rw.create(ops::Reshape{.special_zero = true}, node.input(i), shape));
  }
  return rw.create(std::move(op), inputs);
}

}  // namespace

void register_detection(PassRegistry& passes) {
  passes.add(front_replacement_op("CaffePriorBox").replace_op([](const Node& node, Rewriter& rw) {
    return replace_prior_boxes(node, rw, ops::PriorBox{});
  }));
  passes.add(front_replacement_op("CaffePriorBoxClustered").replace_op([](const Node& node, Rewriter& rw) {
    return replace_prior_boxes(node, rw, ops::PriorBoxClustered{});
  }));
  passes.add(front_replacement_op("CaffeDetectionOutput").replace_op(replace_detection_output));
}

}  // namespace mo::front::caffe
