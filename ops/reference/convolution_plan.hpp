#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ops/reference/convolution.hpp"

namespace mo::ops::reference {

// A convolution is a product of the filters with what each result position sees. A *layout* holds the planes of the
// data with their padding, elements that are a stride apart side by side: there, what neighbouring positions see at one
// kernel position lies side by side as well. A *pass* computes result positions that see data at the same kernel
// positions: all of them, or, when the window slides over the result, those that are a stride apart.

/// One axis of a layout: element j of part p is data[j * stride + parts[p] + origin], or 0 where that is padding.
struct AxisLayout {
  std::int64_t stride = 1;
  std::int64_t origin = 0;
  std::int64_t length = 0;
  std::vector<std::int64_t> parts;
};

/// Positions [z, y, x] of the result, from `first` on, `steps` elements of its plane apart. At kernel position
/// seen[k].kernel_position, position [z, y, x] sees element seen[k].element + (z * length of y + y) * length of x + x
/// of a plane's layout. Kernel positions ascend; those that see padding only are left out.
struct ConvolutionPass {
  struct Seen {
    std::int64_t kernel_position = 0;
    std::int64_t element = 0;
  };
  std::array<std::int64_t, 3> counts{};
  std::array<std::int64_t, 3> steps{};
  std::int64_t first = 0;
  std::vector<Seen> seen;
};

class ConvolutionPlan {
 public:
  explicit ConvolutionPlan(const ConvolutionGeometry& geometry);

  /// For depth, height and width: [part z, part y, part x, z, y, x] is the layout of a plane.
  const std::array<AxisLayout, 3>& axes() const { return axes_; }
  /// Of `planes` planes; its size may be more than memory has, or than can be counted.
  Shape layout_shape(std::int64_t planes) const;
  /// Whether the planes of the data are their layout.
  bool is_data() const { return is_data_; }
  std::span<const ConvolutionPass> passes() const { return passes_; }

 private:
  std::array<AxisLayout, 3> axes_;
  bool is_data_ = false;
  std::vector<ConvolutionPass> passes_;
};

/// Neighbours among a pass's positions: in a row, or in rows that follow each other without gaps.
struct PositionRun {
  std::int64_t column = 0;  ///< in the block
  std::int64_t count = 0;
  std::int64_t element = 0;  ///< of the layout, to be added to what `ConvolutionPass::seen` says
  std::int64_t result = 0;   ///< of the result's plane
};

/// The positions of a pass, `size` columns at a time.
class PositionBlocks {
 public:
  /// In place: column j of a block sees the element j after the one that column 0 sees, so that there are columns
  /// without a position between rows. Otherwise columns follow each other.
  PositionBlocks(const ConvolutionPass& pass, const ConvolutionPlan& plan, std::int64_t size, bool in_place);

  /// False at the end.
  bool next();
  std::int64_t columns() const { return runs_.back().column + runs_.back().count; }
  std::span<const PositionRun> runs() const { return runs_; }
  /// Whether each column is a position, and column j of the block is element j after that of column 0 in the result's
  /// plane.
  bool is_stretch_of_result() const { return is_stretch_; }

 private:
  const ConvolutionPass* pass_;
  std::int64_t length_y_;
  std::int64_t length_x_;
  std::int64_t size_;
  bool in_place_;
  std::int64_t z_ = 0;
  std::int64_t y_ = 0;
  std::int64_t x_ = 0;
  std::vector<PositionRun> runs_;
  bool is_stretch_ = true;
};

}  // namespace mo::ops::reference
