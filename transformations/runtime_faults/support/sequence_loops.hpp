#pragma once

#include "core/rewrite.hpp"
#include "ops/support/recurrent.hpp"

namespace mo::transformations {

/// RNNSequence, GRUSequence or LSTMSequence-5 as a TensorIterator over `cell` for each direction, which keeps the
/// states after the end of a sequence. `ends_early`: sequences may have fewer steps than there are. Declines data of
/// unknown rank.
Replacement sequence_as_loops(const Node& sequence, const Op& cell, ops::RecurrentDirection direction, bool ends_early,
                              Rewriter& rw);

}  // namespace mo::transformations
