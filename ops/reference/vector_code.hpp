#pragma once

#include <cstdint>
#include <utility>

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

}  // namespace mo::ops::reference
