#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace mo {

/// Which labels an op accepts for its tensors of rank 4 and 5: the layout that the model wrote down, channels-first, or
/// both.
enum class LayoutNeed : std::uint8_t { original, either, channels_first };

/// How an op takes part in the change from channels-last to channels-first (docs/layout.md): data, not code. Without a
/// rule an op keeps the original layout, which is always right; elementwise ops have a rule by themselves. Masks have a
/// bit for each input; bit 31 also means all inputs after it.
///
/// An op with a rule may have a member `LayoutNeed layout_need(const InferContext&) const`, which says for its
/// attributes and inputs which labels are right.
struct LayoutRule {
  /// The op works in either label when what is declared below is remapped.
  bool follows = false;
  /// Inputs that share the label of the op with all outputs of the same rank. Other inputs of rank 4 and 5 stay
  /// original.
  std::uint32_t data_inputs = 0b1;
  /// Data inputs of lower rank are aligned at the last dimension (numpy): they get the missing dimensions first.
  bool broadcasts = false;
  /// Inputs that hold axes (one, or a list).
  std::uint32_t axes_inputs = 0;
  /// Inputs that hold one number for each axis that the axes input lists; for each dimension when the node has no axes
  /// input.
  std::uint32_t per_axis_inputs = 0;
  /// Inputs whose elements the op does not look at, or not by place: any label will do.
  std::uint32_t indifferent_inputs = 0;
  /// Attributes that are an axis or a list of axes.
  std::array<std::string_view, 2> axes_attributes{};
  /// Attributes with one number for each dimension; missing ones are 0.
  std::array<std::string_view, 5> per_axis_attributes{};
  /// Its tensors of rank 4 and 5 are not images, nor are inputs and outputs of the model that only ops with a rule
  /// lie between (MatMul, DetectionOutput): IR v10 keeps those in the original layout.
  bool not_an_image = false;
  /// The newest IR version whose runtimes do not compute the op where its `layout_need` is channels_first and its
  /// layout is not: for these versions it asks for the change of the layout, as a channels-last op does. 0: it is only
  /// better channels-first.
  int asks_up_to = 0;
};

constexpr bool mask_has(std::uint32_t mask, std::size_t i) { return ((mask >> (i < 31 ? i : 31)) & 1U) != 0; }

/// The rank of the images of a channels-last op (core/op/data_layout.hpp): the largest one among its data inputs
/// (LayoutRule::data_inputs); nothing when none is known. `rank_at(i)` is that of input i, nothing where it is not
/// known or there is no input.
template <class RankAt>
std::optional<std::int64_t> rank_of_images(std::uint32_t data_inputs, std::size_t inputs, RankAt rank_at) {
  std::optional<std::int64_t> largest;
  for (std::size_t i = 0; i < inputs; ++i)
    if (const std::optional<std::int64_t> rank = mask_has(data_inputs, i) ? rank_at(i) : std::nullopt)
      largest = std::max(largest.value_or(0), *rank);
  return largest;
}
/// Whether a data input or an output of such an op is an image: of that rank, with dimensions between batch and
/// channels. Others have no layout.
inline bool is_image(std::optional<std::int64_t> rank, std::optional<std::int64_t> rank_of_images) {
  return rank && *rank >= 3 && (!rank_of_images || rank == rank_of_images);
}

/// Whether the dimensions that are left when `axes` (any sign) of a tensor of `rank` go have the same order in both
/// labels: only the channels move, so either they go, or everything that they pass.
inline bool keeps_order_without(const std::vector<std::int64_t>& axes, std::int64_t rank) {
  std::uint64_t gone = 0;
  for (const std::int64_t axis : axes)
    if (const std::int64_t place = axis < 0 ? axis + rank : axis; place >= 0 && place < 64)
      gone |= std::uint64_t{1} << place;
  if (rank < 3 || rank > 63) return false;
  const std::uint64_t channels = std::uint64_t{1} << (rank - 1);
  const std::uint64_t spatial = channels - 2;
  return (gone & channels) != 0 || (gone & spatial) == spatial;
}

}  // namespace mo
