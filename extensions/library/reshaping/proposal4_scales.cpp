#include "extensions/library/support/proposal_scales.hpp"

namespace mo::library::reshaping {

void register_proposal4_scales(PassLibrary& library) {
  library.add(first_scales_only<ops::v4::Proposal>("Proposal4Scales"));
}

}  // namespace mo::library::reshaping
