#include "ops/reference/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tensor/visit.hpp"
#include "ops/reference/axis_runs.hpp"
#include "ops/reference/lanes.hpp"

namespace mo::ops::reference {
namespace {

template <class T>
using Sum = std::conditional_t<!std::is_integral_v<T>, double,
                               std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

// Integer overflow wraps, as it does in the runtimes; signed arithmetic must not do it itself.
template <class S>
S wrapping_sum(S a, S b) {
  if constexpr (std::is_integral_v<S>)
    return static_cast<S>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  else
    return a + b;
}
template <class S>
S wrapping_product(S a, S b) {
  if constexpr (std::is_integral_v<S>)
    return static_cast<S>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  else
    return a * b;
}
template <class S>
S magnitude(S a) {
  if constexpr (std::is_unsigned_v<S>)
    return a;
  else
    return a < S(0) ? wrapping_product(a, S(-1)) : a;
}
template <class S>
bool is_not_a_number(S a) {
  if constexpr (std::is_integral_v<S>)
    return false;
  else
    return a != a;
}
template <class S>
S least_of() {
  if constexpr (std::is_integral_v<S>)
    return std::numeric_limits<S>::lowest();
  else
    return -std::numeric_limits<S>::infinity();
}
template <class S>
S greatest_of() {
  if constexpr (std::is_integral_v<S>)
    return std::numeric_limits<S>::max();
  else
    return std::numeric_limits<S>::infinity();
}

struct ReduceOperands {
  const Tensor& data;
  Tensor& out;
  Tensor& sums;
  const std::vector<bool>& reduced;
};

/// start -> merge(accumulated, term(element)) for every element -> finish.
template <class T, class Term, class Merge, class Finish>
void fold_groups(const ReduceOperands& o, Sum<T> start, Term term, Merge merge, Finish finish) {
  using S = Sum<T>;
  const T* in = o.data.values<T>().data();
  S* sums = o.sums.mutable_values<S>().data();
  std::fill(sums, sums + o.sums.element_count(), start);
  for_each_run(o.data.shape(), o.reduced,
               [&](std::int64_t offset, std::int64_t length, std::int64_t group, std::int64_t step) {
                 const T* run = in + offset;
                 S* target = sums + group;
                 const auto element = [&](std::int64_t i) { return term(static_cast<S>(run[i])); };
                 if (step == 0)
                   *target = merge(*target, fold_in_lanes(length, start, element, merge, merge));
                 else
                   for (std::int64_t i = 0; i < length; ++i) target[i] = merge(target[i], element(i));
               });
  T* out = o.out.mutable_values<T>().data();
  for (std::int64_t i = 0; i < o.out.element_count(); ++i) out[i] = static_cast<T>(finish(sums[i]));
}

template <class T>
void reduce_typed(const ReduceOperands& o, ReduceKind kind) {
  using S = Sum<T>;
  const auto as_is = [](S value) { return value; };
  switch (kind) {
    case ReduceKind::sum: return fold_groups<T>(o, S(0), as_is, wrapping_sum<S>, as_is);
    case ReduceKind::mean: {
      const std::int64_t groups = o.out.element_count();
      const std::int64_t count = groups > 0 ? o.data.element_count() / groups : 0;
      return fold_groups<T>(o, S(0), as_is, wrapping_sum<S>, [count](S sum) {
        if constexpr (std::is_integral_v<S>)
          return count > 0 ? static_cast<S>(sum / static_cast<S>(count)) : S(0);
        else
          return sum / static_cast<S>(count);
      });
    }
    case ReduceKind::max:
      return fold_groups<T>(
          o, least_of<S>(), as_is, [](S a, S b) { return b > a || is_not_a_number(b) ? b : a; }, as_is);
    case ReduceKind::min:
      return fold_groups<T>(
          o, greatest_of<S>(), as_is, [](S a, S b) { return b < a || is_not_a_number(b) ? b : a; }, as_is);
    case ReduceKind::prod: return fold_groups<T>(o, S(1), as_is, wrapping_product<S>, as_is);
    case ReduceKind::l1: return fold_groups<T>(o, S(0), magnitude<S>, wrapping_sum<S>, as_is);
    case ReduceKind::l2:
      return fold_groups<T>(
          o, S(0), [](S a) { return wrapping_product(a, a); }, wrapping_sum<S>,
          [](S sum) { return std::sqrt(static_cast<double>(sum)); });
    case ReduceKind::logical_and:
      return fold_groups<T>(
          o, S(1), as_is, [](S a, S b) { return static_cast<S>(a != S(0) && b != S(0)); }, as_is);
    case ReduceKind::logical_or:
      return fold_groups<T>(
          o, S(0), as_is, [](S a, S b) { return static_cast<S>(a != S(0) || b != S(0)); }, as_is);
  }
}

}  // namespace

Expected<void> reduce(const Tensor& data, Tensor& out, const std::vector<bool>& reduced, ReduceKind kind) {
  if (out.element_count() == 0) return {};
  return visit_type(data.element_type(), [&]<class T>(std::type_identity<T>) -> Expected<void> {
    MO_ASSIGN(Tensor sums, Tensor::allocate(element_type_of<Sum<T>>, out.shape()));
    reduce_typed<T>({data, out, sums, reduced}, kind);
    return {};
  });
}

}  // namespace mo::ops::reference
