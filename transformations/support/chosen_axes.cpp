#include "transformations/support/chosen_axes.hpp"

#include "ops/build/term.hpp"

namespace mo::transformations {

Value counted_from_front(Rewriter& rw, const Value& axes, std::size_t rank) {
  const build::Term given(rw, build::as_type(rw, axes, ElementType::i64), ElementType::i64);
  return build::choose(build::less(given, 0), given + static_cast<double>(rank), given);
}

Value is_among(Rewriter& rw, std::size_t dimension, const Value& axes) {
  const build::Term is_here = build::equal(build::Term(rw, axes, ElementType::i64), static_cast<double>(dimension));
  return build::reduced<ops::ReduceKind::logical_or>(is_here, {0}, false);
}

}  // namespace mo::transformations
