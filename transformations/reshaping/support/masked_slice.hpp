#pragma once

#include <optional>
#include <vector>

#include "core/rewrite.hpp"
#include "ops/strided_slice.hpp"

/// A StridedSlice of constant bounds, taken apart so that dimensions can be put in or taken out.
namespace mo::transformations {

struct MaskedSlice {
  std::vector<std::int64_t> begin;
  std::vector<std::int64_t> end;
  std::vector<std::int64_t> stride;
  ops::StridedSlice op;  ///< all masks have one number for each of `begin`
  /// At least `count` dimensions; those that are added are taken whole.
  void extend(std::size_t count);
  /// The dimension is of size 1 and goes; it is counted among those of the data.
  void shrink(std::size_t axis);
  Value create(Rewriter& rw, const Value& data) const;
};

/// Nothing for computed bounds, and when the masks add or take dimensions already.
std::optional<MaskedSlice> masked_slice(const Node& strided_slice);

}  // namespace mo::transformations
