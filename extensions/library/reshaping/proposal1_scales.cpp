#include "extensions/library/support/proposal_scales.hpp"

namespace mo::library::reshaping {

void register_proposal1_scales(PassLibrary& library) {
  library.add(first_scales_only<ops::v0::Proposal>("Proposal1Scales"));
}

}  // namespace mo::library::reshaping
