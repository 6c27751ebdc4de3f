#include "extensions/library/support/reshape_before_mat_mul.hpp"

namespace mo::library::reshaping {

void register_reshape_b_mat_mul(PassLibrary& library) { library.add(reshape_by_other_input("ReshapeBMatMul", 1)); }

}  // namespace mo::library::reshaping
