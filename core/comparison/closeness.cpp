#include "core/comparison/closeness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/tensor/convert.hpp"

namespace mo {
namespace {

constexpr std::int64_t kStretch = 1 << 18;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Calls `visit` with parts of a tensor, in memory, and the place where each begins.
template <class Visit>
Expected<void> for_each_stretch(const Tensor& a, const Visit& visit) {
  const std::uint64_t width = bit_width(a.element_type()) / 8;
  if (width == 0 || a.element_count() <= kStretch) {
    MO_ASSIGN(const Tensor whole, a.load());
    return visit(whole, 0);
  }
  for (std::int64_t begin = 0; begin < a.element_count(); begin += kStretch) {
    const std::int64_t count = std::min(kStretch, a.element_count() - begin);
    const auto offset = a.offset() + static_cast<std::uint64_t>(begin) * width;
    MO_ASSIGN(const Tensor part, Tensor::from_buffer(a.element_type(), {count}, a.buffer(), offset));
    MO_ASSIGN(const Tensor loaded, part.load());
    MO_TRY(visit(loaded, begin));
  }
  return {};
}

/// The same stretch of a tensor of one type and shape.
Expected<Tensor> stretch_of(const Tensor& tensor, const Tensor& like, std::int64_t begin) {
  if (like.element_count() == tensor.element_count()) return tensor.load();
  const auto offset = static_cast<std::uint64_t>(begin) * (bit_width(tensor.element_type()) / 8);
  MO_ASSIGN(const Tensor part,
            Tensor::from_buffer(tensor.element_type(), like.shape(), tensor.buffer(), tensor.offset() + offset));
  return part.load();
}

class Statistics {
 public:
  void add(const std::vector<double>& numbers) {
    made_.elements += static_cast<std::int64_t>(numbers.size());
    for (const double number : numbers) {
      made_.nans += std::isnan(number) ? 1 : 0;
      made_.infinities += std::isinf(number) ? 1 : 0;
      if (!std::isfinite(number)) continue;
      made_.least = finite_ == 0 ? number : std::min(made_.least, number);
      made_.most = finite_ == 0 ? number : std::max(made_.most, number);
      sum_ += number;
      squares_ += number * number;
      ++finite_;
    }
  }

  TensorStatistics result() const {
    TensorStatistics made = made_;
    if (finite_ > 0) {
      made.mean = sum_ / static_cast<double>(finite_);
      made.rms = std::sqrt(squares_ / static_cast<double>(finite_));
    }
    return made;
  }

 private:
  TensorStatistics made_;
  double sum_ = 0;
  double squares_ = 0;
  std::int64_t finite_ = 0;
};

/// Of the smallest normal number and the digits after the point, in base 2.
struct Precision {
  int digits;
  int least_exponent;
};

Precision precision_of(ElementType type) {
  switch (type) {
    case ElementType::f16: return {10, -14};
    case ElementType::bf16: return {7, -126};
    case ElementType::f64: return {52, -1022};
    case ElementType::nf4: return {2, -3};  // about as its values lie
    case ElementType::f4e2m1: return {1, 0};
    case ElementType::f8e4m3: return {3, -6};
    case ElementType::f8e5m2: return {2, -14};
    case ElementType::f8e8m0: return {0, -127};
    default: return {23, -126};
  }
}

/// The distance of neighbouring numbers of the type at `number`.
double unit_in_the_last_place(double number, const Precision& precision) {
  const int exponent = number == 0 ? precision.least_exponent : std::max(std::ilogb(number), precision.least_exponent);
  return std::ldexp(1.0, exponent - precision.digits);
}

/// Sums up how two tensors of numbers differ, of which it is given one stretch after the other.
class ElementComparison {
 public:
  ElementComparison(ElementType type, const Closeness& closeness, const TensorStatistics& expected)
      : real_(holds_reals(type)), precision_(precision_of(type)) {
    if (!real_) return;
    relative_ = closeness.scale == Scale::largest ? 0 : closeness.relative;
    least_scale_ = closeness.least_scale;
    added_scale_ = closeness.scale == Scale::element_and_rms ? expected.rms : 0;
    floor_ = closeness.absolute;
    if (closeness.scale == Scale::largest)
      floor_ += closeness.relative * std::max(expected.largest(), closeness.least_scale);
  }

