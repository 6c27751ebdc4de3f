#include "frontends/tensorflow/ops/support/movement_attributes.hpp"

namespace mo::tensorflow {
namespace {

/// TensorFlow StridedSlice: the masks are 32-bit fields, one bit for each
/// element of begin.
Expected<Op> extract_strided_slice(const FrameworkNode& node) {
  AttributeMap attributes;
  for (const char* mask : {"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"}) {
    const auto bits = node.attr<std::int64_t>(mask, 0);
    if (bits < 0 || bits > INT32_MAX)
      return node.error("MO-TF-0555", "{} is {}", mask, bits)
          .hint("a mask has up to 31 bits, one for each element of begin; check how the model was saved");
    attributes.set(mask, bits);
  }
  return movement_op(node, "TfStridedSlice", std::move(attributes));
}

}  // namespace

void register_slicing(OperatorTable& table) {
  table.extract("Slice", [](const FrameworkNode& node) { return movement_op(node, "TfSlice", {{"index_type", node.attr("Index", ElementType::i32)}}); });
  table.extract("StridedSlice", extract_strided_slice);
}

}  // namespace mo::tensorflow
