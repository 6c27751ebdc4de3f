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

}  // namespace

void register_infinite_padding_of_bfloat16(PassRegistry& passes) {
  passes.add(
      avoid_fault("InfinitePaddingOfBfloat16", {.form = "Pad of bf16 with infinity or NaN",
                                                .symptom = "the largest finite number in its place; in 2023.3 with "
                                                           "AVX-512 not compiled, in later releases right with it",
                                                .first = "2021.4",
                                                .last = "latest",
                                                .replacement = "Pad of f32"})
          .add(lowering<ops::v1::Pad>("Pad-1", padded_in_f32<ops::v1::Pad>))
          .add(lowering<ops::v12::Pad>("Pad-12", padded_in_f32<ops::v12::Pad>)));
}

}  // namespace mo::transformations
