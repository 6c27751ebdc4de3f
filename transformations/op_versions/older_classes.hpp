#pragma once

#include <algorithm>

#include "core/pass/replacement.hpp"
#include "core/pass/rewriter.hpp"
#include "ops/deformable_convolution.hpp"
#include "ops/detection_output.hpp"
#include "ops/pooling.hpp"
#include "ops/roi_align.hpp"

/// The same op in an older class, where that says the same: rules of the conversion (LowerOpSets, LowerNetworks) and of
/// the library.
namespace mo::transformations {

/// What `node` reads, port by port; a port without a source is an empty value.
inline std::vector<Value> inputs_of(const Node& node) {
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
  return inputs;
}

/// `op` on the inputs of `node`; only outputs that both classes have.
inline Replacement on_same_inputs(const Node& node, Rewriter& rw, Op op, std::size_t outputs = 1) {
  const Node made = rw.create_node(std::move(op), inputs_of(node), outputs);
  Outputs values;
  for (std::size_t i = 0; i < outputs; ++i) values.push_back(made.output(i));
  return values;
}

inline bool dilates(const std::vector<std::int64_t>& dilations) {
  return std::any_of(dilations.begin(), dilations.end(), [](std::int64_t d) { return d != 1; });
}

/// opset1 has no dilations and no indices.
inline Replacement max_pool_of_opset1(const Node& node, const ops::v8::MaxPool& op, Rewriter& rw) {
  if (node.out_port_count() > 1 && !node.out_port(1).disconnected()) return declined("the indices are read");
  if (dilates(op.dilations)) return declined("the window is dilated");
  return on_same_inputs(node, rw, ops::v1::MaxPool{op, op.rounding_type});
}

/// opset3 knows one meaning of coordinates.
inline Replacement roi_align_of_opset3(const Node& node, const ops::v9::ROIAlign& op, Rewriter& rw) {
  if (op.aligned_mode != ops::RoiAlignedMode::asymmetric) return declined("aligned_mode is not asymmetric");
  return on_same_inputs(node, rw, ops::v3::ROIAlign(op));
}

/// opset1 has no mask, and a sample outside of the data is 0.
inline Replacement deformable_convolution_of_opset1(const Node& node, const ops::v8::DeformableConvolution& op,
                                                    Rewriter& rw) {
  if (node.input(3)) return declined("there is a mask");
  if (op.bilinear_interpolation_pad) return declined("samples at the border are interpolated");
  return on_same_inputs(node, rw, ops::v1::DeformableConvolution(op));
}

/// How many classes a DetectionOutput has, from whichever of its inputs tells it; nothing when none does.
inline std::optional<std::int64_t> number_of_classes(const Node& node, const ops::v8::DetectionOutput& op) {
  const auto size_of = [&](std::size_t input, std::size_t i) {
    const PartialShape shape =
        input < node.in_port_count() && node.input(input) ? node.input_type(input).shape : PartialShape::unknown_rank();
    return shape.has_rank() && shape.size() > i ? shape[i] : Dimension();
  };
  const auto quotient = [](const Dimension& a, std::int64_t b) -> std::optional<std::int64_t> {
    if (!a.is_known() || b < 1 || a.value() < b || a.value() % b != 0) return std::nullopt;
    return a.value() / b;
  };
  // Priors have 4 numbers, 5 with the image when they are not normalised; additional scores are 2 for each prior.
  auto priors = quotient(size_of(2, 2), op.normalized ? 4 : 5);
  if (!priors) priors = quotient(size_of(3, 1), 2);
  for (const std::size_t boxes : {0U, 4U})
    if (!priors && op.share_location) priors = quotient(size_of(boxes, 1), 4);
  if (!priors) return std::nullopt;
  auto classes = quotient(size_of(1, 1), *priors);
  for (const std::size_t boxes : {0U, 4U})
    if (!classes && !op.share_location) classes = quotient(size_of(boxes, 1), *priors * 4);
  return classes;
}

/// opset1 wants to be told how many classes there are.
inline Replacement detection_output_of_opset1(const Node& node, const ops::v8::DetectionOutput& op, Rewriter& rw) {
  const auto classes = number_of_classes(node, op);
  if (!classes) return declined("the number of classes is unknown");
  return on_same_inputs(node, rw, ops::v0::DetectionOutput{op, *classes});
}

}  // namespace mo::transformations
