#include "ops/fourier.hpp"
#include "transformations/support/fourier_products.hpp"

namespace mo::transformations {

void register_real_fourier_of_unknown_sizes(PassRegistry& passes) {
  passes.add(avoid_transforms<ops::RDFT, ops::IRDFT>(
      "RealFourierOfUnknownSizes",
      {.form = "RDFT and IRDFT of data with unknown sizes or of computed lengths",
       .symptom = "not compiled",
       .first = "2022.3",
       .last = "2022.3",
       .replacement = "MatMul with matrices, which are computed where sizes are"},
      [](const Node& node) { return !has_known_sizes(node); }));
}

}  // namespace mo::transformations
