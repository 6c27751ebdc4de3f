#include "ops/reference/detection_output.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace mo::ops::reference {
namespace {

struct Box {
  float x1 = 0, y1 = 0, x2 = 0, y2 = 0;

  float area() const { return x2 < x1 || y2 < y1 ? 0 : (x2 - x1) * (y2 - y1); }
  Box clipped() const {
    const auto clip = [](float v) { return std::clamp(v, 0.0F, 1.0F); };
    return {clip(x1), clip(y1), clip(x2), clip(y2)};
  }
};

float overlap(const Box& a, const Box& b) {
  const float width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
  const float height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
  if (!(width > 0) || !(height > 0)) return 0;
  return width * height / (a.area() + b.area() - width * height);
}

/// A box of one image with its label and score.
struct Detection {
  std::int64_t label;
  std::int64_t prior;
  float score;
};

/// Highest score first; among equal ones the first prior.
bool better(const Detection& a, const Detection& b) {
  return std::tie(b.score, a.prior, a.label) < std::tie(a.score, b.prior, b.label);
}

class Detector {
 public:
  Detector(const Tensor& boxes, const Tensor& scores, const Tensor& priors, const Tensor& extra_scores,
           const Tensor& extra_boxes, const DetectionOutputParameters& parameters)
      : p_(parameters),
        boxes_(boxes.values<float>().data()),
        scores_(scores.values<float>().data()),
        priors_(priors.values<float>().data()),
        extra_scores_(extra_scores.empty() ? nullptr : extra_scores.values<float>().data()),
        extra_boxes_(extra_boxes.empty() ? nullptr : extra_boxes.values<float>().data()),
        prior_batches_(priors.shape()[0]),
        prior_stride_(priors.shape()[1] * priors.shape()[2]),
        prior_size_(parameters.normalized ? 4 : 5),
        locations_(parameters.share_location ? 1 : parameters.classes) {}

  /// What stays of an image, by label.
  std::vector<Detection> detect(std::int64_t image) {
    decode(image);
    std::map<std::int64_t, std::vector<Detection>> kept;
    if (p_.decrease_label_id)
      suppress_together(image, kept);
    else
      suppress_by_class(image, kept);
    std::vector<Detection> all;
    for (const auto& [label, detections] : kept) all.insert(all.end(), detections.begin(), detections.end());
    if (p_.keep_top_k > -1 && static_cast<std::int64_t>(all.size()) > p_.keep_top_k) {
      std::sort(all.begin(), all.end(), better);
      all.resize(static_cast<std::size_t>(p_.keep_top_k));
      std::stable_sort(all.begin(), all.end(),
                       [](const Detection& a, const Detection& b) { return a.label < b.label; });
    }
    return all;
  }

  const Box& box(std::int64_t label, std::int64_t prior) const {
    return decoded_[static_cast<std::size_t>((p_.share_location ? 0 : label) * p_.priors + prior)];
  }

 private:
  float score(std::int64_t image, std::int64_t prior, std::int64_t label) const {
    if (extra_scores_ && extra_scores_[(image * p_.priors + prior) * 2 + 1] < static_cast<float>(p_.objectness_score))
      return label == p_.background_label ? 1.0F : 0.0F;
    return scores_[(image * p_.priors + prior) * p_.classes + label];
  }

  /// `code` against a prior box. Without variances in the priors they are 1.
  Box decode_box(Box prior, const float* code, const float* variance) const {
    static constexpr float kOnes[4] = {1, 1, 1, 1};
    const float* v = variance ? variance : kOnes;
    if (!p_.normalized) {
      prior.x1 /= static_cast<float>(p_.input_width);
      prior.x2 /= static_cast<float>(p_.input_width);
      prior.y1 /= static_cast<float>(p_.input_height);
      prior.y2 /= static_cast<float>(p_.input_height);
    }
    Box box;
    if (p_.center_size) {
      const float width = prior.x2 - prior.x1;
      const float height = prior.y2 - prior.y1;
      const float x = v[0] * code[0] * width + (prior.x1 + prior.x2) / 2;
      const float y = v[1] * code[1] * height + (prior.y1 + prior.y2) / 2;
      const float half_width = std::exp(v[2] * code[2]) * width / 2;
      const float half_height = std::exp(v[3] * code[3]) * height / 2;
      box = {x - half_width, y - half_height, x + half_width, y + half_height};
    } else {
      box = {prior.x1 + v[0] * code[0], prior.y1 + v[1] * code[1], prior.x2 + v[2] * code[2],
             prior.y2 + v[3] * code[3]};
    }
    return p_.clip_before_nms ? box.clipped() : box;
  }

