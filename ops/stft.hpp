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
  static constexpr auto attributes = std::tuple{attr("transpose_frames", &STFT::transpose_frames)};
  static constexpr OpTraits traits{.shape_inputs = 0b1100};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
