#pragma once

#include "core/tensor/tensor.hpp"

namespace mo {

/// How elements below 8 bits share bytes, as runtimes read them: u1 most significant bit first; u2, u4, i4, nf4 and
/// f4e2m1 least significant bits first (the emitter repacks i4 and u4 for runtimes that want the high half first).
/// 8 elements of u3 share 3 bytes: two bits of the first four, of the next four, then the highest bit of each; 4
/// elements of u6: four bits of the first two, of the next two, then the two highest bits of each; all of them most
/// significant bits first.

/// The bit patterns of a packed tensor, one in each byte. Loads the tensor.
Expected<Tensor> unpacked_patterns(const Tensor& tensor);
/// Packs the low bits of each byte of `patterns` (i8 or u8) as elements of `type`.
Expected<Tensor> packed_patterns(const Tensor& patterns, ElementType type);

/// Element `index` of a packed tensor in memory: integers as numbers, reals as their bit pattern.
std::int64_t sub_byte_element(const Tensor& tensor, std::int64_t index);

/// Returns true for types of which several elements share bytes.
inline bool is_sub_byte(ElementType type) { return bit_width(type) > 0 && bit_width(type) < 8; }

}  // namespace mo
