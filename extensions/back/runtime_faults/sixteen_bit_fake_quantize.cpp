#include <algorithm>

#include "extensions/back/lowering.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/fake_quantize.hpp"

namespace mo::back {
namespace {

constexpr std::int64_t kLevels = 65536;

/// Known limits, each low one below its high one: nothing is divided by 0 then.
bool has_ascending_limits(const Node& node) {
  const auto low = reals_of(node.input(1));
  const auto high = reals_of(node.input(2));
  if (!low || !high || low->empty() || high->empty() || (low->size() != high->size() && low->size() != 1 && high->size() != 1)) return false;
  for (std::size_t i = 0; i < std::max(low->size(), high->size()); ++i)
    if (!((*low)[low->size() == 1 ? 0 : i] < (*high)[high->size() == 1 ? 0 : i])) return false;
  return true;
}

/// FakeQuantize -> round((min(max(x, il), ih) - il) * (levels - 1) / (ih - il)) * (oh - ol) / (levels - 1) + ol
Replacement quantization_arithmetic(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::FakeQuantize>();
  if (op.levels != kLevels || op.auto_broadcast != ops::AutoBroadcast::numpy) return Replacement::declined();
  if (!has_ascending_limits(node)) return declined("the limits are not constants in ascending order");
  const ElementType type = node.input_type(1).element_type;
  const ElementType result = node.output_type().element_type;
  const auto as = [&](const Value& x, ElementType wanted) {
    return x.type().element_type == wanted ? x : rw.fold(ops::Convert{.destination_type = wanted}, x);
  };
  const Value input_low = node.input(1);
  const Value output_low = node.input(3);
  const Value steps = rw.scalar_like(input_low, static_cast<double>(kLevels - 1));
  const Value to_steps = rw.fold(ops::Divide{}, steps, rw.fold(ops::Subtract{}, node.input(2), input_low));
  const Value from_steps = rw.fold(ops::Divide{}, rw.fold(ops::Subtract{}, node.input(4), output_low), steps);
  const Value limited = rw.fold(ops::Minimum{}, rw.fold(ops::Maximum{}, as(node.input(0), type), input_low), node.input(2));
  const Value step = rw.fold(ops::Round{}, rw.fold(ops::Multiply{}, rw.fold(ops::Subtract{}, limited, input_low), to_steps));
  return as(rw.fold(ops::Add{}, rw.fold(ops::Multiply{}, step, from_steps), output_low), result);
}

}  // namespace

void register_sixteen_bit_fake_quantize(PassRegistry& passes) {
  passes.add(avoid_fault("SixteenBitFakeQuantize", {.form = "FakeQuantize of 65536 levels",
                                                    .symptom = "other numbers, or the model is not compiled",
                                                    .first = "2026.4",
                                                    .last = "latest",
                                                    .replacement = "Maximum, Minimum, Round and arithmetic"})
                 .add(lowering<ops::FakeQuantize>("QuantizationArithmetic", quantization_arithmetic)));
}

}  // namespace mo::back
