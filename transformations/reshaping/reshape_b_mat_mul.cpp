#include "transformations/reshaping/support/reshape_before_mat_mul.hpp"

namespace mo::transformations {

void register_reshape_b_mat_mul(PassRegistry& passes) { passes.offer(reshape_by_other_input("ReshapeBMatMul", 1)); }

}  // namespace mo::transformations
