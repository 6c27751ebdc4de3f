#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Minus the logarithm of the probability that data [N, T, C] (logits) spell the labels [N, T], for each of N
/// sequences. Inputs 1 and 3 [N]: how many steps and how many labels count. Input 4: the blank class, by default C - 1.
struct CTCLoss {
  static constexpr OpId id{"CTCLoss", 4};
  bool preprocess_collapse_repeated = false;  ///< equal neighbours among the labels are one
  bool ctc_merge_repeated = true;             ///< equal neighbours among the steps are one
  bool unique = false;                        ///< of equal labels only the first one counts
  static constexpr auto attributes =
      Attributes{attr("preprocess_collapse_repeated", &CTCLoss::preprocess_collapse_repeated),
                 attr("ctc_merge_repeated", &CTCLoss::ctc_merge_repeated), attr("unique", &CTCLoss::unique)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
