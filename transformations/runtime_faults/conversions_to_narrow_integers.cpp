#include "core/op/runtimes.hpp"
#include "ops/build/tensors.hpp"
#include "ops/convert.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/narrow_integers.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// The real numbers `x` have no fractions: they were rounded, or were integers before.
bool has_no_fractions(const Value& x) {
  const Node node = x.node();
  if (node.is<ops::Convert>()) return !is_real(node.input_type(0).element_type);
  if (node.is<ops::Multiply>()) return node.input(0).node().is<ops::Sign>() && node.input(1).node().is<ops::Floor>();
  return node.is<ops::Floor>() || node.is<ops::Ceiling>() || node.is<ops::Round>();
}

Replacement narrowed(const Value& x, ElementType type, std::string_view release, Rewriter& rw) {
  const ElementType from = x.type().element_type;
  const ops::Convert convert{.destination_type = type};
  if (x.node().is<Const>()) return declined("a constant, which is converted before the model runs");
  if (is_real(from)) {
    if (is_older("2021.4", release)) return declined("the runtime that was requested truncates real numbers");
    if (has_no_fractions(x)) return declined("no number has a fraction");
    return rw.create(convert, without_fractions(rw, x));
  }
  if (!is_integral(from) || range_of_integers(x).is_within(range_of_type(type)))
    return declined("every number is one of the narrow type");
  return rw.create(convert, low_bits(rw, build::as_type(rw, x, ElementType::i32), type));
}

RewriteRule conversion() {
  return rewrite("Convert")
      .match(pattern::op<ops::Convert>())
      .rule([](const Match& m, Rewriter& rw, PassContext& context) -> Replacement {
        const Node node = m.root().node();
        const ElementType type = node.as<ops::Convert>()->destination_type;
        if (!is_narrow(type)) return Replacement::declined();
        return narrowed(node.input(0), type, context.settings.release, rw);
      });
}

}  // namespace

void register_conversions_to_narrow_integers(PassRegistry& passes) {
  passes.add(
      avoid_fault(
          "ConversionsToNarrowIntegers",
          {.form = "Convert of integers to integers of 8 or 16 bits that do not hold them all; in 2021.4 also of "
                   "floating-point values",
           .symptom = "the nearest value of the type instead of the low bits; 2021.4 keeps large values and fractions",
           .first = "2021.4",
           .last = "2024.6",
           .replacement = "FloorMod of 32-bit integers, Convert; sign(x) * floor(|x|) of floating-point values"})
          .add(conversion()));
}

}  // namespace mo::transformations
