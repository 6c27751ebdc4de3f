#include <numbers>

#include "extensions/library/support/fusing.hpp"
#include "ops/activations.hpp"

namespace mo::library::fusions {

void register_gelu_fusion(PassLibrary& library) {
  using namespace pattern;
  const Pat x = any();
  const Pat half = number(0.5);
  const Pat sum = op<ops::Erf>(any_of(x / number(std::numbers::sqrt2), x * number(1 / std::numbers::sqrt2))) + number(1);
  const auto add = [&](const char* name, const Pat& root, const char* before) {
    library.add(activation_fusion(name, root, x, ops::v7::Gelu{.approximation_mode = ops::GeluMode::erf}, before, "Gelu(x) by erf"));
  };
  add("GeluFusionWithErfOne", (x * half) * sum, "(x * 0.5) * (1 + erf(x / sqrt(2)))");
  add("GeluFusionWithErfTwo", (x * sum) * half, "(x * (1 + erf(x / sqrt(2)))) * 0.5");
  add("GeluFusionWithErfThree", x * (sum * half), "x * ((1 + erf(x / sqrt(2))) * 0.5)");
  library.add(pipeline("GeluFusion")
                  .described("x * (1 + erf(x / sqrt(2))) / 2 in its spellings", "Gelu(x) by erf")
                  .group("GeluFusion", {"GeluFusionWithErfOne", "GeluFusionWithErfTwo", "GeluFusionWithErfThree"}));
}

}  // namespace mo::library::fusions
