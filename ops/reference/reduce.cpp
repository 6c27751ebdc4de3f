#include "ops/reference/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/reference/axis_runs.hpp"
#include "ops/reference/lanes.hpp"
#include "ops/reference/stretches.hpp"

namespace mo::ops::reference {
namespace {

/// What elements that are widened to W are summed up in.
template <class W>
using Sum = std::conditional_t<!std::is_integral_v<W>, double,
                               std::conditional_t<std::is_signed_v<W>, std::int64_t, std::uint64_t>>;

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

/// Folds the elements of each group into a sum: start -> merge(accumulated, term(element)) for every element.
template <class W, class Term, class Merge>
void fold_groups(const Tensor& data, const std::vector<bool>& reduced, std::vector<Sum<W>>& sums, Sum<W> start,
                 Term term, Merge merge) {
  using S = Sum<W>;
  std::fill(sums.begin(), sums.end(), start);
  WidenedElements<W> elements(data);
  for_each_run(data.shape(), reduced,
               [&](std::int64_t offset, std::int64_t length, std::int64_t group, std::int64_t step) {
                 S* target = sums.data() + group;
                 LaneFold<S> lanes(start);
                 for (std::int64_t done = 0; done < length;) {
                   const std::int64_t count = elements.stretch(length - done);
                   const W* run = elements.read(offset + done, count);
                   const auto element = [&](std::int64_t i) { return term(static_cast<S>(run[i])); };
                   if (step == 0)
                     lanes.add(count, element, merge);
                   else
                     for (std::int64_t i = 0; i < count; ++i) target[done + i] = merge(target[done + i], element(i));
                   done += count;
                 }
                 if (step == 0) *target = merge(*target, lanes.merged(merge));
               });
}

template <class W>
void fold(ReduceKind kind, const Tensor& data, const std::vector<bool>& reduced, std::vector<Sum<W>>& sums) {
  using S = Sum<W>;
  const auto each = [&](S start, auto term, auto merge) { fold_groups<W>(data, reduced, sums, start, term, merge); };
  // Lambdas, not functions: a loop of its own, without calls, for each.
  const auto as_is = [](S value) { return value; };
  const auto add = [](S a, S b) { return wrapping_sum(a, b); };
  switch (kind) {
    case ReduceKind::sum:
    case ReduceKind::mean: return each(S(0), as_is, add);
    case ReduceKind::max:
      return each(least_of<S>(), as_is, [](S a, S b) { return b > a || is_not_a_number(b) ? b : a; });
    case ReduceKind::min:
      return each(greatest_of<S>(), as_is, [](S a, S b) { return b < a || is_not_a_number(b) ? b : a; });
    case ReduceKind::prod: return each(S(1), as_is, [](S a, S b) { return wrapping_product(a, b); });
    case ReduceKind::l1:
      return each(
          S(0), [](S a) { return magnitude(a); }, add);
    case ReduceKind::l2:
      return each(
          S(0), [](S a) { return wrapping_product(a, a); }, add);
    case ReduceKind::logical_and:
      return each(S(1), as_is, [](S a, S b) { return static_cast<S>(a != S(0) && b != S(0)); });
    case ReduceKind::logical_or:
      return each(S(0), as_is, [](S a, S b) { return static_cast<S>(a != S(0) || b != S(0)); });
  }
}

/// The mean of `count` elements with this sum; of none, NaN or the integer 0.
template <class S>
S mean_of(S sum, std::int64_t count) {
  if constexpr (std::is_integral_v<S>)
    return count > 0 ? static_cast<S>(sum / static_cast<S>(count)) : S(0);
  else
    return sum / static_cast<S>(count);
}

/// Turns sums into elements of the output.
template <class S>
void finish(ReduceKind kind, const std::vector<S>& sums, std::int64_t count, Tensor& out) {
  visit_type(out.element_type(), [&]<class T>(std::type_identity<T>) {
    // Only the types that are summed up in S.
    if constexpr (std::is_integral_v<T> == std::is_integral_v<S>) {
      T* to = out.mutable_values<T>().data();
      for (std::size_t i = 0; i < sums.size(); ++i)
        to[i] = kind == ReduceKind::mean ? static_cast<T>(mean_of(sums[i], count))
                : kind == ReduceKind::l2 ? static_cast<T>(std::sqrt(static_cast<double>(sums[i])))
                                         : static_cast<T>(sums[i]);
    }
  });
}

}  // namespace

Expected<void> reduce(const Tensor& data, Tensor& out, const std::vector<bool>& reduced, ReduceKind kind) {
  const std::int64_t groups = out.element_count();
  if (groups == 0) return {};
  // The least and the greatest sum are not truth values: of nothing, the neutral elements are.
  if (data.element_type() == ElementType::boolean && kind == ReduceKind::max) kind = ReduceKind::logical_or;
  if (data.element_type() == ElementType::boolean && kind == ReduceKind::min) kind = ReduceKind::logical_and;
  visit_widened(data.element_type(), [&]<class W>(std::type_identity<W>) {
    std::vector<Sum<W>> sums(static_cast<std::size_t>(groups));
    fold<W>(kind, data, reduced, sums);
    finish(kind, sums, data.element_count() / groups, out);
  });
  return {};
}

}  // namespace mo::ops::reference
