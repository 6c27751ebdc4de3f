#pragma once

#include "core/tensor/tensor.hpp"

namespace mo {

/// [N, C, spatial…] as a permutation of [N, spatial…, C]: dimension i of the
/// result is dimension order[i]. The identity below rank 3.
std::vector<std::int64_t> order_to_channels_first(std::size_t rank);
/// Its inverse: [N, spatial…, C] as a permutation of [N, C, spatial…].
std::vector<std::int64_t> order_to_channels_last(std::size_t rank);
/// The order that takes back what `order` does.
std::vector<std::int64_t> inverse_order(const std::vector<std::int64_t>& order);

/// Whether `order` leaves every dimension where it is.
bool is_identity_order(const std::vector<std::int64_t>& order);

/// Dimension i of the result is dimension order[i]. Unknown rank stays unknown;
/// `order` has as many elements as a known one (asserted).
PartialShape permuted(const PartialShape& shape, const std::vector<std::int64_t>& order);
/// The same with the elements, in memory. Errors: those of loading and
/// allocating; MO-EXEC-0005 for packed and text elements.
Expected<Tensor> permuted(const Tensor& tensor, const std::vector<std::int64_t>& order);

}  // namespace mo
