#include "frontends/onnx/ops/support/rotary.hpp"

#include <limits>

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/term.hpp"
#include "ops/concat.hpp"
#include "ops/slice.hpp"
#include "ops/transpose.hpp"

namespace mo::onnx {

Value rows_of_table(Rewriter& rw, const Value& table, const Value& positions) {
  return rw.create(ops::Gather{}, table, positions, rw.scalar<std::int64_t>(0));
}

Value rotated(Rewriter& rw, const Value& x, const Value& cosines, const Value& sines, bool interleaved) {
  constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();
  const auto for_all_heads = [&](const Value& table) {
    return term(rw, rw.create(ops::Unsqueeze{}, table, rw.integers({1})));
  };
  const Value half = length_along(rw, cosines, -1);
  const Value zero = rw.integers({0});
  const Value last = rw.integers({-1});
  const Value one = rw.integers({1});
  const Value two = rw.integers({2});
  const Value size = rw.create(ops::Add{}, half, half);
  const auto part = [&](const Value& begin, const Value& end, const Value& step) {
    return term(rw, rw.create(ops::Slice{}, x, begin, end, step, last));
  };
  const Term a = interleaved ? part(zero, size, two) : part(zero, half, one);
  const Term b = interleaved ? part(one, size, two) : part(half, size, one);
  const Term cosine = for_all_heads(cosines);
  const Term sine = for_all_heads(sines);
  const Value first = a * cosine - b * sine;
  const Value second = b * cosine + a * sine;
  const Value rest = part(size, rw.integers({kToTheEnd}), one);
  if (!interleaved) return rw.create(ops::Concat{.axis = -1}, first, second, rest);
  // [.., size / 2] twice -> [.., size / 2, 2] -> [.., size]
  const Value pairs = rw.create(ops::Concat{.axis = -1}, rw.create(ops::Unsqueeze{}, first, last),
                                rw.create(ops::Unsqueeze{}, second, last));
  const Value flat = rw.create(ops::Reshape{.special_zero = true}, pairs, join(rw, {rw.integers({0, 0, 0}), size}));
  return rw.create(ops::Concat{.axis = -1}, flat, rest);
}

Value split_whole_heads(Rewriter& rw, const Value& x, const Value& half) {
  const Value shape = join(rw, {rw.integers({0, 0, -1}), rw.create(ops::Add{}, half, half)});
  return rw.create(ops::Transpose{}, rw.create(ops::Reshape{.special_zero = true}, x, shape),
                   rw.integers({0, 2, 1, 3}));
}

}  // namespace mo::onnx
