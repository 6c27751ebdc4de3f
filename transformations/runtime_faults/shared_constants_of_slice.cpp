#include "ops/range.hpp"
#include "ops/slice.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// `op` on the inputs of `node`, with constants of its own from input `first_bound` on, where another of these inputs
/// is computed.
Replacement with_own_constants(const Node& node, Rewriter& rw, Op op, std::size_t first_bound) {
  std::vector<Value> inputs;
  bool is_computed = false;
  bool is_shared = false;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) {
    Value input = node.input(i);
    const Const* const constant = i >= first_bound && input ? input.node().as<Const>() : nullptr;
    is_computed = is_computed || (i >= first_bound && input && !constant);
    if (constant && input.get_destinations().size() > 1) {
      input = rw.constant(constant->value);
      is_shared = true;
    }
    inputs.push_back(input);
  }
  if (!is_computed) return declined("all bounds are constants");
  if (!is_shared) return declined("nothing else reads its constants");
  return rw.create(std::move(op), inputs);
}

Replacement slice(const Node& node, Rewriter& rw) { return with_own_constants(node, rw, *node.as<ops::Slice>(), 1); }
Replacement range(const Node& node, Rewriter& rw) { return with_own_constants(node, rw, *node.as<ops::Range>(), 0); }

}  // namespace

void register_shared_constants_of_slice(PassRegistry& passes) {
  passes.add(avoid_fault("SharedConstantsOfSlice",
                         {.form = "Slice or Range with a computed bound, and a constant input that another node reads",
                          .symptom = "not read: bad_weak_ptr",
                          .first = "2022.1",
                          .last = "2022.1",
                          .replacement = "Slice or Range with constants of its own"})
                 .add(lowering<ops::Slice>("Slice", slice))
                 .add(lowering<ops::Range>("Range", range)));
}

}  // namespace mo::transformations
