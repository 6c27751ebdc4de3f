#include "ops/reference/philox.hpp"

#include "ops/reference/number.hpp"

namespace mo::ops::reference {
namespace {

/// The numbers of the sequence one after the other.
class PhiloxSequence {
 public:
  PhiloxSequence(std::uint64_t key, std::uint64_t counter) : key_(key), counter_(counter) {}
  std::uint32_t next() {
    if (used_ == block_.size()) {
      block_ = philox(n_++, counter_, key_);
      used_ = 0;
    }
    return block_[used_++];
  }

 private:
  std::uint64_t key_;
  std::uint64_t counter_;
  std::uint64_t n_ = 0;
  std::array<std::uint32_t, 4> block_{};
  std::size_t used_ = 4;
};

/// A real of [0, 1): the low bits of the random number are the mantissa of a number in [1, 2), less 1.
template <class T>
Accumulator<T> unit_real(PhiloxSequence& sequence) {
  if constexpr (std::is_same_v<T, double>) {
    const std::uint64_t upper = sequence.next() & 0xFFFFFU;
    return static_cast<double>((upper << 32U) | sequence.next()) / 4503599627370496.0;  // 2^52
  } else {
    constexpr unsigned kMantissaBits = std::is_same_v<T, float> ? 23 : std::is_same_v<T, float16> ? 10 : 7;
    return static_cast<float>(sequence.next() & ((1U << kMantissaBits) - 1U)) / static_cast<float>(1U << kMantissaBits);
  }
}

template <class T>
void fill_integers(PhiloxSequence& sequence, T low, T high, std::span<T> out) {
  const auto from = static_cast<std::uint64_t>(low);
  const std::uint64_t count = static_cast<std::uint64_t>(high) - from;  // exact modulo 2^64, also for a negative low
  MO_ASSERT(count != 0, "an empty range has no numbers");
  // 64-bit types take two numbers per element only when the limits need them.
  bool two = false;
  if constexpr (sizeof(T) == 8) two = low > T(0xFFFFFFFFLL) || high > T(0xFFFFFFFFLL);
  for (T& element : out) {
    std::uint64_t random = sequence.next();
    if (two) random |= static_cast<std::uint64_t>(sequence.next()) << 32U;
    element = static_cast<T>(random % count + from);
  }
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::uint64_t n, std::uint64_t counter, std::uint64_t key) {
  const auto low = [](std::uint64_t v) { return static_cast<std::uint32_t>(v); };
  const auto high = [](std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32U); };
  std::array<std::uint32_t, 4> state{low(n), high(n), low(counter), high(counter)};
  std::uint32_t key_low = low(key);
  std::uint32_t key_high = high(key);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * state[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * state[2];
    state = {high(b) ^ state[1] ^ key_low, low(b), high(a) ^ state[3] ^ key_high, low(a)};
    key_low += 0x9E3779B9U;
    key_high += 0xBB67AE85U;
  }
  return state;
}

void random_uniform(const Tensor& low, const Tensor& high, Tensor& out, std::uint64_t key, std::uint64_t counter) {
  if (out.element_count() == 0) return;
  PhiloxSequence sequence(key, counter);
  visit_number(out.element_type(), [&]<class T>(std::type_identity<T>) {
    const T lowest = low.values<T>()[0];
    const T limit = high.values<T>()[0];
    if constexpr (std::is_integral_v<T>) {
      fill_integers(sequence, lowest, limit, out.mutable_values<T>());
    } else {
      using A = Accumulator<T>;
      for (T& element : out.mutable_values<T>())
        element = static_cast<T>(unit_real<T>(sequence) * (static_cast<A>(limit) - static_cast<A>(lowest)) +
                                 static_cast<A>(lowest));
    }
  });
}

}  // namespace mo::ops::reference
