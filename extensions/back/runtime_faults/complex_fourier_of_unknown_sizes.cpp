#include "extensions/back/lowering.hpp"
#include "extensions/back/support/fourier_matrix.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "ops/fourier.hpp"

namespace mo::back {

void register_complex_fourier_of_unknown_sizes(PassRegistry& passes) {
  passes.add(avoid_fault("ComplexFourierOfUnknownSizes", {.form = "DFT and IDFT of data with unknown sizes, along axes of known size",
                                                          .symptom = "not compiled",
                                                          .first = "2022.1",
                                                          .last = "2024.6",
                                                          .replacement = "MatMul with constants"})
                 .add(lowering<ops::DFT>("DFT", fourier_by_matrices))
                 .add(lowering<ops::IDFT>("IDFT", fourier_by_matrices)));
}

}  // namespace mo::back
