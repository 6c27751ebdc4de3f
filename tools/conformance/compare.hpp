#pragma once

#include <optional>
#include <string>

#include "core/tensor/tensor.hpp"

namespace mo::conformance {

struct Tolerance {
  double relative = 1e-3;
  double absolute = 1e-7;
};

/// The first difference between a result and what the test wants, in words; nothing when they agree. Element type and shape must be the
/// same; reals may differ by absolute + relative * |want| per element (NaN equals NaN, infinities are equal by sign); integers, booleans
/// and strings must be equal.
Expected<std::optional<std::string>> difference(const Tensor& have, const Tensor& want, const Tolerance& tolerance = {});

}  // namespace mo::conformance
