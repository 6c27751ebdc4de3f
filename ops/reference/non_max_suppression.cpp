#include "ops/reference/non_max_suppression.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

#include "ops/reference/turned_boxes.hpp"

namespace mo::ops::reference {
namespace {

struct Corners {
  float y1, x1, y2, x2;
};

Corners corners_of(const float* box, bool centers) {
  if (centers) return {box[1] - box[3] / 2, box[0] - box[2] / 2, box[1] + box[3] / 2, box[0] + box[2] / 2};
  return {std::min(box[0], box[2]), std::min(box[1], box[3]), std::max(box[0], box[2]), std::max(box[1], box[3])};
}

float intersection_over_union(const Corners& a, const Corners& b) {
  const float area_a = (a.y2 - a.y1) * (a.x2 - a.x1);
  const float area_b = (b.y2 - b.y1) * (b.x2 - b.x1);
  if (!(area_a > 0) || !(area_b > 0)) return 0;
  const float height = std::max(std::min(a.y2, b.y2) - std::max(a.y1, b.y1), 0.0F);
  const float width = std::max(std::min(a.x2, b.x2) - std::max(a.x1, b.x1), 0.0F);
  return height * width / (area_a + area_b - height * width);
}

/// How much the boxes of one image overlap.
class Overlaps {
 public:
  /// `boxes`: `count` of them, one after the other.
  Overlaps(const float* boxes, std::int64_t count, BoxKind kind)
      : is_turned_(kind == BoxKind::clockwise || kind == BoxKind::counter_clockwise) {
    for (std::int64_t i = 0; i < count; ++i) {
      if (is_turned_)
        turned_.push_back(turned_box(boxes + 5 * i, kind == BoxKind::clockwise));
      else
        corners_.push_back(corners_of(boxes + 4 * i, kind == BoxKind::centers));
    }
  }
  std::size_t size() const { return is_turned_ ? turned_.size() : corners_.size(); }
  float of(std::int64_t a, std::int64_t b) const {
    const auto i = static_cast<std::size_t>(a);
    const auto j = static_cast<std::size_t>(b);
    return is_turned_ ? intersection_over_union(turned_[i], turned_[j])
                      : intersection_over_union(corners_[i], corners_[j]);
  }

 private:
  bool is_turned_;
  std::vector<Corners> corners_;
  std::vector<TurnedBox> turned_;
};

struct Candidate {
  float score;
  std::int64_t box;
  std::size_t compared;  ///< how many of the selected boxes it was compared with

  /// The queue gives the highest score, then the first box.
  bool operator<(const Candidate& other) const {
    return score < other.score || (score == other.score && box > other.box);
  }
};

/// The selected boxes of one batch and class, best first.
void select(const Overlaps& overlaps, const float* scores, const NonMaxSuppressionParameters& parameters,
            std::int64_t batch, std::int64_t label, std::vector<SelectedBox>& all) {
  const bool soft = parameters.soft_sigma > 0;
  std::priority_queue<Candidate> queue;
  for (std::size_t i = 0; i < overlaps.size(); ++i)
    if (scores[i] > parameters.score_threshold) queue.push({scores[i], static_cast<std::int64_t>(i), 0});
  std::vector<SelectedBox> selected;
  while (!queue.empty() && static_cast<std::int64_t>(selected.size()) < parameters.most_per_class) {
    Candidate next = queue.top();
    queue.pop();
    const float before = next.score;
    bool dropped = false;
    for (std::size_t j = selected.size(); j-- > next.compared && !dropped;) {
      const float iou = overlaps.of(next.box, selected[j].box);
      if (parameters.drop_at_threshold ? iou >= parameters.iou_threshold : !soft && iou > parameters.iou_threshold) {
        dropped = true;
      } else if (soft) {
        next.score *= std::exp(-0.5F / parameters.soft_sigma * iou * iou);
        if (next.score <= parameters.score_threshold) break;
      }
    }
    next.compared = selected.size();
    if (dropped) continue;
    if (next.score == before)
      selected.push_back({batch, label, next.box, next.score});
    else if (next.score > parameters.score_threshold)
      queue.push(next);
  }
  all.insert(all.end(), selected.begin(), selected.end());
}

}  // namespace

std::vector<SelectedBox> non_max_suppression(const Tensor& boxes, const Tensor& scores,
                                             const NonMaxSuppressionParameters& parameters) {
  std::vector<SelectedBox> all;
  const std::int64_t batches = scores.shape()[0];
  const std::int64_t classes = scores.shape()[1];
  const std::int64_t count = scores.shape()[2];
  const float* const box_values = boxes.values<float>().data();
  const float* const score_values = scores.values<float>().data();
  if (boxes.element_count() == 0) return all;
  for (std::int64_t b = 0; b < batches; ++b) {
    const Overlaps overlaps(box_values + b * count * boxes.shape()[2], count, parameters.kind);
    for (std::int64_t c = 0; c < classes; ++c)
      select(overlaps, score_values + (b * classes + c) * count, parameters, b, c, all);
  }
  if (parameters.sort_by_score)
    std::stable_sort(all.begin(), all.end(), [](const SelectedBox& a, const SelectedBox& b) {
      return a.score != b.score ? a.score > b.score
                                : std::tie(a.batch, a.label, a.box) < std::tie(b.batch, b.label, b.box);
    });
  return all;
}

}  // namespace mo::ops::reference
