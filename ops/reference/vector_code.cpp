#include "ops/reference/vector_code.hpp"

namespace mo::ops::reference {

VectorWidth vector_width() {
#if defined(__x86_64__)
  static const VectorWidth width = [] {
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return avx512 ? VectorWidth::avx512 : __builtin_cpu_supports("avx2") ? VectorWidth::avx2 : VectorWidth::common;
  }();
  return width;
#else
  return VectorWidth::common;
#endif
}

}  // namespace mo::ops::reference
