#include "frontends/onnx/ops/support/window.hpp"

#include "core/graph/values.hpp"

namespace mo::onnx {

Expected<Window> convolution_window(const FrameworkNode& node, const Value& filters) {
  MO_ASSIGN(Window window, read_window(node));
  const PartialShape& shape = type_of(filters).shape;
  if (shape.has_rank() && shape.size() < 3)
    return node.error("MO-ONNX-0106", "the filters have shape {}, which leaves no spatial axis", shape.to_string())
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  // Data and filters have the same number of spatial axes.
  const auto rank = shape.has_rank() ? shape.rank() : node.input_type(0).shape.rank();
  if (window.strides.empty() && rank && *rank > 2) {
    const auto axes = static_cast<std::size_t>(*rank - 2);
    window.strides.assign(axes, 1);
    window.dilations.assign(axes, 1);
    window.pads_begin.assign(axes, 0);
    window.pads_end.assign(axes, 0);
  }
  if (window.strides.empty())
    return node
        .error("MO-ONNX-0105",
               "the number of spatial axes is unknown: data and filters have an unknown rank, and no attribute has one "
               "value per axis")
        .hint("export the model with the attribute kernel_shape, or give the shapes of its inputs with --input_shape");
  if (!shape.has_rank()) return window;
  if (shape.size() - 2 != window.spatial_rank())
    return node
        .error("MO-ONNX-0106", "the attributes are for {} spatial axes, the filters have shape {}",
               window.spatial_rank(), shape.to_string())
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  std::vector<std::int64_t> kernel;
  for (std::size_t i = 2; i < shape.size(); ++i) {
    if (!shape[i].is_known()) return window;
    kernel.push_back(shape[i].value());
  }
  if (!window.kernel.empty() && window.kernel != kernel)
    return node
        .error("MO-ONNX-0106", "kernel_shape is {}, the filters have shape {}", to_string(window.kernel),
               shape.to_string())
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  window.kernel = std::move(kernel);
  return window;
}

}  // namespace mo::onnx
