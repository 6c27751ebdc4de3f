#pragma once

#include <algorithm>
#include <vector>

#include "onnx_emitter/translator.hpp"
#include "ops/support/window.hpp"

/// What convolutions and poolings of ONNX need of a window that moves over the last dimensions.
namespace mo::onnx_emitter {

/// One number for each dimension: what the op says, or 1.
inline std::vector<std::int64_t> ones_if_empty(const std::vector<std::int64_t>& values, std::size_t count) {
  return values.empty() ? std::vector<std::int64_t>(count, 1) : values;
}

/// Begins, then ends.
inline std::vector<std::int64_t> joined_pads(std::vector<std::int64_t> begin, const std::vector<std::int64_t>& end) {
  begin.insert(begin.end(), end.begin(), end.end());
  return begin;
}

/// Sets "pads". Those of same_upper and same_lower are computed where sizes are known, otherwise they are "auto_pad":
/// runtimes differ in what they make of SAME_LOWER.
template <class Op>
void set_pads(const Translation& t, const Op& op, const std::vector<std::int64_t>& kernel,
              const std::vector<std::int64_t>& strides, const std::vector<std::int64_t>& dilations,
              AttributeMap& attributes) {
  std::vector<std::int64_t> begin(kernel.size(), 0);
  std::vector<std::int64_t> end(kernel.size(), 0);
  const bool is_upper = op.auto_pad == ops::AutoPad::same_upper;
  if (op.auto_pad == ops::AutoPad::explicit_pads) {
    begin = op.pads_begin;
    end = op.pads_end;
  } else if (is_upper || op.auto_pad == ops::AutoPad::same_lower) {
    const PartialShape& shape = t.node.input_type(0).shape;
    for (std::size_t i = 0; i < kernel.size(); ++i) {
      const std::int64_t reach = (kernel[i] - 1) * dilations[i] + 1;
      const bool is_known = shape.has_rank() && shape[i + 2].is_known();
      if (!is_known && strides[i] != 1) {
        attributes.set("auto_pad", is_upper ? "SAME_UPPER" : "SAME_LOWER");
        return;
      }
      std::int64_t total = reach - 1;  // with a stride of 1, whatever the size
      if (is_known) {
        const std::int64_t size = shape[i + 2].value();
        const std::int64_t places = (size + strides[i] - 1) / strides[i];
        total = std::max<std::int64_t>(0, (places - 1) * strides[i] + reach - size);
      }
      begin[i] = is_upper ? total / 2 : total - total / 2;
      end[i] = total - begin[i];
    }
  }
  attributes.set("pads", joined_pads(std::move(begin), end));
}

}  // namespace mo::onnx_emitter
