#include "transformations/reshaping/support/proposal_scales.hpp"

namespace mo::transformations {

void register_proposal1_scales(PassRegistry& passes) {
  passes.offer(first_scales_only<ops::v0::Proposal>("Proposal1Scales"));
}

}  // namespace mo::transformations
