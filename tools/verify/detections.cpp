#include "tools/verify/detections.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "core/tensor/convert.hpp"

namespace mo::tools {
namespace {

struct Detection {
  std::size_t image = 0;
  std::int64_t label = 0;
  std::array<double, 5> numbers{};  ///< score, x1, y1, x2, y2
};

constexpr std::size_t kRow = 7;
constexpr std::size_t kCorners = 4;

Expected<std::vector<Detection>> detections_of_rows(const Tensor& rows) {
  MO_ASSIGN(const std::vector<double> numbers, to_reals(rows));
  std::vector<Detection> found;
  for (std::size_t i = 0; i + kRow <= numbers.size() && numbers[i] >= 0; i += kRow)
    found.push_back({static_cast<std::size_t>(numbers[i]),
                     std::llround(numbers[i + 1]),
                     {numbers[i + 2], numbers[i + 3], numbers[i + 4], numbers[i + 5], numbers[i + 6]}});
  return found;
}

/// The outputs of the model; empty when one of them is missing or has another shape.
Expected<std::vector<Detection>> detections_of_model(const Truth& truth, bool& is_detector) {
  std::array<std::vector<double>, 4> outputs;
  constexpr const char* kNames[] = {"detection_boxes", "detection_scores", "detection_classes", "num_detections"};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Tensor* const tensor = truth.find(kNames[i]);
    if (!tensor) return std::vector<Detection>();
    MO_ASSIGN(outputs[i], to_reals(*tensor));
  }
  const auto& [boxes, scores, labels, counts] = outputs;
  const std::size_t each = counts.empty() ? 0 : scores.size() / counts.size();
  is_detector = boxes.size() == kCorners * scores.size() && labels.size() == scores.size() &&
                each * counts.size() == scores.size();
  std::vector<Detection> found;
  for (std::size_t image = 0; is_detector && image < counts.size(); ++image)
    for (std::size_t i = image * each;
         i < image * each + std::min(each, static_cast<std::size_t>(std::max(counts[image], 0.0))); ++i) {
      const double* const box = &boxes[kCorners * i];
      found.push_back({image, std::llround(labels[i]), {scores[i], box[1], box[0], box[3], box[2]}});
    }
  return found;
}

/// The detections of `wanted` in the order of their partners: of the same image and label, the nearest one that is
/// left. Partners that are missing stay out.
std::vector<Detection> in_order_of(const std::vector<Detection>& found, std::vector<Detection> wanted) {
  std::vector<Detection> ordered;
  for (const Detection& one : found) {
    std::size_t best = wanted.size();
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i].image != one.image || wanted[i].label != one.label) continue;
      double distance = 0;
      for (std::size_t k = 0; k < one.numbers.size(); ++k) distance += std::abs(wanted[i].numbers[k] - one.numbers[k]);
      if (distance >= nearest) continue;
      nearest = distance;
      best = i;
    }
    if (best == wanted.size()) break;
    ordered.push_back(wanted[best]);
    wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return ordered;
}

Tensor tensor_of(const std::vector<Detection>& detections) {
  std::vector<float> numbers;
  for (const Detection& one : detections)
    for (const double number : one.numbers) numbers.push_back(static_cast<float>(number));
  return Tensor::of<float>(
      {static_cast<std::int64_t>(detections.size()), static_cast<std::int64_t>(Detection().numbers.size())}, numbers);
}

}  // namespace

Expected<std::optional<TensorDifference>> compare_detections(const Tensor& rows, const Truth& truth,
                                                             const Closeness& closeness) {
  using Difference = std::optional<TensorDifference>;
  const Shape& shape = rows.shape();
  if (shape.size() != 4 || shape[0] != 1 || shape[1] != 1 || shape[3] != static_cast<std::int64_t>(kRow) ||
      !is_real(rows.element_type()))
    return Difference();
  bool is_detector = false;
  MO_ASSIGN(const std::vector<Detection> wanted, detections_of_model(truth, is_detector));
  if (!is_detector) return Difference();
  MO_ASSIGN(const std::vector<Detection> found, detections_of_rows(rows));
  const std::vector<Detection> partners = in_order_of(found, wanted);
  if (partners.size() != found.size() || found.size() != wanted.size()) {
    TensorDifference difference;
    difference.kind = fmt::format("{} detections instead of {}, of which {} have the label of one", found.size(),
                                  wanted.size(), partners.size());
    return Difference(difference);
  }
  MO_ASSIGN(TensorDifference difference, difference_of(tensor_of(found), tensor_of(partners), closeness));
  return Difference(std::move(difference));
}

}  // namespace mo::tools
