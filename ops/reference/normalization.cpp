#include "ops/reference/normalization.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/tensor/convert.hpp"
#include "ops/reference/axis.hpp"
#include "ops/reference/axis_runs.hpp"
#include "ops/reference/lanes.hpp"
#include "ops/reference/real.hpp"
#include "ops/reference/vector_code.hpp"

namespace mo::ops::reference {
namespace {

/// One f64 per group, zeros.
Expected<Tensor> per_group(const Shape& shape, const std::vector<bool>& reduced) {
  return Tensor::allocate(ElementType::f64, {group_count(shape, reduced)});
}

/// sums[group] += term(element, group).
template <class T, class Term>
void accumulate(const Tensor& data, const std::vector<bool>& reduced, double* sums, Term term) {
  const T* in = data.values<T>().data();
  for_each_run(data.shape(), reduced,
               [&](std::int64_t offset, std::int64_t length, std::int64_t group, std::int64_t step) {
                 const T* run = in + offset;
                 if (step == 0)
                   sums[group] += fold_in_lanes(
                       length, 0.0, [=](std::int64_t i) { return term(static_cast<double>(run[i]), group); },
                       std::plus<>(), std::plus<>());
                 else
                   for (std::int64_t i = 0; i < length; ++i)
                     sums[group + i] += term(static_cast<double>(run[i]), group + i);
               });
}

/// out = value(group)(element).
template <class T, class Value>
void produce(const Tensor& data, Tensor& out, const std::vector<bool>& reduced, Value value) {
  const T* in = data.values<T>().data();
  T* result = out.mutable_values<T>().data();
  for_each_run(data.shape(), reduced,
               [&](std::int64_t offset, std::int64_t length, std::int64_t group, std::int64_t step) {
                 const T* from = in + offset;
                 T* to = result + offset;
                 if (step == 0)
                   run_vectorised([=](auto) {
                     const auto of_group = value(group);
                     for (std::int64_t i = 0; i < length; ++i) to[i] = static_cast<T>(of_group(from[i]));
                   });
                 else
                   for (std::int64_t i = 0; i < length; ++i) to[i] = static_cast<T>(value(group + i)(from[i]));
               });
}

}  // namespace

Expected<void> mean_variance(const Tensor& data, Tensor& out, const std::vector<bool>& reduced, bool normalize_variance,
                             double epsilon, bool inside_sqrt) {
  if (data.element_count() == 0) return {};
  MO_ASSIGN(Tensor means, per_group(data.shape(), reduced));
  MO_ASSIGN(Tensor deviations, per_group(data.shape(), reduced));
  const auto mean = means.mutable_values<double>();
  const auto deviation = deviations.mutable_values<double>();
  const double count = static_cast<double>(data.element_count() / means.element_count());
  visit_real(data.element_type(), [&]<class T>(std::type_identity<T>) {
    accumulate<T>(data, reduced, mean.data(), [](double x, std::int64_t) { return x; });
    for (double& m : mean) m /= count;
    if (normalize_variance) {
      accumulate<T>(data, reduced, deviation.data(), [mean = mean.data()](double x, std::int64_t group) {
        const double distance = x - mean[group];
        return distance * distance;
      });
      for (double& d : deviation) d = inside_sqrt ? std::sqrt(d / count + epsilon) : std::sqrt(d / count) + epsilon;
    } else {
      std::fill(deviation.begin(), deviation.end(), 1.0);
    }
    produce<T>(data, out, reduced, [mean = mean.data(), deviation = deviation.data()](std::int64_t group) {
      return [m = mean[group], d = deviation[group]](T x) { return (static_cast<double>(x) - m) / d; };
    });
  });
  return {};
}

Expected<void> l2_norm(const Tensor& data, Tensor& out, const std::vector<bool>& reduced, double epsilon,
                       bool use_max) {
  if (data.element_count() == 0) return {};
  MO_ASSIGN(Tensor norms, per_group(data.shape(), reduced));
  const auto norm = norms.mutable_values<double>();
  visit_real(data.element_type(), [&]<class T>(std::type_identity<T>) {
    accumulate<T>(data, reduced, norm.data(), [](double x, std::int64_t) { return x * x; });
    for (double& n : norm) n = std::sqrt(use_max ? std::max(n, epsilon) : n + epsilon);
    produce<T>(data, out, reduced, [norm = norm.data()](std::int64_t group) {
      return [n = norm[group]](T x) { return static_cast<double>(x) / n; };
    });
  });
  return {};
}

Expected<void> batch_norm(const Tensor& data, const ChannelStatistics& statistics, Tensor& out, double epsilon) {
  MO_ASSIGN(const std::vector<double> gamma, to_reals(statistics.gamma));
  MO_ASSIGN(const std::vector<double> beta, to_reals(statistics.beta));
  MO_ASSIGN(const std::vector<double> mean, to_reals(statistics.mean));
  MO_ASSIGN(const std::vector<double> variance, to_reals(statistics.variance));
  const AxisView view = view_axis(data.shape(), 1);
  if (data.element_count() == 0) return {};
  visit_real(data.element_type(), [&]<class T>(std::type_identity<T>) {
    const T* in = data.values<T>().data();
    T* result = out.mutable_values<T>().data();
    for (std::int64_t o = 0; o < view.outer; ++o)
      for (std::int64_t c = 0; c < view.size; ++c) {
        const auto at = static_cast<std::size_t>(c);
        const double factor = gamma[at] / std::sqrt(variance[at] + epsilon);
        run_vectorised([=, m = mean[at], b = beta[at]](auto) {
          for (std::int64_t i = 0; i < view.inner; ++i)
            result[i] = static_cast<T>((static_cast<double>(in[i]) - m) * factor + b);
        });
        in += view.inner;
        result += view.inner;
      }
  });
  return {};
}

Expected<void> group_norm(const Tensor& data, const Tensor& scale, const Tensor& bias, Tensor& out, std::int64_t groups,
                          double epsilon) {
  MO_ASSIGN(const std::vector<double> factor, to_reals(scale));
  MO_ASSIGN(const std::vector<double> offset, to_reals(bias));
  if (data.element_count() == 0) return {};
  const AxisView view = view_axis(data.shape(), 1);
  const std::int64_t channels = view.size / groups;
  const std::int64_t length = channels * view.inner;
  visit_real(data.element_type(), [&]<class T>(std::type_identity<T>) {
    const T* in = data.values<T>().data();
    T* result = out.mutable_values<T>().data();
    for (std::int64_t block = 0; block < view.outer * groups; ++block, in += length, result += length) {
      const auto sum = [in, length](auto term) {
        return fold_in_lanes(
            length, 0.0, [=](std::int64_t i) { return term(static_cast<double>(in[i])); }, std::plus<>(),
            std::plus<>());
      };
      const double mean = sum([](double x) { return x; }) / static_cast<double>(length);
      const double variance = sum([mean](double x) { return (x - mean) * (x - mean); });
      const double deviation = std::sqrt(variance / static_cast<double>(length) + epsilon);
      for (std::int64_t i = 0; i < length; ++i) {
        const auto channel = static_cast<std::size_t>(block % groups * channels + i / view.inner);
        result[i] = static_cast<T>((static_cast<double>(in[i]) - mean) / deviation * factor[channel] + offset[channel]);
      }
    }
  });
  return {};
}

Expected<void> local_response_norm(const Tensor& data, Tensor& out, const std::vector<bool>& local,
                                   const LocalResponse& p) {
  if (data.element_count() == 0) return {};
  MO_ASSIGN(Tensor squares, Tensor::allocate(ElementType::f64, data.shape()));
  MO_ASSIGN(Tensor sums, Tensor::allocate(ElementType::f64, data.shape()));
  double* current = squares.mutable_values<double>().data();
  double* next = sums.mutable_values<double>().data();
  const std::int64_t reach = (p.size - 1) / 2;
  double scale = p.alpha;
  visit_real(data.element_type(), [&]<class T>(std::type_identity<T>) {
    const T* in = data.values<T>().data();
    for (std::int64_t i = 0; i < data.element_count(); ++i)
      current[i] = static_cast<double>(in[i]) * static_cast<double>(in[i]);
    // A box is the product of intervals: one axis after the other.
    for (std::size_t axis = 0; axis < local.size(); ++axis) {
      if (!local[axis]) continue;
      scale /= static_cast<double>(p.size);
      const AxisView view = view_axis(data.shape(), static_cast<std::int64_t>(axis));
      for (std::int64_t o = 0; o < view.outer; ++o)
        for (std::int64_t k = 0; k < view.size; ++k) {
          double* target = next + (o * view.size + k) * view.inner;
          std::fill(target, target + view.inner, 0.0);
          const std::int64_t last = reach >= view.size - 1 - k ? view.size - 1 : k + reach;
          for (std::int64_t neighbour = reach >= k ? 0 : k - reach; neighbour <= last; ++neighbour) {
            const double* source = current + (o * view.size + neighbour) * view.inner;
            for (std::int64_t i = 0; i < view.inner; ++i) target[i] += source[i];
          }
        }
      std::swap(current, next);
    }
    T* result = out.mutable_values<T>().data();
    for (std::int64_t i = 0; i < data.element_count(); ++i)
      result[i] = static_cast<T>(static_cast<double>(in[i]) / std::pow(p.bias + scale * current[i], p.beta));
  });
  return {};
}

}  // namespace mo::ops::reference