  void decode(std::int64_t image) {
    decoded_.assign(static_cast<std::size_t>(locations_ * p_.priors), {});
    const float* priors = priors_ + (prior_batches_ == 1 ? 0 : image) * prior_stride_;
    const float* variances = p_.variance_encoded_in_target ? nullptr : priors + p_.priors * prior_size_;
    for (std::int64_t c = 0; c < locations_; ++c)
      for (std::int64_t i = 0; i < p_.priors; ++i) {
        const float* corner = priors + i * prior_size_ + (p_.normalized ? 0 : 1);
        const float* variance = variances ? variances + 4 * i : nullptr;
        const std::int64_t code = ((image * p_.priors + i) * locations_ + c) * 4;
        Box prior{corner[0], corner[1], corner[2], corner[3]};
        if (extra_boxes_) prior = decode_box(prior, extra_boxes_ + code, variance);
        decoded_[static_cast<std::size_t>(c * p_.priors + i)] = decode_box(prior, boxes_ + code, variance);
      }
  }

  bool overlaps(const std::vector<Detection>& kept, const Detection& next) const {
    return std::any_of(kept.begin(), kept.end(), [&](const Detection& d) {
      return overlap(box(next.label, next.prior), box(next.label, d.prior)) > static_cast<float>(p_.nms_threshold);
    });
  }

  void keep_best(std::vector<Detection>& candidates, std::map<std::int64_t, std::vector<Detection>>& kept) const {
    std::sort(candidates.begin(), candidates.end(), better);
    if (p_.top_k > -1 && static_cast<std::int64_t>(candidates.size()) > p_.top_k)
      candidates.resize(static_cast<std::size_t>(p_.top_k));
    for (const Detection& next : candidates)
      if (std::vector<Detection>& same = kept[next.label]; !overlaps(same, next)) same.push_back(next);
  }

  void suppress_by_class(std::int64_t image, std::map<std::int64_t, std::vector<Detection>>& kept) const {
    for (std::int64_t c = 0; c < p_.classes; ++c) {
      if (c == p_.background_label) continue;
      std::vector<Detection> candidates;
      for (std::int64_t i = 0; i < p_.priors; ++i)
        if (const float s = score(image, i, c); s > static_cast<float>(p_.confidence_threshold))
          candidates.push_back({c, i, s});
      keep_best(candidates, kept);
    }
  }

  /// Every prior stands for its best class.
  void suppress_together(std::int64_t image, std::map<std::int64_t, std::vector<Detection>>& kept) const {
    std::vector<Detection> candidates;
    for (std::int64_t i = 0; i < p_.priors; ++i) {
      Detection best{0, i, -1};
      for (std::int64_t c = 1; c < p_.classes; ++c)
        if (const float s = score(image, i, c); c != p_.background_label && s > best.score) best = {c, i, s};
      if (best.label > 0 && best.score >= static_cast<float>(p_.confidence_threshold)) candidates.push_back(best);
    }
    keep_best(candidates, kept);
  }

  const DetectionOutputParameters& p_;
  const float* boxes_;
  const float* scores_;
  const float* priors_;
  const float* extra_scores_;
  const float* extra_boxes_;
  std::int64_t prior_batches_;
  std::int64_t prior_stride_;
  std::int64_t prior_size_;
  std::int64_t locations_;
  std::vector<Box> decoded_;
};

}  // namespace

void detection_output(const Tensor& boxes, const Tensor& scores, const Tensor& priors, const Tensor& extra_scores,
                      const Tensor& extra_boxes, Tensor& out, const DetectionOutputParameters& parameters) {
  Detector detector(boxes, scores, priors, extra_scores, extra_boxes, parameters);
  const std::int64_t rows = out.shape()[2];
  const auto values = out.mutable_values<float>();
  std::int64_t count = 0;
  for (std::int64_t image = 0; image < boxes.shape()[0]; ++image)
    for (const Detection& d : detector.detect(image)) {
      if (count == rows) return;
      const Box box =
          parameters.clip_after_nms ? detector.box(d.label, d.prior).clipped() : detector.box(d.label, d.prior);
      float* row = values.data() + 7 * count++;
      row[0] = static_cast<float>(image);
      row[1] = static_cast<float>(parameters.decrease_label_id ? d.label - 1 : d.label);
      row[2] = d.score;
      row[3] = box.x1;
      row[4] = box.y1;
      row[5] = box.x2;
      row[6] = box.y2;
    }
  if (count < rows) values[static_cast<std::size_t>(7 * count)] = -1;
}

}  // namespace mo::ops::reference
