#include "core/pass/library.hpp"
#include "extensions/back/same_inputs.hpp"
#include "extensions/library/support/op_rules.hpp"
#include "ops/detection_output.hpp"

namespace mo::library::op_versions {
namespace {

/// Dimension `i` of input `input`, as far as it is known.
Dimension size_of(const Node& node, std::size_t input, std::size_t i) {
  if (input >= node.in_port_count() || !node.input(input)) return {};
  const PartialShape& shape = node.input_type(input).shape;
  return shape.has_rank() && shape.size() > i ? shape[i] : Dimension();
}

/// a / b, when both are known and that is a whole number.
std::optional<std::int64_t> quotient(const Dimension& a, std::optional<std::int64_t> b) {
  if (!a.is_known() || !b || *b < 1 || a.value() % *b != 0) return std::nullopt;
  return a.value() / *b;
}

/// From whichever input tells it: priors of 4 numbers (5 with the image when they are not normalised), boxes of 4, additional scores of 2.
std::optional<std::int64_t> number_of_priors(const Node& node, const ops::v8::DetectionOutput& op) {
  if (const auto count = quotient(size_of(node, 2, 2), op.normalized ? 4 : 5)) return count;
  if (const auto count = quotient(size_of(node, 3, 1), 2)) return count;
  for (const std::size_t boxes : {0U, 4U})
    if (const auto count = quotient(size_of(node, boxes, 1), 4); count && op.share_location) return count;
  return std::nullopt;
}

std::optional<std::int64_t> number_of_classes(const Node& node, const ops::v8::DetectionOutput& op) {
  const auto priors = number_of_priors(node, op);
  if (!priors) return std::nullopt;
  if (const auto count = quotient(size_of(node, 1, 1), priors)) return count;
  for (const std::size_t boxes : {0U, 4U})
    if (const auto count = quotient(size_of(node, boxes, 1), *priors * 4); count && !op.share_location) return count;
  return std::nullopt;
}

}  // namespace

void register_convert_detection_output8_to_detection_output1(PassLibrary& library) {
  library.add(rewrite("ConvertDetectionOutput8ToDetectionOutput1")
                  .described("DetectionOutput.v8", "DetectionOutput.v1", "the number of classes follows from the shapes")
                  .match(pattern::op<ops::v8::DetectionOutput>())
                  .replace(of_op<ops::v8::DetectionOutput>([](const Node& node, const ops::v8::DetectionOutput& op, Rewriter& rw) -> Replacement {
                    const auto classes = number_of_classes(node, op);
                    if (!classes) return declined("the number of classes is unknown");
                    return back::on_same_inputs(node, rw, ops::v0::DetectionOutput{op, *classes});
                  })));
}

}  // namespace mo::library::op_versions
