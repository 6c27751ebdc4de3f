#include "extensions/library/support/reshape_before_mat_mul.hpp"

namespace mo::library::reshaping {

void register_reshape_a_mat_mul(PassLibrary& library) { library.add(reshape_by_other_input("ReshapeAMatMul", 0)); }

}  // namespace mo::library::reshaping
