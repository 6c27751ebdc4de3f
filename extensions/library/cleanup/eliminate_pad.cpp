#include <algorithm>

#include "core/graph/values.hpp"
#include "core/pass/elimination.hpp"
#include "core/pass/library.hpp"
#include "ops/pad.hpp"

namespace mo::library::cleanup {
namespace {

bool is_zero(const Value& pads) {
  const auto numbers = integers_of(pads);
  return numbers && std::all_of(numbers->begin(), numbers->end(), [](std::int64_t v) { return v == 0; });
}

}  // namespace

void register_eliminate_pad(PassLibrary& library) {
  const Pat pad = pattern::any_op<ops::v1::Pad, ops::v12::Pad>();
  library.add(rewrite("EliminatePad")
                  .described("Pad(x, 0, 0)", "x")
                  .match(pad)
                  .replace([=](const Match& m, Rewriter&) -> Replacement {
                    const Node node = m.node(pad);
                    if (!is_zero(node.input(1)) || !is_zero(node.input(2)))
                      return declined("it pads, or that is unknown");
                    return bypass(node, node.input(0));
                  }));
}

}  // namespace mo::library::cleanup