  Expected<void> add(const Tensor& actual, const Tensor& expected, std::int64_t begin) {
    MO_ASSIGN(const std::vector<double> left, to_reals(actual));
    MO_ASSIGN(const std::vector<double> right, to_reals(expected));
    actual_.add(left);
    expected_.add(right);
    std::vector<std::int64_t> whole[2];
    if (!real_) {  // of 64 bits, several are one number of type double; those of u64 wrap
      MO_ASSIGN(whole[0], to_integers(actual));
      MO_ASSIGN(whole[1], to_integers(expected));
    }
    for (std::size_t i = 0; i < left.size(); ++i)
      add_pair(left[i], right[i], begin + static_cast<std::int64_t>(i), !real_ && whole[0][i] != whole[1][i]);
    return {};
  }

  TensorDifference result() && {
    if (actual_square_ > 0 && expected_square_ > 0)
      made_.cosine = std::clamp(product_ / std::sqrt(actual_square_) / std::sqrt(expected_square_), -1.0, 1.0);
    else
      made_.cosine = actual_square_ == expected_square_ ? 1 : 0;
    made_.actual_at_place = text_of(actual_at_place_);
    made_.expected_at_place = text_of(expected_at_place_);
    made_.actual = actual_.result();
    made_.expected = expected_.result();
    return std::move(made_);
  }

 private:
  void add_pair(double a, double e, std::int64_t place, bool other_integer) {
    const bool finite = std::isfinite(a) && std::isfinite(e);
    if (finite) product_ += a * e, actual_square_ += a * a, expected_square_ += e * e;
    if (!other_integer && (a == e || (std::isnan(a) && std::isnan(e)))) return;
    ++made_.differing;
    if (!finite) {
      ++made_.beyond;
      return note_worst(kInfinity, kInfinity, a, e, place);
    }
    const double apart = std::max(std::abs(a - e), other_integer ? 1.0 : 0.0);
    const double allowed = floor_ + relative_ * std::max(std::abs(e) + added_scale_, least_scale_);
    const double part = allowed > 0 ? apart / allowed : std::numeric_limits<double>::max();
    if (part > 1) ++made_.beyond;
    note_worst(part, apart, a, e, place);
    made_.max_absolute = std::max(made_.max_absolute, apart);
    if (e != 0) made_.max_relative = std::max(made_.max_relative, apart / std::abs(e));
    if (real_) {
      const double unit = unit_in_the_last_place(std::max(std::abs(a), std::abs(e)), precision_);
      made_.max_ulp = std::max(made_.max_ulp, apart / unit);
    }
  }

  /// Of two that are equally bad, that which is further away.
  void note_worst(double part, double apart, double a, double e, std::int64_t place) {
    if (part < made_.worst || (part == made_.worst && apart <= apart_at_place_)) return;
    made_.worst = part;
    made_.place = place;
    apart_at_place_ = apart;
    actual_at_place_ = a;
    expected_at_place_ = e;
  }

  std::string text_of(double number) const { return real_ ? fmt::format("{:.6g}", number) : fmt::format("{}", number); }

  bool real_;
  Precision precision_;
  double relative_ = 0;
  double least_scale_ = 0;
  double added_scale_ = 0;  ///< beside the expected element
  double floor_ = 0;        ///< what is allowed everywhere
  double product_ = 0;
  double actual_square_ = 0;
  double expected_square_ = 0;
  double apart_at_place_ = 0;
  double actual_at_place_ = 0;
  double expected_at_place_ = 0;
  Statistics actual_;
  Statistics expected_;
  TensorDifference made_;
};

Expected<TensorDifference> difference_of_texts(const Tensor& actual, const Tensor& expected) {
  MO_ASSIGN(const std::vector<std::string> left, to_strings(actual));
  MO_ASSIGN(const std::vector<std::string> right, to_strings(expected));
  TensorDifference made;
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    if (left[i] == right[i] || made.differing++ > 0) continue;
    made.place = static_cast<std::int64_t>(i);
    made.actual_at_place = fmt::format("\"{}\"", left[i]);
    made.expected_at_place = fmt::format("\"{}\"", right[i]);
  }
  made.beyond = made.differing;
  made.actual.elements = made.expected.elements = static_cast<std::int64_t>(left.size());
  made.cosine = made.same() ? 1 : 0;
  made.worst = made.same() ? 0 : kInfinity;
  return made;
}

/// Of a type that is known by name only: what its elements are is not known.
Expected<TensorDifference> difference_of_bytes(const Tensor& actual, const Tensor& expected) {
  MO_ASSIGN(const Tensor left, actual.load());
  MO_ASSIGN(const Tensor right, expected.load());
  TensorDifference made;
  made.actual.elements = made.expected.elements = actual.element_count();
  const auto x = left.bytes();
  const auto y = right.bytes();
  const auto place = static_cast<std::size_t>(std::mismatch(x.begin(), x.end(), y.begin(), y.end()).first - x.begin());
  if (place == x.size() && place == y.size()) return made;
  made.kind = x.size() == y.size() ? fmt::format("byte {} is {} instead of {}", place, std::to_integer<int>(x[place]),
                                                 std::to_integer<int>(y[place]))
                                   : fmt::format("{} bytes instead of {}", x.size(), y.size());
  made.worst = kInfinity;
  return made;
}

}  // namespace

