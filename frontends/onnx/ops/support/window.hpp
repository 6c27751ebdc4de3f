#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "core/registry/framework_node.hpp"
#include "ops/build/convolution.hpp"

namespace mo::onnx {

using build::Window;

/// Whether the window skips elements.
inline bool is_dilated(const Window& window) {
  return std::any_of(window.dilations.begin(), window.dilations.end(), [](std::int64_t d) { return d != 1; });
}

/// Errors: MO-ONNX-0101 for a spelling that ONNX does not know.
inline Expected<ops::AutoPad> read_auto_pad(const FrameworkNode& node) {
  const std::string text = node.attr("auto_pad", "NOTSET");
  constexpr std::array<std::pair<std::string_view, ops::AutoPad>, 5> kSpellings{
      {{"NOTSET", ops::AutoPad::explicit_pads},
       {"", ops::AutoPad::explicit_pads},
       {"VALID", ops::AutoPad::valid},
       {"SAME_UPPER", ops::AutoPad::same_upper},
       {"SAME_LOWER", ops::AutoPad::same_lower}}};
  for (const auto& [spelling, value] : kSpellings)
    if (spelling == text) return value;
  return node.error("MO-ONNX-0101", "auto_pad is \"{}\"", text)
      .hint("it is one of NOTSET, SAME_UPPER, SAME_LOWER, VALID");
}

/// The attributes that convolutions and poolings share; all lists are empty (which stands for ones and zeros) when none
/// tells the number of axes. Errors: MO-ONNX-0100 when the lists differ in length, MO-ONNX-0101 as above, MO-ONNX-0102
/// for a size that is not positive.
inline Expected<Window> read_window(const FrameworkNode& node) {
  using Integers = std::vector<std::int64_t>;
  Window window;
  MO_ASSIGN(window.auto_pad, read_auto_pad(node));
  window.kernel = node.attr("kernel_shape", Integers{});
  window.strides = node.attr("strides", Integers{});
  window.dilations = node.attr("dilations", Integers{});
  const Integers pads = node.attr("pads", Integers{});
  const std::size_t axes =
      std::max({window.kernel.size(), window.strides.size(), window.dilations.size(), pads.size() / 2});
  if (pads.size() != 0 && pads.size() != 2 * axes)
    return node.error("MO-ONNX-0100", "pads has {} values for {} spatial axes", pads.size(), axes)
        .hint("pads has two values per axis: all begins, then all ends");
  for (const auto& [name, list] : {std::pair<std::string_view, Integers*>{"kernel_shape", &window.kernel},
                                   {"strides", &window.strides},
                                   {"dilations", &window.dilations}}) {
    if (!list->empty() && list->size() != axes)
      return node.error("MO-ONNX-0100", "{} has {} values for {} spatial axes", name, list->size(), axes)
          .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
    for (const std::int64_t number : *list)
      if (number < 1)
        return node.error("MO-ONNX-0102", "{} has the value {}, which is not positive", name, number)
            .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  }
  if (window.strides.empty()) window.strides.assign(axes, 1);
  if (window.dilations.empty()) window.dilations.assign(axes, 1);
  window.pads_begin.assign(axes, 0);
  window.pads_end.assign(axes, 0);
  // With auto_pad, ONNX ignores pads.
  if (window.auto_pad == ops::AutoPad::explicit_pads && !pads.empty()) {
    window.pads_begin.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(axes));
    window.pads_end.assign(pads.begin() + static_cast<std::ptrdiff_t>(axes), pads.end());
  }
  return window;
}

/// The window of a convolution with `filters` [O, I, spatial…]: no list is empty, and `kernel` is known when the
/// filters or the model tell it. Errors: as above, MO-ONNX-0105 when neither attributes, filters nor data tell the
/// number of spatial axes, MO-ONNX-0106 when they contradict each other.
Expected<Window> convolution_window(const FrameworkNode& node, const Value& filters);

}  // namespace mo::onnx
