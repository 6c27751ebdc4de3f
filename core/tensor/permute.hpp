#pragma once

#include <algorithm>

#include "core/op/layout_rule.hpp"
#include "core/tensor/tensor.hpp"

namespace mo {

/// [N, C, spatial…] as a permutation of [N, spatial…, C]: dimension i of the
/// result is dimension order[i]. The identity below rank 3.
std::vector<std::int64_t> order_to_channels_first(std::size_t rank);
/// Its inverse: [N, spatial…, C] as a permutation of [N, C, spatial…].
std::vector<std::int64_t> order_to_channels_last(std::size_t rank);
/// The order that takes back what `order` does.
std::vector<std::int64_t> inverse_order(const std::vector<std::int64_t>& order);

/// The rank of the images of a channels-last op (core/op/data_layout.hpp): the largest one among its data inputs (LayoutRule::data_inputs); nothing
/// when none is known. `rank_at(i)` is that of input i, nothing where it is not known or there is no input.
template <class RankAt>
std::optional<std::int64_t> rank_of_images(std::uint32_t data_inputs, std::size_t inputs, RankAt rank_at) {
  std::optional<std::int64_t> largest;
  for (std::size_t i = 0; i < inputs; ++i)
    if (const std::optional<std::int64_t> rank = mask_has(data_inputs, i) ? rank_at(i) : std::nullopt) largest = std::max(largest.value_or(0), *rank);
  return largest;
}
/// Whether a data input or an output of such an op is an image: of that rank, with dimensions between batch and channels. Others have no layout.
inline bool is_image(std::optional<std::int64_t> rank, std::optional<std::int64_t> rank_of_images) {
  return rank && *rank >= 3 && (!rank_of_images || rank == rank_of_images);
}

/// Whether `order` leaves every dimension where it is.
bool is_identity_order(const std::vector<std::int64_t>& order);

/// Dimension i of the result is dimension order[i]. Unknown rank stays unknown;
/// `order` has as many elements as a known one (asserted).
PartialShape permuted(const PartialShape& shape, const std::vector<std::int64_t>& order);
/// The same with the elements, in memory. Errors: those of loading and
/// allocating; MO-EXEC-0005 for packed and text elements.
Expected<Tensor> permuted(const Tensor& tensor, const std::vector<std::int64_t>& order);

}  // namespace mo