double TensorStatistics::largest() const { return std::max(std::abs(least), std::abs(most)); }

double TensorDifference::largest() const { return std::isinf(worst) ? worst : max_absolute; }

std::string TensorDifference::to_string() const {
  if (!kind.empty()) return kind;
  if (same()) return "the same";
  std::string text;
  if (max_ulp > 0)
    text = fmt::format("max abs {:.4g}, max rel {:.4g}, max ulp {:.4g}, cosine {:.6f}; ", max_absolute, max_relative,
                       max_ulp, cosine);
  text += fmt::format("element {} is {} instead of {}", place, actual_at_place, expected_at_place);
  if (beyond > 0) text += fmt::format("; {} of {} beyond tolerance", beyond, expected.elements);
  if (actual.nans != 0 || expected.nans != 0) text += fmt::format("; NaN {} instead of {}", actual.nans, expected.nans);
  if (actual.infinities != 0 || expected.infinities != 0)
    text += fmt::format("; infinite {} instead of {}", actual.infinities, expected.infinities);
  return text;
}

Expected<TensorStatistics> statistics_of(const Tensor& tensor) {
  if (has_own_size(tensor.element_type())) return TensorStatistics{.elements = tensor.element_count()};
  Statistics made;
  MO_TRY(for_each_stretch(tensor, [&](const Tensor& part, std::int64_t) -> Expected<void> {
    MO_ASSIGN(const std::vector<double> numbers, to_reals(part));
    made.add(numbers);
    return {};
  }));
  return made.result();
}

Expected<TensorDifference> difference_of(const Tensor& actual, const Tensor& expected, const Closeness& closeness) {
  if (actual.element_type() != expected.element_type() || actual.shape() != expected.shape()) {
    TensorDifference made;
    made.kind = fmt::format("{} instead of {}", actual.type().to_string(), expected.type().to_string());
    made.worst = kInfinity;
    return made;
  }
  if (actual.element_type() == ElementType::string) return difference_of_texts(actual, expected);
  if (is_named(actual.element_type())) return difference_of_bytes(actual, expected);
  TensorStatistics scale;
  if (closeness.scale != Scale::element) { MO_ASSIGN(scale, statistics_of(expected)); }
  ElementComparison comparison(expected.element_type(), closeness, scale);
  MO_TRY(for_each_stretch(actual, [&](const Tensor& left, std::int64_t begin) -> Expected<void> {
    MO_ASSIGN(const Tensor right, stretch_of(expected, left, begin));
    return comparison.add(left, right, begin);
  }));
  return std::move(comparison).result();
}

Expected<bool> same_bytes(const Tensor& a, const Tensor& b) {
  if (a.element_type() != b.element_type() || a.shape() != b.shape()) return false;
  if (a.buffer() == b.buffer() && a.offset() == b.offset()) return true;
  bool same = true;
  MO_TRY(for_each_stretch(a, [&](const Tensor& left, std::int64_t begin) -> Expected<void> {
    if (!same) return {};
    MO_ASSIGN(const Tensor right, stretch_of(b, left, begin));
    const auto x = left.bytes();
    const auto y = right.bytes();
    same = x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size()) == 0);
    return {};
  }));
  return same;
}

}  // namespace mo
