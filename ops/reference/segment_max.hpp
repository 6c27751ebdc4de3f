#pragma once

#include <vector>

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// The largest of the rows of `data` [N, …] with the same of the ascending `ids` [N], in the row of `out` of that
/// number; rows beyond `out` are ignored. Other rows are the lowest number of the type, or 0.
void segment_max(const Tensor& data, const std::vector<std::int64_t>& ids, bool fills_lowest, Tensor& out);

}  // namespace mo::ops::reference
