#include <algorithm>

#include "core/graph/values.hpp"
#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "core/tensor/convert.hpp"
#include "ops/broadcast.hpp"
#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "ops/gather.hpp"
#include "ops/range.hpp"
#include "ops/select.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::transformations {
namespace {

/// The only dimension above 1.
std::optional<std::size_t> long_axis(const Shape& shape) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

bool counts_up(const Tensor& tensor) {
  // Shorter ones are more likely something else, longer ones a table.
  constexpr std::int64_t kShort = 5;
  constexpr std::int64_t kLong = 500;
  if (tensor.element_count() <= kShort || tensor.element_count() >= kLong) return false;
  const auto numbers = to_integers(tensor);
  if (!numbers) return false;
  for (std::size_t i = 0; i < numbers->size(); ++i)
    if ((*numbers)[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}

Expected<Value> number(Rewriter& rw, ElementType type, std::int64_t value) {
  MO_ASSIGN(Tensor tensor, from_integers(type, {}, {value}));
  return rw.constant(std::move(tensor));
}

/// 0, 1, … as many as dimension `place` (from the back) of `target` says, or `count` when that is 1: the constant is as
/// long as it is then.
Expected<Value> range(Rewriter& rw, const Value& target, std::int64_t place, ElementType type, std::int64_t count) {
  const Value length = rw.create(ops::v8::Gather{}, target, rw.scalar(place), rw.scalar<std::int32_t>(0));
  MO_ASSIGN(const Value one, number(rw, target.type().element_type, 1));
  MO_ASSIGN(const Value own, number(rw, type, count));
  MO_ASSIGN(const Value zero, number(rw, type, 0));
  MO_ASSIGN(const Value step, number(rw, type, 1));
  const Value converted =
      target.type().element_type == type ? length : rw.create(ops::Convert{.destination_type = type}, length);
  const Value end = rw.create(ops::Select{}, rw.create(ops::Equal{}, length, one), own, converted);
  return rw.create(ops::v4::Range{.output_type = type}, zero, end, step);
}

}  // namespace

void register_broadcast_const_range_replacement(PassRegistry& passes) {
  using namespace pattern;
  const Pat data = constant();
  const Pat target = any();
  const Pat broadcast = op<ops::v3::Broadcast>(data, target);
  passes.offer(rewrite("BroadcastConstRangeReplacement")
                   .described("Broadcast([0, 1, …, n - 1], shape)", "Broadcast(Range(0, a dimension of shape), shape)",
                              "bidirectional; i32 or i64, one dimension above 1, 5 < n < 500: what was as long as an "
                              "input grows with it")
                   .match(broadcast)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.node(broadcast);
                     if (node.as<ops::v3::Broadcast>()->mode != ops::v3::BroadcastMode::bidirectional)
                       return declined("not bidirectional");
                     const Tensor& tensor = m.node(data).as<Const>()->value;
                     const ElementType type = tensor.element_type();
                     const auto axis = long_axis(tensor.shape());
                     if ((type != ElementType::i32 && type != ElementType::i64) || !axis || !counts_up(tensor))
                       return declined("the constant is not such a range");
                     const std::int64_t place = static_cast<std::int64_t>(*axis) - tensor.rank();
                     auto made = range(rw, m[target], place, type, tensor.element_count());
                     if (!made) return std::move(made).error();
                     std::vector<std::int64_t> others;
                     for (std::int64_t i = 0; i < tensor.rank(); ++i)
                       if (i != static_cast<std::int64_t>(*axis)) others.push_back(i);
                     rw.set_input(node, 0,
                                  others.empty() ? *made : rw.create(ops::Unsqueeze{}, *made, rw.integers(others)));
                     return changed_in_place(node);
                   }));
}

}  // namespace mo::transformations
