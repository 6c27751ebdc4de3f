#include "core/comparison/closeness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "core/tensor/convert.hpp"

namespace mo {
namespace {

constexpr std::int64_t kStretch = 1 << 18;  ///< a multiple of 8, so that packed elements begin at a byte
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What for_each_stretch reads by parts: the tensor itself, or in memory where only all of it can be computed.
Expected<Tensor> readable_by_parts(const Tensor& tensor) {
  return tensor.buffer()->file_range() ? tensor : tensor.load();
}

Expected<Tensor> stretch_of(const Tensor& tensor, std::int64_t begin, std::int64_t count) {
  if (count == tensor.element_count()) return tensor.load();
  const auto offset = static_cast<std::uint64_t>(begin) * bit_width(tensor.element_type()) / 8;
  MO_ASSIGN(const Tensor part,
            Tensor::from_buffer(tensor.element_type(), {count}, tensor.buffer(), tensor.offset() + offset));
  return part.load();
}

/// Calls `visit` with the same parts of tensors of one type and shape, in memory, and the place where each begins;
/// until `visit` returns false.
template <std::size_t N, class Visit>
Expected<void> for_each_stretch(std::array<Tensor, N> tensors, const Visit& visit) {
  for (Tensor& tensor : tensors) { MO_ASSIGN(tensor, readable_by_parts(tensor)); }
  const std::int64_t elements = tensors[0].element_count();
  const std::int64_t step = has_own_size(tensors[0].element_type()) ? elements : kStretch;
  std::int64_t begin = 0;
  bool more = true;
  do {
    const std::int64_t count = std::min(step, elements - begin);
    std::array<Tensor, N> parts;
    for (std::size_t i = 0; i < N; ++i) { MO_ASSIGN(parts[i], stretch_of(tensors[i], begin, count)); }
    MO_ASSIGN(more, visit(parts, begin));
    begin += count;
  } while (more && begin < elements);
  return {};
}

/// The packed bytes as a tensor, without reading them.
Expected<Tensor> as_bytes(const Tensor& tensor) {
  return Tensor::from_buffer(ElementType::u8, {static_cast<std::int64_t>(tensor.byte_size())}, tensor.buffer(),
                             tensor.offset());
}

/// The first byte in which two tensors of the same size differ, and what it is there.
struct DifferentByte {
  std::int64_t place;
  std::byte actual;
  std::byte expected;
};
Expected<std::optional<DifferentByte>> first_different_byte(const Tensor& actual, const Tensor& expected) {
  MO_ASSIGN(const Tensor left, as_bytes(actual));
  MO_ASSIGN(const Tensor right, as_bytes(expected));
  std::optional<DifferentByte> found;
  MO_TRY(for_each_stretch(std::array{left, right}, [&](const auto& parts, std::int64_t begin) -> Expected<bool> {
    const auto x = parts[0].bytes();
    const auto y = parts[1].bytes();
    if (x.empty() || std::memcmp(x.data(), y.data(), x.size()) == 0) return true;
    const auto at = std::mismatch(x.begin(), x.end(), y.begin()).first - x.begin();
    found = DifferentByte{begin + at, x[static_cast<std::size_t>(at)], y[static_cast<std::size_t>(at)]};
    return false;
  }));
  return found;
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
  TensorDifference made;
  made.actual.elements = made.expected.elements = actual.element_count();
  if (actual.byte_size() != expected.byte_size()) {
    made.kind = fmt::format("{} bytes instead of {}", actual.byte_size(), expected.byte_size());
  } else {
    MO_ASSIGN(const std::optional<DifferentByte> different, first_different_byte(actual, expected));
    if (!different) return made;
    made.kind = fmt::format("byte {} is {} instead of {}", different->place, std::to_integer<int>(different->actual),
                            std::to_integer<int>(different->expected));
  }
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
  MO_TRY(for_each_stretch(std::array{tensor}, [&](const auto& parts, std::int64_t) -> Expected<bool> {
    MO_ASSIGN(const std::vector<double> numbers, to_reals(parts[0]));
    made.add(numbers);
    return true;
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
  MO_TRY(for_each_stretch(std::array{actual, expected}, [&](const auto& parts, std::int64_t begin) -> Expected<bool> {
    MO_TRY(comparison.add(parts[0], parts[1], begin));
    return true;
  }));
  return std::move(comparison).result();
}

Expected<bool> same_bytes(const Tensor& a, const Tensor& b) {
  if (a.element_type() != b.element_type() || a.shape() != b.shape()) return false;
  if (a.buffer() == b.buffer() && a.offset() == b.offset()) return true;
  if (a.byte_size() != b.byte_size()) return false;
  MO_ASSIGN(const std::optional<DifferentByte> different, first_different_byte(a, b));
  return !different;
}

}  // namespace mo
