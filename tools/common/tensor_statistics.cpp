#include "tools/common/tensor_statistics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tensor/convert.hpp"

namespace mo::tools {
namespace {

TensorStatistics statistics_of(const std::vector<double>& numbers) {
  TensorStatistics made;
  made.elements = static_cast<std::int64_t>(numbers.size());
  double sum = 0;
  double squares = 0;
  std::int64_t finite = 0;
  for (const double number : numbers) {
    made.nans += std::isnan(number) ? 1 : 0;
    made.infinities += std::isinf(number) ? 1 : 0;
    if (!std::isfinite(number)) continue;
    made.least = finite == 0 ? number : std::min(made.least, number);
    made.most = finite == 0 ? number : std::max(made.most, number);
    sum += number;
    squares += number * number;
    ++finite;
  }
  if (finite > 0) {
    made.mean = sum / static_cast<double>(finite);
    made.rms = std::sqrt(squares / static_cast<double>(finite));
  }
  return made;
}

/// Of the smallest normal number and the digits behind the point, in base 2.
struct Precision {
  int digits;
  int least_exponent;
};

Precision precision_of(ElementType type) {
  switch (type) {
    case ElementType::f16: return {10, -14};
    case ElementType::bf16: return {7, -126};
    case ElementType::f64: return {52, -1022};
    default: return {23, -126};
  }
}

/// The distance of neighbouring numbers of the type at `number`.
double unit_in_the_last_place(double number, const Precision& precision) {
  const int exponent = number == 0 ? precision.least_exponent : std::max(std::ilogb(number), precision.least_exponent);
  return std::ldexp(1.0, exponent - precision.digits);
}

void compare_numbers(const std::vector<double>& actual, const std::vector<double>& expected, ElementType type,
                     const Closeness& closeness, TensorDifference& made) {
  const bool real = is_real(type);
  const double floor = real ? closeness.absolute + closeness.relative * made.expected.rms : 0;
  const Precision precision = precision_of(type);
  double product = 0;
  double actual_square = 0;
  double expected_square = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double a = actual[i];
    const double e = expected[i];
    if (!std::isfinite(a) || !std::isfinite(e)) {
      if (a == e || (std::isnan(a) && std::isnan(e))) continue;
      ++made.beyond;
      if (!std::isinf(made.worst))
        made.worst = std::numeric_limits<double>::infinity(), made.place = static_cast<std::int64_t>(i);
      continue;
    }
    product += a * e;
    actual_square += a * a;
    expected_square += e * e;
    if (a == e) continue;
    const double apart = std::abs(a - e);
    const double allowed = real ? floor + closeness.relative * std::abs(e) : 0;
    const double part = allowed > 0 ? apart / allowed : std::numeric_limits<double>::max();
    if (part > 1) ++made.beyond;
    if (part > made.worst) made.worst = part, made.place = static_cast<std::int64_t>(i);
    made.max_absolute = std::max(made.max_absolute, apart);
    if (e != 0) made.max_relative = std::max(made.max_relative, apart / std::abs(e));
    if (real)
      made.max_ulp =
          std::max(made.max_ulp, apart / unit_in_the_last_place(std::max(std::abs(a), std::abs(e)), precision));
  }
  if (actual_square > 0 && expected_square > 0)
    made.cosine = std::clamp(product / std::sqrt(actual_square) / std::sqrt(expected_square), -1.0, 1.0);
  else
    made.cosine = actual_square == expected_square ? 1 : 0;
  if (actual.empty()) return;
  made.actual_at_place = actual[static_cast<std::size_t>(made.place)];
  made.expected_at_place = expected[static_cast<std::size_t>(made.place)];
}

Expected<void> compare_texts(const Tensor& actual, const Tensor& expected, TensorDifference& made) {
  MO_ASSIGN(const std::vector<std::string> left, to_strings(actual));
  MO_ASSIGN(const std::vector<std::string> right, to_strings(expected));
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i)
    if (left[i] != right[i] && made.beyond++ == 0) made.place = static_cast<std::int64_t>(i);
  made.actual.elements = made.expected.elements = static_cast<std::int64_t>(left.size());
  made.cosine = made.beyond == 0 ? 1 : 0;
  made.worst = made.beyond == 0 ? 0 : std::numeric_limits<double>::max();
  return {};
}

}  // namespace

std::string TensorDifference::to_string() const {
  if (!kind.empty()) return kind;
  if (max_absolute == 0 && beyond == 0) return "the same";
  std::string text = fmt::format(
      "max abs {:.4g}, max rel {:.4g}, max ulp {:.4g}, cosine {:.6f}; element {} is {:.6g} instead of {:.6g}",
      max_absolute, max_relative, max_ulp, cosine, place, actual_at_place, expected_at_place);
  if (beyond > 0) text += fmt::format("; {} of {} beyond tolerance", beyond, expected.elements);
  if (actual.nans != 0 || expected.nans != 0) text += fmt::format("; NaN {} instead of {}", actual.nans, expected.nans);
  if (actual.infinities != 0 || expected.infinities != 0)
    text += fmt::format("; infinite {} instead of {}", actual.infinities, expected.infinities);
  return text;
}

Expected<TensorStatistics> statistics_of(const Tensor& tensor) {
  if (tensor.element_type() == ElementType::string) return TensorStatistics{.elements = tensor.element_count()};
  MO_ASSIGN(const std::vector<double> numbers, to_reals(tensor));
  return statistics_of(numbers);
}

Expected<TensorDifference> difference_of(const Tensor& actual, const Tensor& expected, const Closeness& closeness) {
  TensorDifference made;
  if (actual.element_type() != expected.element_type() || actual.shape() != expected.shape()) {
    made.kind = fmt::format("{} instead of {}", actual.type().to_string(), expected.type().to_string());
    made.worst = std::numeric_limits<double>::infinity();
    return made;
  }
  if (actual.element_type() == ElementType::string) {
    MO_TRY(compare_texts(actual, expected, made));
    return made;
  }
  MO_ASSIGN(const std::vector<double> left, to_reals(actual));
  MO_ASSIGN(const std::vector<double> right, to_reals(expected));
  made.actual = statistics_of(left);
  made.expected = statistics_of(right);
  compare_numbers(left, right, expected.element_type(), closeness, made);
  return made;
}

}  // namespace mo::tools
