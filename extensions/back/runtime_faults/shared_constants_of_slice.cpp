#include "extensions/back/lowering.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "ops/slice.hpp"

namespace mo::back {
namespace {

/// Slice(x, bounds, step, axes) with constants that nothing else reads.
Replacement slice(const Node& node, Rewriter& rw) {
  std::vector<Value> inputs;
  bool is_computed = false;
  bool is_shared = false;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) {
    Value input = node.input(i);
    const Const* const constant = i > 0 && input ? input.node().as<Const>() : nullptr;
    is_computed = is_computed || (i > 0 && input && !constant);
    if (constant && input.get_destinations().size() > 1) {
      input = rw.constant(constant->value);
      is_shared = true;
    }
    inputs.push_back(input);
  }
  if (!is_computed || !is_shared) return Replacement::declined();
  return rw.create(*node.as<ops::Slice>(), inputs);
}

}  // namespace

void register_shared_constants_of_slice(PassRegistry& passes) {
  passes.add(avoid_fault("SharedConstantsOfSlice", {.form = "Slice with a computed bound, and a constant input that another node reads",
                                                    .symptom = "not read: bad_weak_ptr",
                                                    .first = "2022.1",
                                                    .last = "2022.1",
                                                    .replacement = "Slice with constants of its own"})
                 .add(lowering<ops::Slice>("Slice", slice)));
}

}  // namespace mo::back
