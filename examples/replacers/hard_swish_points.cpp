#include "core/rewrite.hpp"
#include "extensions/config/config_replacement.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::examples {

/// What lies between the points of hard_swish_points.json -> HSwish
Pass hard_swish_points() {
  return config_replacement("HardSwishPoints").generate([](SubgraphMatch& match, Rewriter& rw) -> Replacement {
    const auto input = match.input(0);
    if (!input) return input.error();
    return rw.create(ops::HSwish{}, *input);
  });
}

}  // namespace mo::examples
