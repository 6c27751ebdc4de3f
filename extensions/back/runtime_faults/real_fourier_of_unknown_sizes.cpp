#include "extensions/back/lowering.hpp"
#include "extensions/back/support/fourier_matrix.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "ops/fourier.hpp"

namespace mo::back {

void register_real_fourier_of_unknown_sizes(PassRegistry& passes) {
  passes.add(avoid_fault("RealFourierOfUnknownSizes", {.form = "RDFT and IRDFT of data with unknown sizes, along axes of known size",
                                                       .symptom = "not compiled",
                                                       .first = "2022.3",
                                                       .last = "2022.3",
                                                       .replacement = "MatMul with constants"})
                 .add(lowering<ops::RDFT>("RDFT", fourier_by_matrices))
                 .add(lowering<ops::IRDFT>("IRDFT", fourier_by_matrices)));
}

}  // namespace mo::back
