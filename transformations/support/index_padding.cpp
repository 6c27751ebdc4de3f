#include "transformations/support/index_padding.hpp"

#include "ops/build/term.hpp"

namespace mo::transformations {
namespace {

using build::Term;
using ops::PadMode;

/// One of the amounts of a Pad.
struct Amount {
  Value pads;
  std::size_t axis;

  std::optional<std::int64_t> known() const {
    if (const auto numbers = integers_of(pads)) return (*numbers)[axis];
    const PartialValue* partial = pads.data().partial_value();
    if (partial && axis < partial->elements.size() && partial->elements[axis].is_known())
      return partial->elements[axis].value();
    return std::nullopt;
  }
  Term term(Rewriter& rw) const {
    if (const auto number = known()) return {rw, rw.scalar<std::int64_t>(*number), ElementType::i64};
    const Value place = rw.scalar(static_cast<std::int64_t>(axis));
    const Value picked = rw.create(ops::v1::Gather{}, pads, place, rw.scalar<std::int64_t>(0));
    return Term(rw, picked, picked.type().element_type).as(ElementType::i64);
  }
};

/// The index of the element that `mode` repeats at each of `places`, which are counted from the first element and may
/// lie outside.
Term source_of(PadMode mode, const Term& places, const Term& size) {
  switch (mode) {
    case PadMode::reflect: {
      const Term from_first = absolute(places);
      return smaller(from_first, (size - 1) * 2 - from_first);
    }
    case PadMode::symmetric: {
      const Term from_first = larger(places, -1 - places);
      return smaller(from_first, size * 2 - 1 - from_first);
    }
    case PadMode::constant:
    case PadMode::edge: return larger(smaller(places, size - 1), 0);
  }
  return places;
}

}  // namespace

Value padded_by_indices(Rewriter& rw, const Value& data, const Value& begin, const Value& end, const Value& value,
                        PadMode mode) {
  const auto rank = data.type().rank();
  if (!rank) return {};
  const Value shape = build::shape_of(rw, data);
  Value padded = data;
  std::optional<Term> inside;
  for (std::int64_t axis = 0; axis < *rank; ++axis) {
    const Amount before{begin, static_cast<std::size_t>(axis)};
    const Amount behind{end, static_cast<std::size_t>(axis)};
    if (before.known() == 0 && behind.known() == 0) continue;
    const Value at = rw.scalar(axis);
    const Term size(rw, rw.create(ops::v1::Gather{}, shape, at, rw.scalar<std::int64_t>(0)), ElementType::i64);
    const Value first = rw.fold(ops::Negative{}, before.term(rw));
    const Value stop = behind.known() == 0 ? size : size + behind.term(rw);
    const Term places(rw,
                      rw.create(ops::Range{.output_type = ElementType::i64}, first, stop, rw.scalar<std::int64_t>(1)),
                      ElementType::i64);
    const bool only_crops = before.known().value_or(1) <= 0 && behind.known().value_or(1) <= 0;
    padded = rw.create(ops::v1::Gather{}, padded, only_crops ? places : source_of(mode, places, size), at);
    if (mode != PadMode::constant || only_crops) continue;
    const Term here = both(greater_equal(places, 0), less(places, size));
    const Term along(rw, build::along_axis(rw, here, data, axis), ElementType::boolean);
    inside = inside ? both(*inside, along) : along;
  }
  if (!inside) return padded;
  return rw.create(ops::Select{}, *inside, padded, value ? value : rw.scalar_like(data, 0));
}

}  // namespace mo::transformations
