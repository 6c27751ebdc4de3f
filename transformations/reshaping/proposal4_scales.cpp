#include "transformations/reshaping/support/proposal_scales.hpp"

namespace mo::transformations {

void register_proposal4_scales(PassRegistry& passes) {
  passes.offer(first_scales_only<ops::v4::Proposal>("Proposal4Scales"));
}

}  // namespace mo::transformations
