#pragma once

#include <cstdint>
#include <utility>

#include "ops/reference/number.hpp"

namespace mo::ops::reference {

/// Bytes of the widest vectors that this processor computes with.
enum class VectorWidth : std::uint8_t { common = 16, avx2 = 32, avx512 = 64 };

/// Found out once.
VectorWidth vector_width();

#if defined(__x86_64__)
// Instructions of one lane and of many round alike, and no option allows to fuse a product with a sum (which is why
// "fma" is not in these lists): a loop that is compiled for other vectors gives the same bits.
template <class Fn>
[[gnu::target("avx2"), gnu::flatten]] void run_with_avx2(Fn fn) {
  fn(std::integral_constant<int, 32>{});
}
template <class Fn>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::flatten]] void run_with_avx512(Fn fn) {
  fn(std::integral_constant<int, 64>{});
}
#endif

/// Runs `fn(std::integral_constant<int, bytes of a vector>{})`, compiled once for each width: for inner loops, which
/// the compiler vectorises. What `fn` calls has to be visible here, so that it can be compiled with it.
template <class Fn>
void run_vectorised(Fn fn, [[maybe_unused]] VectorWidth width = vector_width()) {
#if defined(__x86_64__)
  switch (width) {
    case VectorWidth::avx512: return run_with_avx512(fn);
    case VectorWidth::avx2: return run_with_avx2(fn);
    case VectorWidth::common: break;
  }
#endif
  fn(std::integral_constant<int, 16>{});
}

/// map_real for a function that compilers make vectors of, which is done for f32.
template <class Fn>
void map_real_vectorised(const Tensor& in, Tensor& out, Fn fn) {
  if (in.element_type() != ElementType::f32) return map_real(in, out, fn);
  run_vectorised([fn, count = in.element_count(), from = in.values<float>().data(),
                  to = out.mutable_values<float>().data()](auto) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = fn(from[i]);
  });
}

}  // namespace mo::ops::reference
