#pragma once

#include "core/graph/graph.hpp"

/// Sums of quantised operators are exact: whole numbers, which real types hold. One factor brings them to the scale of
/// the result, which is rounded, so that a factor that moves into the weights, where it makes the sums inexact, moves
/// results to the neighbour.
namespace mo::transformations {

/// Certainly whole numbers: converted from integers, rounded, or computed of such and of whole constants. A search with
/// a budget, so "no" may mean "unknown". Whatever real numbers come from (inputs of the model, weights) is not whole,
/// so that no model of real numbers is concerned.
bool is_whole(const Value& value);

/// An op reads the tensor that rounds it: the last bit counts.
bool is_rounded(const Value& value);

}  // namespace mo::transformations
