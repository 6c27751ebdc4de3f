#include <algorithm>

#include "core/graph/values.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/build/term.hpp"
#include "ops/fake_quantize.hpp"
#include "transformations/support/matching.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {
namespace {

/// Everywhere, after broadcasting; both are constants.
bool is_below(Rewriter& rw, const Value& low, const Value& high) {
  const auto known = rw.fold(ops::Less{}, low, high).data();
  if (!known.value()) return false;
  const auto holds = to_integers(*known.value());
  return holds && std::all_of(holds->begin(), holds->end(), [](std::int64_t truth) { return truth != 0; });
}

}  // namespace

void register_fake_quantize_decomposition(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat limits[] = {constant(), constant(), constant(), constant()};
  passes.offer(rewrite("FakeQuantizeDecomposition")
                   .described("FakeQuantize(x, il, ih, ol, oh)",
                              "Round(Minimum(Maximum(x, il), ih) * s - il * s) * ((oh - ol) / (levels - 1)) + ol, s = "
                              "(levels - 1) / (ih - il)",
                              "the limits are constants, il < ih everywhere, numpy broadcasting; x is converted when "
                              "the limits have another type")
                   .match(op<ops::FakeQuantize>(x, limits[0], limits[1], limits[2], limits[3]))
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     using namespace build;
                     const auto& op = *m.root().node().as<ops::FakeQuantize>();
                     if (op.auto_broadcast != ops::AutoBroadcast::numpy) return declined("no numpy broadcasting");
                     const ElementType type = m[limits[0]].type().element_type;
                     for (const Pat& limit : limits)
                       if (m[limit].type().element_type != type) return declined("the limits have several types");
                     if (op.levels < 2 || !is_below(rw, m[limits[0]], m[limits[1]]))
                       return declined("the range is empty somewhere");
                     const Term input_low = term(rw, m[limits[0]]);
                     const Term input_high = term(rw, m[limits[1]]);
                     const Term output_low = term(rw, m[limits[2]]);
                     const Term data = term(rw, m[x]);
                     const Term steps = input_low.number(static_cast<double>(op.levels - 1));
                     const Term inside = smaller(larger(data.as(type), input_low), input_high);
                     const Term scale = steps / (input_high - input_low);
                     const Term rounded = (inside * scale - input_low * scale).apply(ops::Round{});
                     const Term step = (term(rw, m[limits[3]]) - output_low) / steps;
                     return (rounded * step + output_low).as(data.type()).value();
                   }));
}

}  // namespace mo::transformations
