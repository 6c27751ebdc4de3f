#include "extensions/library/support/fusing.hpp"

namespace mo::library::fusions {

void register_h_sigmoid_fusion(PassLibrary& library) {
  using namespace pattern;
  const Pat x = any();
  const Pat shifted = x + number(3);
  const Pat limited = min(relu(shifted), number(6));
  const auto add = [&](const char* name, const Pat& root, const char* before) {
    library.add(activation_fusion(name, root, x, ops::HSigmoid{}, before, "HSigmoid(x)"));
  };
  add("HSigmoidFusionWithReluDiv", limited / number(6), "min(relu(x + 3), 6) / 6");
  add("HSigmoidFusionWithReluMul", limited * number(1.0 / 6), "min(relu(x + 3), 6) * (1 / 6)");
  add("HSigmoidFusionWithoutRelu", min(max(shifted, number(0)), number(6)) / number(6), "min(max(x + 3, 0), 6) / 6");
  add("HSigmoidFusionWithClampMul", clamp(shifted, 0, 6) * number(1.0 / 6), "clamp(x + 3, 0, 6) * (1 / 6)");
  add("HSigmoidFusionWithClampDiv", clamp(shifted, 0, 6) / number(6), "clamp(x + 3, 0, 6) / 6");
  library.add(pipeline("HSigmoidFusion")
                  .described("relu6(x + 3) / 6 in its spellings", "HSigmoid(x)")
                  .group("HSigmoidFusion", {"HSigmoidFusionWithReluDiv", "HSigmoidFusionWithReluMul", "HSigmoidFusionWithoutRelu",
                                            "HSigmoidFusionWithClampMul", "HSigmoidFusionWithClampDiv"}));
}

}  // namespace mo::library::fusions
