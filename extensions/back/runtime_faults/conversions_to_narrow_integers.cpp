#include <limits>

#include "core/op/runtimes.hpp"
#include "extensions/back/lowering.hpp"
#include "extensions/back/support/narrow_integers.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "ops/build/tensors.hpp"
#include "ops/convert.hpp"

namespace mo::back {
namespace {

bool is_narrow(ElementType type) {
  using enum ElementType;
  return type == i8 || type == u8 || type == i16 || type == u16;
}

/// The numbers from `lowest` to `highest`.
struct IntegerRange {
  std::int64_t lowest = std::numeric_limits<std::int32_t>::min();
  std::int64_t highest = std::numeric_limits<std::int32_t>::max();

  bool is_within(const IntegerRange& other) const { return other.lowest <= lowest && highest <= other.highest; }
};

IntegerRange range_of_type(ElementType type) {
  if (type == ElementType::boolean) return {0, 1};
  if (!is_integral(type) || bit_width(type) > 16) return {};
  const std::int64_t count = std::int64_t{1} << bit_width(type);
  return is_signed(type) ? IntegerRange{-count / 2, count / 2 - 1} : IntegerRange{0, count - 1};
}

/// Where the integers `x` are: by their type, or mod(…, n) with a constant added or subtracted.
IntegerRange range_of_integers(const Value& x) {
  const Node node = x.node();
  const auto number = [&] { return constant_integers_of(node.input(1), 1).value_or(std::vector<std::int64_t>{}); };
  if (node.is<ops::FloorMod>())
    if (const auto n = number(); n.size() == 1 && n[0] > 0) return {0, n[0] - 1};
  if (node.is<ops::Add>() || node.is<ops::Subtract>()) {
    const Node mod = node.input(0).node();
    const auto n = number();
    if (mod.is<ops::FloorMod>() && n.size() == 1) {
      const IntegerRange range = range_of_integers(node.input(0));
      const std::int64_t shift = node.is<ops::Add>() ? n[0] : -n[0];
      return {range.lowest + shift, range.highest + shift};
    }
  }
  return range_of_type(x.type().element_type);
}

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
    if (is_older("2021.4", release)) return declined("the runtime that was asked for truncates real numbers");
    if (has_no_fractions(x)) return declined("no number has a fraction");
    return rw.create(convert, without_fractions(rw, x));
  }
  if (!is_integral(from) || range_of_integers(x).is_within(range_of_type(type))) return declined("every number is one of the narrow type");
  return rw.create(convert, low_bits(rw, build::as_type(rw, x, ElementType::i32), type));
}

RewriteRule conversion() {
  return rewrite("Convert").match(pattern::op<ops::Convert>()).rule([](const Match& m, Rewriter& rw, PassContext& context) -> Replacement {
    const Node node = m.root().node();
    const ElementType type = node.as<ops::Convert>()->destination_type;
    if (!is_narrow(type)) return Replacement::declined();
    return narrowed(node.input(0), type, context.settings.release, rw);
  });
}

}  // namespace

void register_conversions_to_narrow_integers(PassRegistry& passes) {
  passes.add(avoid_fault("ConversionsToNarrowIntegers",
                         {.form = "Convert of integers to integers of 8 or 16 bits that do not hold them all; in 2021.4 also of real numbers",
                          .symptom = "the nearest number of the type instead of the low bits; 2021.4 keeps large numbers and fractions",
                          .first = "2021.4",
                          .last = "2024.6",
                          .replacement = "FloorMod of 32-bit integers, Convert; sign(x) * floor(|x|) of real numbers"})
                 .add(conversion()));
}

}  // namespace mo::back
