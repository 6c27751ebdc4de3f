#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// The short-time Fourier transform of a real signal [S] or [B, S]: inputs are the signal, a window [W], the size of a
/// frame and the step between two of them. The window has zeros on both sides where it is shorter than a frame. The
/// output is [B, bins, frames, 2] (or without B) if `transpose_frames`, else [B, frames, bins, 2]: frames =
/// (S - frame size) / step + 1, bins = frame size / 2 + 1, complex numbers last.
struct STFT {
  static constexpr OpId id{"STFT", 15};
  bool transpose_frames = false;
  static constexpr auto attributes = Attributes{attr("transpose_frames", &STFT::transpose_frames)};
  static constexpr OpTraits traits{.shape_inputs = 0b1100};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// The inverse of STFT: complex numbers [B, bins, frames, 2] (or without B), window, frame size, step -> signal [B, S]
/// (or [S]): overlapping frames are added up and divided by the sum of the squares of their windows. S is
/// (frames - 1) * step + frame size, or without the frame size if `center`, which drops half a frame at the beginning;
/// or input 4. `normalized`: the numbers were divided by the root of the frame size.
struct ISTFT {
  static constexpr OpId id{"ISTFT", 16};
  bool center = false;
  bool normalized = false;
  static constexpr auto attributes = Attributes{attr("center", &ISTFT::center), attr("normalized", &ISTFT::normalized)};
  static constexpr OpTraits traits{.shape_inputs = 0b11100};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
