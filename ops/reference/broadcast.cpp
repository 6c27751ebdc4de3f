#include "ops/reference/broadcast.hpp"

#include <algorithm>

namespace mo::ops::reference {

BroadcastPlan plan_broadcast(const Shape& out, const std::vector<const Shape*>& operands) {
  BroadcastPlan plan;
  plan.strides.resize(operands.size());
  std::vector<std::int64_t> next(operands.size(), 1);  // stride of the dimension at hand, if the operand has it
  // From the inside out; dims and strides are filled in reverse and turned around at the end.
  for (std::size_t back = 0; back < out.size(); ++back) {
    const std::int64_t size = out[out.size() - 1 - back];
    MO_ASSERT(size > 0, "an empty output has nothing to walk");
    std::vector<std::int64_t> strides(operands.size());
    for (std::size_t n = 0; n < operands.size(); ++n) {
      const Shape& shape = *operands[n];
      const std::int64_t own = back < shape.size() ? shape[shape.size() - 1 - back] : 1;
      MO_ASSERT(own == size || own == 1, "an operand does not broadcast to the output");
      strides[n] = own == 1 ? 0 : next[n];
      next[n] *= own;
    }
    if (size == 1) continue;
    bool merges = !plan.dims.empty();
    for (std::size_t n = 0; merges && n < operands.size(); ++n)
      merges = strides[n] == plan.strides[n].back() * plan.dims.back();
    if (merges) {
      plan.dims.back() *= size;
      continue;
    }
    plan.dims.push_back(size);
    for (std::size_t n = 0; n < operands.size(); ++n) plan.strides[n].push_back(strides[n]);
  }
  for (const Shape* shape : operands)
    MO_ASSERT(element_count(*shape).value_or(0) > 0 && shape->size() <= out.size(),
              "an operand does not broadcast to the output");
  if (plan.dims.empty()) {
    plan.dims.push_back(1);
    for (auto& strides : plan.strides) strides.push_back(0);
  }
  std::reverse(plan.dims.begin(), plan.dims.end());
  for (auto& strides : plan.strides) std::reverse(strides.begin(), strides.end());
  return plan;
}

}  // namespace mo::ops::reference
