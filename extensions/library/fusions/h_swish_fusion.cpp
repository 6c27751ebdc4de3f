#include "extensions/library/support/fusing.hpp"

namespace mo::library::fusions {

void register_h_swish_fusion(PassLibrary& library) {
  using namespace pattern;
  const Pat x = any();
  const Pat shifted = x + number(3);
  const Pat product = x * min(relu(shifted), number(6));
  const auto add = [&](const char* name, const Pat& root, const char* before) {
    library.add(activation_fusion(name, root, x, ops::HSwish{}, before, "HSwish(x)"));
  };
  add("HSwishFusionWithReluDiv", product / number(6), "x * min(relu(x + 3), 6) / 6");
  add("HSwishFusionWithReluMul", product * number(1.0 / 6), "x * min(relu(x + 3), 6) * (1 / 6)");
  add("HSwishFusionWithHSigmoid", x * op<ops::HSigmoid>(x).one_use(), "x * HSigmoid(x)");
  library.add(rewrite("HSwishFusionWithClamp")
                  .described("x * clamp(x + 3, 0, 6)", "HSwish(x) * 6", "x is real; the constant does not change its shape")
                  .match(x * clamp(shifted, 0, 6))
                  .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                    if (!is_real(m[x].type().element_type) || !can_stand_for(m.root(), m[x]))
                      return declined("x is not real, or the constant changes its shape");
                    return rw.create(ops::Multiply{}, rw.create(ops::HSwish{}, m[x]), rw.scalar_like(m[x], 6));
                  }));
  library.add(
      pipeline("HSwishFusion")
          .described("x * relu6(x + 3) / 6 in its spellings", "HSwish(x)")
          .group("HSwishFusion", {"HSwishFusionWithReluDiv", "HSwishFusionWithReluMul", "HSwishFusionWithHSigmoid", "HSwishFusionWithClamp"}));
}

}  // namespace mo::library::fusions
