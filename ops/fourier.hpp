#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Fourier transforms along the axes of input 1; complex numbers are a last dimension of 2, which axes do not count.
/// The optional input 2 has the length of the signal along each axis (-1: as it is); shorter ones are filled with
/// zeros.

/// Complex to complex.
struct DFT {
  static constexpr OpId id{"DFT", 7};
  static constexpr OpTraits traits{.shape_inputs = 0b110};
  static constexpr Attributes<> attributes{};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// The inverse of DFT.
struct IDFT {
  static constexpr OpId id{"IDFT", 7};
  static constexpr OpTraits traits{.shape_inputs = 0b110};
  static constexpr Attributes<> attributes{};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// Real to complex; only the first half of the last axis, n/2 + 1: the other mirrors it.
struct RDFT {
  static constexpr OpId id{"RDFT", 9};
  static constexpr OpTraits traits{.shape_inputs = 0b110};
  static constexpr Attributes<> attributes{};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// The inverse of RDFT: complex to real.
struct IRDFT {
  static constexpr OpId id{"IRDFT", 9};
  static constexpr OpTraits traits{.shape_inputs = 0b110};
  static constexpr Attributes<> attributes{};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
