#include "core/graph/values.hpp"
#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "transformations/support/slice_plans.hpp"

namespace mo::transformations {
namespace {

bool take_the_same(const Node& a, const Node& b) {
  const auto first = slice_plan(a);
  if (first && first == slice_plan(b)) return true;
  if (!same_attributes(a.op_type(), a.payload(), b.payload()) || a.in_port_count() != b.in_port_count()) return false;
  for (std::size_t i = 1; i < a.in_port_count(); ++i) {
    if (a.input(i) == b.input(i)) continue;
    const auto left = constant_integers_of(a.input(i));
    if (!left || left != constant_integers_of(b.input(i))) return false;
  }
  return true;
}

}  // namespace

void register_shared_strided_slice_eraser(PassRegistry& passes) {
  passes.offer(graph_pass("SharedStridedSliceEraser")
                   .described("several StridedSlice(x) that take the same", "the first one", "constant bounds")
                   .asks_nodes()
                   .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                     MO_ASSIGN(const auto groups, slices_by_source(graph));
                     Rewriter rw(graph);
                     for (const std::vector<Node>& group : groups)
                       for (std::size_t i = 1; i < group.size(); ++i)
                         for (std::size_t first = 0; first < i && group[i].alive(); ++first) {
                           if (!group[first].alive() || !take_the_same(group[first], group[i]) ||
                               context.skips(group[i]))
                             continue;
                           if (const Replacement same = bypass(group[i], group[first].output()); !same.is_declined())
                             rw.replace(group[i], same.outputs());
                         }
                     if (rw.error()) return Error(*rw.error());
                     return rw.has_changed();
                   }));
}

}  // namespace mo::transformations
