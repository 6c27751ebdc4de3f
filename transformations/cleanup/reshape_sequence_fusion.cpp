#include <algorithm>

#include "core/graph/values.hpp"
#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/reshape.hpp"

namespace mo::transformations {
namespace {

struct ReshapeSequenceFusionSettings {
  bool use_shapes = true;  ///< a chain that ends in the static shape where it began vanishes
  static constexpr auto attributes = Attributes{attr("use_shapes", &ReshapeSequenceFusionSettings::use_shapes)};
};

/// The numbers say the same whatever is reshaped: no 0 that copies, no -1. A number of which nothing is known is a
/// size.
bool stands_alone(const Value& target) {
  if (!target) return false;
  if (target.node().is<Const>()) {
    const auto numbers = integers_of(target);
    return numbers && std::all_of(numbers->begin(), numbers->end(), [](std::int64_t v) { return v > 0; });
  }
  if (const auto numbers = integers_of(target))
    return std::all_of(numbers->begin(), numbers->end(), [](std::int64_t v) { return v > 0; });
  const PartialValue* const partial = target.data().partial_value();
  if (!partial) return false;
  return std::all_of(partial->elements.begin(), partial->elements.end(),
                     [](const Dimension& d) { return d.min() > 0 || (d.min() == 0 && !d.is_bounded()); });
}

bool is_inner(const Value& value) {
  return value.node().is<ops::Reshape>() && value.has_one_destination() && stands_alone(value.node().input(1));
}

}  // namespace

void register_reshape_sequence_fusion(PassRegistry& passes) {
  const Pat reshape = pattern::op<ops::Reshape>();
  passes.offer(
      rewrite("ReshapeSequenceFusion")
          .described(
              "Reshape(Reshape(x, s), t)", "Reshape(x, t), or x",
              "one reader of the inner ones; constant targets above 0, the last one may be computed from unknown sizes")
          .settings<ReshapeSequenceFusionSettings>()
          .match(reshape)
          .replace([=](const Match& m, Rewriter& rw, PassContext& context) -> Replacement {
            const Node node = m.node(reshape);
            Value x = node.input(0);
            if (!stands_alone(node.input(1)) || !is_inner(x) || !x.node().input(1).node().is<Const>())
              return declined("no chain of known targets");
            while (is_inner(x)) x = x.node().input(0);
            const bool same =
                x.type().shape.is_static() && x.type().shape.to_shape() == node.output_type().shape.to_shape();
            if (same && context.settings.get<ReshapeSequenceFusionSettings>().use_shapes)
              if (Replacement gone = bypass(node, x); !gone.is_declined()) return gone;
            rw.set_input(node, 0, x);
            return changed_in_place(node);
          }));
}

}  // namespace mo::transformations
