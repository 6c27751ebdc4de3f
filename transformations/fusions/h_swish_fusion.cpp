#include <algorithm>
#include <cmath>

#include "ops/elementwise_binary.hpp"
#include "transformations/fusions/support/activation_rule.hpp"
#include "transformations/fusions/support/hard_sigmoid.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

/// The root of rules that see a sixth at any of its places: of the product, of relu6, of x.
Pat product_with_sixth(const Pat& x, const Pat& relu6, Pat (*sixth)(const Pat&)) {
  return any_of(sixth(x * relu6), x * sixth(relu6), sixth(x) * relu6);
}
Pat divided_by_six(const Pat& e) { return e / number(6); }
Pat times_a_sixth(const Pat& e) { return e * number(1.0 / 6); }

/// A reader takes a sixth of `product`: there the rest of an HSwish is.
bool has_its_sixth(const Value& product) {
  const std::vector<InPort> readers = product.get_destinations();
  return std::any_of(readers.begin(), readers.end(), [](const InPort& reader) {
    const Node node = reader.node();
    const auto other = node.in_port_count() == 2 ? number_of(node.input(1 - reader.index())) : std::nullopt;
    if (!other) return false;
    return (node.is<ops::Divide>() && reader.index() == 0 && *other == 6) ||
           (node.is<ops::Multiply>() && std::abs(*other * 6 - 1) <= 1e-5);
  });
}

/// x * clamp(x + 3, 0, 6) without the sixth, which may have gone into weights.
RewriteRule six_times() {
  const Pat x = any();
  return rewrite("HSwishFusionWithClamp")
      .match(x * shifted_clamp(x))
      .rule([=](const Match& m, Rewriter& rw) -> Replacement {
        if (!is_activation_of(m, m[x])) return declined_activation();
        if (has_its_sixth(m.root())) return declined("a sixth of it is an HSwish");
        return rw.create(ops::Multiply{}, rw.create(ops::HSwish{}, m[x]), rw.scalar_like(m[x], 6));
      });
}

}  // namespace

/// x * relu6(x + 3) / 6 -> HSwish(x)
void register_h_swish_fusion(PassRegistry& passes) {
  const Pat x = any();
  const Pat relu6 = any_of(shifted_relu6(x), shifted_limits(x));
  const auto rule = [&](const char* name, const Pat& root) { return activation_rule(name, root, x, ops::HSwish{}); };
  passes.add(graph_rewrite("HSwishFusion")
                 .described("x * relu6(x + 3) / 6 in its spellings", "HSwish(x)",
                            "x is real; intermediate results have no other readers; the constants do not change its "
                            "shape; x * clamp(x + 3, 0, 6) alone is HSwish(x) * 6")
                 .run_after({"CommonSubexpressions"})
                 .run_before({"LinearOperationFusion"})
                 .add(rule("HSwishFusionWithReluDiv", product_with_sixth(x, relu6, &divided_by_six)))
                 .add(rule("HSwishFusionWithReluMul", product_with_sixth(x, relu6, &times_a_sixth)))
                 .add(rule("HSwishFusionWithHSigmoid", x * op<ops::HSigmoid>(x).one_use()))
                 .add(rule("HSwishFusionWithClampDiv", product_with_sixth(x, shifted_clamp(x), &divided_by_six)))
                 .add(rule("HSwishFusionWithClampMul", product_with_sixth(x, shifted_clamp(x), &times_a_sixth)))
                 .add(six_times()));
}

}  // namespace mo::transformations
