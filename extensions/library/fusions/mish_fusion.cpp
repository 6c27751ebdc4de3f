#include "extensions/library/support/fusing.hpp"

namespace mo::library::fusions {

void register_mish_fusion(PassLibrary& library) {
  using namespace pattern;
  const Pat x = any();
  const Pat root = x * tanh(op<ops::Log>(exp(x) + number(1)));
  library.add(activation_fusion("MishFusion", root, x, ops::Mish{}, "x * tanh(log(exp(x) + 1))", "Mish(x)"));
}

}  // namespace mo::library::fusions
