#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// The best class of each step of data [T, N, C], without blanks (class C-1) and repetitions, while the mask [T, N] is
/// not 0. Gives [N, T, 1, 1], filled with -1.
struct CTCGreedyDecoder {
  static constexpr OpId id{"CTCGreedyDecoder", 0};
  bool ctc_merge_repeated = true;
  static constexpr auto attributes = Attributes{attr("ctc_merge_repeated", &CTCGreedyDecoder::ctc_merge_repeated)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// The best class of each step of data [N, T, C], as far as the lengths [N] go; the optional input 2 is the blank class
/// (C-1). Gives classes [N, T], filled with -1, and their numbers [N].
struct CTCGreedyDecoderSeqLen {
  static constexpr OpId id{"CTCGreedyDecoderSeqLen", 6};
  static constexpr OpTraits traits{.outputs = 2};
  bool merge_repeated = true;
  ElementType classes_index_type = ElementType::i32;
  ElementType sequence_length_type = ElementType::i32;
  static constexpr auto attributes =
      Attributes{attr("merge_repeated", &CTCGreedyDecoderSeqLen::merge_repeated),
                 attr("classes_index_type", &CTCGreedyDecoderSeqLen::classes_index_type),
                 attr("sequence_length_type", &CTCGreedyDecoderSeqLen::sequence_length_type)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
