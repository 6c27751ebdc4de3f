#include "ops/fourier.hpp"
#include "transformations/support/fourier_products.hpp"

namespace mo::transformations {

void register_complex_fourier_of_unknown_sizes(PassRegistry& passes) {
  passes.add(avoid_transforms<ops::DFT, ops::IDFT>(
      "ComplexFourierOfUnknownSizes",
      {.form = "DFT and IDFT of data with unknown sizes, of computed lengths or along computed axes",
       .symptom = "not compiled; wrong values along computed axes",
       .first = "2022.1",
       .last = "2024.6",
       .replacement = "MatMul with matrices, which are computed where sizes or axes are"},
      [](const Node& node) { return !has_known_sizes(node) || !has_known_axes(node); }));
}

}  // namespace mo::transformations
