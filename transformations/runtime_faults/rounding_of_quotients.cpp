#include <algorithm>

#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/gather.hpp"
#include "ops/transpose.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/exact_quotient.hpp"
#include "transformations/runtime_faults/support/views.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

bool is_integer_of_16_bits_or_more(ElementType type) {
  using enum ElementType;
  return type == i16 || type == u16 || type == i32 || type == u32 || type == i64 || type == u64;
}

/// Ops with which the plugin does not merge a division.
bool all_readers_are_apart(const Value& quotient) {
  const auto readers = quotient.get_destinations();
  return std::all_of(readers.begin(), readers.end(), [](const InPort& reader) {
    return reader.node().is<Result>() || reader.node().is<ops::Concat>() || reader.node().is<ops::v1::Gather>();
  });
}

/// Ops that only move elements, across which the plugin merges arithmetic.
bool moves_elements(const Node& node) { return is_view(node) || node.is<ops::Transpose>() || node.is("Gather"); }

/// Arithmetic, or a Broadcast that becomes a multiplication by 1.
bool computes(const Node& node) {
  if (const auto* op = node.as<ops::v3::Broadcast>())
    return op->mode == ops::v3::BroadcastMode::bidirectional && !node.output_type().shape.is_static();
  return node.op_type().traits.elementwise && !node.is<ops::Convert>();
}

/// An op computes an operand of the division alone: the plugin merges both.
bool is_merged_with_operand(const Node& division) {
  for (const std::size_t i : {0U, 1U}) {
    Value operand = division.input(i);
    while (operand.has_one_destination() && moves_elements(operand.node())) operand = operand.node().input(0);
    if (operand.has_one_destination() && computes(operand.node())) return true;
  }
  return false;
}

Replacement quotient(const Node& node, Rewriter& rw) {
  if (!is_integer_of_16_bits_or_more(node.input_type(0).element_type))
    return declined("floating-point values, or bytes");
  if (integers_of(node.output())) return declined("the quotient is known, runtimes fold it as well");
  if (all_readers_are_apart(node.output()) && !is_merged_with_operand(node))
    return declined("nothing computes with the quotient, and no arithmetic is before it");
  const Node above = node.input(0).node();
  if (above.is<ops::Subtract>() && (above.input(1).node().is<ops::Mod>() || above.input(1).node().is<ops::FloorMod>()))
    return declined("the division leaves no remainder");
  return exact_quotient(rw, *node.as<ops::Divide>(), node.input(0), node.input(1));
}

}  // namespace

void register_rounding_of_quotients(PassRegistry& passes) {
  passes.add(
      avoid_fault(
          "RoundingOfQuotients",
          {.form = "Divide of integers, and another element-wise op that reads the quotient or computes an operand, "
                   "maybe before its elements are moved",
           .symptom = "both are computed in floating point and rounded once: (7 - 1) / 8 + 1 and (2 + 1) / 2 are 2",
           .first = "2021.4",
           .last = "2022.1",
           .replacement = "(a - mod(a, b)) / b"})
          .add(lowering<ops::Divide>("Divide", quotient)));
}

}  // namespace mo::transformations
