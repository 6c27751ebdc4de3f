#include <algorithm>

#include "core/graph/values.hpp"
#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/pad.hpp"

namespace mo::transformations {
namespace {

bool pads_nothing_by(const Value& pads) {
  const auto numbers = integers_of(pads);
  return numbers && std::all_of(numbers->begin(), numbers->end(), [](std::int64_t v) { return v == 0; });
}

}  // namespace

void register_eliminate_pad(PassRegistry& passes) {
  const Pat pad = pattern::any_op<ops::v1::Pad, ops::v12::Pad>();
  passes.offer(rewrite("EliminatePad")
                   .described("Pad(x, 0, 0)", "x")
                   .match(pad)
                   .replace([=](const Match& m, Rewriter&) -> Replacement {
                     const Node node = m.node(pad);
                     if (!pads_nothing_by(node.input(1)) || !pads_nothing_by(node.input(2)))
                       return declined("it pads, or that is unknown");
                     return bypass(node, node.input(0));
                   }));
}

}  // namespace mo::transformations
