#include "transformations/reshaping/support/reshape_before_mat_mul.hpp"

namespace mo::transformations {

void register_reshape_a_mat_mul(PassRegistry& passes) { passes.offer(reshape_by_other_input("ReshapeAMatMul", 0)); }

}  // namespace mo::transformations
