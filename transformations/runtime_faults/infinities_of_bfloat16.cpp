#include <algorithm>
#include <cmath>

#include "ops/convert.hpp"
#include "ops/pad.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

template <class Pad>
Replacement padded_in_f32(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<Pad>();
  if (node.input_type(0).element_type != ElementType::bf16) return declined("not bf16");
  if (op.pad_mode != ops::PadMode::constant || node.in_port_count() < 4 || !node.input(3))
    return declined("the padding is not a number");
  if (const auto padding = single_real_of(node.input(3)); padding && std::isfinite(*padding))
    return declined("the padding is finite");
  const ops::Convert widen{.destination_type = ElementType::f32};
  const Value padded =
      rw.create(op, rw.fold(widen, node.input(0)), node.input(1), node.input(2), rw.fold(widen, node.input(3)));
  return rw.create(ops::Convert{.destination_type = ElementType::bf16}, padded);
}

bool is_infinite_constant(const Value& value) {
  const auto numbers = value.node().is<Const>() ? reals_of(value) : std::nullopt;
  return numbers && !std::all_of(numbers->begin(), numbers->end(), [](double number) { return std::isfinite(number); });
}

/// Otherwise each node is asked without effect.
bool may_hold_infinities(const Graph& graph, const PassContext&) {
  if (graph.has_op("Pad")) return true;
  for (const auto& [node, constant] : graph.each<Const>())
    if (constant.value.element_type() == ElementType::bf16) return true;
  return false;
}

/// Arithmetic, selections and comparisons with a constant that has such a number.
Replacement computed_in_f32(const Match& m, Rewriter& rw, PassContext&) {
  const Node node = m.root().node();
  if (!node.op_type().traits.elementwise || node.is<ops::Convert>() || node.out_port_count() != 1)
    return declined("not elementwise");
  std::vector<Value> inputs;
  bool has_infinity = false;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) {
    inputs.push_back(node.input(i));
    if (!inputs.back() || inputs.back().type().element_type != ElementType::bf16) continue;
    has_infinity = has_infinity || is_infinite_constant(inputs.back());
    inputs.back() = rw.fold(ops::Convert{.destination_type = ElementType::f32}, inputs.back());
  }
  if (!has_infinity) return declined("no infinite constant of bf16");
  const Value made = rw.copy_with_new_inputs(node, inputs).output();
  if (node.output_type().element_type != ElementType::bf16) return made;
  return rw.create(ops::Convert{.destination_type = ElementType::bf16}, made);
}

}  // namespace

void register_infinities_of_bfloat16(PassRegistry& passes) {
  passes.add(avoid_fault("InfinitiesOfBfloat16",
                         {.form = "Pad of bf16 with infinity or NaN, and elementwise ops with such constants",
                          .symptom = "the largest finite number in its place; Pad: in 2023.3 with "
                                     "AVX-512 not compiled, in later releases right with it",
                          .first = "2021.4",
                          .last = "latest",
                          .replacement = "the op on f32"})
                 .when(may_hold_infinities)
                 .run_after({"MaximaOfInfinities"})  // which looks for the reduction above a comparison
                 .add(lowering<ops::v1::Pad>("Pad-1", padded_in_f32<ops::v1::Pad>))
                 .add(lowering<ops::v12::Pad>("Pad-12", padded_in_f32<ops::v12::Pad>))
                 .add(RewriteRule("ComputedInF32", {}, std::nullopt, computed_in_f32)));
}

}  // namespace mo::transformations
