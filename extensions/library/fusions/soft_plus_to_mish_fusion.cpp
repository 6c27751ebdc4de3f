#include "extensions/library/support/fusing.hpp"

namespace mo::library::fusions {

void register_soft_plus_to_mish_fusion(PassLibrary& library) {
  using namespace pattern;
  const Pat x = any();
  const Pat root = x * tanh(op<ops::SoftPlus>(x).one_use()).one_use();
  library.add(activation_fusion("SoftPlusToMishFusion", root, x, ops::Mish{}, "x * tanh(SoftPlus(x))", "Mish(x)"));
}

}  // namespace mo::library::fusions
