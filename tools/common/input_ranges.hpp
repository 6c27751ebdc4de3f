#pragma once

#include <optional>

#include "core/graph/graph.hpp"

namespace mo::tools {

/// Numbers that an input may have, both ends included.
struct InputRange {
  double least = 0;
  double most = 0;
};

/// What the readers of an input ask of its numbers: indices lie in what they index (Gather, OneHot, Scatter…,
/// embeddings), lengths in what they measure (sequences), and what goes into a FakeQuantize in its range. Looks through
/// ops that only move or convert elements. Nothing: no reader asks. O(readers).
std::optional<InputRange> range_asked_of(const Node& parameter);

/// Whether an input holds regions of images as rows of five numbers, the first of which is the index of the image in
/// the batch. O(readers).
bool holds_regions(const Node& parameter);

}  // namespace mo::tools
