#include "ops/fourier.hpp"
#include "transformations/support/fourier_products.hpp"

namespace mo::transformations {

void register_real_fourier_of_computed_shape(PassRegistry& passes) {
  passes.add(avoid_transforms<ops::RDFT, ops::IRDFT>(
      "RealFourierOfComputedShape",
      {.form = "RDFT and IRDFT of data with known sizes, along computed axes or of computed lengths",
       .symptom = "not compiled",
       .first = "2022.3",
       .last = "latest",
       .replacement = "MatMul with computed matrices, the identity where a dimension is none of the axes"},
      [](const Node& node) { return node.input_type(0).shape.is_static() && !has_known_sizes(node); }));
}

}  // namespace mo::transformations
