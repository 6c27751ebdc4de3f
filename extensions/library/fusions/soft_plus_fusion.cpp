#include "extensions/library/support/fusing.hpp"

namespace mo::library::fusions {

void register_soft_plus_fusion(PassLibrary& library) {
  using namespace pattern;
  const Pat x = any();
  library.add(activation_fusion("SoftPlusFusion", op<ops::Log>(exp(x) + number(1)), x, ops::SoftPlus{}, "log(exp(x) + 1)", "SoftPlus(x)"));
}

}  // namespace mo::library::fusions
