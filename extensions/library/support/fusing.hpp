#pragma once

#include "core/pass/library.hpp"
#include "core/rewrite.hpp"
#include "extensions/middle/support/aligned_shapes.hpp"
#include "extensions/middle/support/matching.hpp"
#include "ops/pattern.hpp"

/// What the fusions of the library ask and share.
namespace mo::library {

using middle::can_stand_for;
using middle::constant_reals_of;
using middle::is_stretched_by;
using middle::may_be_stretched_by;
using middle::meets_its_data;
using middle::number;
using middle::number_of;
using middle::one_number;
using middle::reals_like;
using middle::reduced_axes;
using middle::shape_of_constant;

/// x -> Convert -> (Subtract) -> this Multiply, where the Convert is of quantised integers: kept for low precision.
bool is_dequantization(const Node& multiply);

}  // namespace mo::library
