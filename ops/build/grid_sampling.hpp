#pragma once

#include <vector>

#include "ops/build/term.hpp"
#include "ops/grid_sample.hpp"

namespace mo::build {

/// GridSample of any number of spatial dimensions with older ops: data [N, C, spatial…] at the places of a grid [N,
/// out…, spatial_rank], whose last dimension has the coordinate of the last axis first. A result is a weighted sum of
/// 1, 2 or 4 elements along each axis.
Value sampled_by_grid(Rewriter& rw, const Value& data, const Value& grid, const ops::GridSample& how,
                      std::size_t spatial_rank);

/// The same at places [N, P] along each spatial axis, which count elements: [N, C, P], of the type of the places unless
/// `how` is nearest.
Term sampled_at(Rewriter& rw, const Value& data, const std::vector<Term>& places, const ops::GridSample& how);

}  // namespace mo::build
