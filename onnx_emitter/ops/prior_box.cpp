#include "ops/prior_box.hpp"

#include "core/graph/values.hpp"
#include "core/inference/evaluate.hpp"
#include "core/tensor/convert.hpp"
#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {
namespace {

/// A constant: the boxes depend on the sizes of the feature map and of the image only.
Expected<Outputs> prior_boxes(Translation& t) {
  std::vector<Tensor> sizes;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto known = integers_of(t.node.input(i));
    if (!known || known->size() != 2) return t.refused("the size of its feature map or of its image is unknown");
    sizes.push_back(*from_integers(ElementType::i64, {2}, *known));
  }
  auto boxes = evaluate_op(t.node.op_type(), t.node.payload(), std::move(sizes), 1);
  if (!boxes) return t.node.describe(std::move(boxes).error());
  return Outputs{t.constant(std::move(boxes->front()))};
}

}  // namespace

void register_prior_box(TranslatorTable& table) {
  table.add<ops::v0::PriorBox>(prior_boxes);
  table.add<ops::v8::PriorBox>(prior_boxes);
  table.add<ops::PriorBoxClustered>(prior_boxes);
}

}  // namespace mo::onnx_emitter
