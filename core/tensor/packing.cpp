#include "core/tensor/packing.hpp"

#include <type_traits>

namespace mo {
namespace {

/// Bits of an element: `count` of them from `from` on are those of a byte from `at` on.
struct PackedBits {
  std::size_t byte;
  unsigned at;
  unsigned from;
  unsigned count;
};

/// Elements that lie in one byte.
template <unsigned kWidth, bool kHighestFirst>
struct WholeBits {
  template <class Fn>
  static void for_each_part(std::size_t index, Fn&& fn) {
    constexpr unsigned kElements = 8 / kWidth;
    const auto place = static_cast<unsigned>(index % kElements);
    fn(PackedBits{index / kElements, kWidth * (kHighestFirst ? kElements - 1 - place : place), 0, kWidth});
  }
};

/// Elements of 3 or 6 bits, whose high bits lie in the third byte of their group.
template <unsigned kWidth>
struct SplitBits {
  template <class Fn>
  static void for_each_part(std::size_t index, Fn&& fn) {
    constexpr unsigned kHigh = kWidth / 3;
    constexpr unsigned kLow = kWidth - kHigh;
    constexpr unsigned kElements = 8 / kHigh;
    constexpr unsigned kInByte = 8 / kLow;
    const std::size_t group = 3 * (index / kElements);
    const auto place = static_cast<unsigned>(index % kElements);
    fn(PackedBits{group + place / kInByte, 8 - kLow * (place % kInByte + 1), 0, kLow});
    fn(PackedBits{group + 2, 8 - kHigh * (place + 1), kLow, kHigh});
  }
};

/// Calls `fn(std::type_identity<Layout>{})` for a type below 8 bits (asserted).
template <class Fn>
auto visit_layout(ElementType type, Fn&& fn) {
  switch (bit_width(type)) {
    case 1: return fn(std::type_identity<WholeBits<1, true>>{});
    case 2: return fn(std::type_identity<WholeBits<2, false>>{});
    case 3: return fn(std::type_identity<SplitBits<3>>{});
    case 6: return fn(std::type_identity<SplitBits<6>>{});
    default: break;
  }
  MO_ASSERT(bit_width(type) == 4, "elements that share no bytes");
  return fn(std::type_identity<WholeBits<4, false>>{});
}

template <class Layout>
unsigned pattern_at(std::span<const std::byte> bytes, std::size_t index) {
  unsigned pattern = 0;
  Layout::for_each_part(index, [&](const PackedBits& part) {
    const unsigned bits = std::to_integer<unsigned>(bytes[part.byte]) >> part.at;
    pattern |= (bits & ((1U << part.count) - 1)) << part.from;
  });
  return pattern;
}

}  // namespace

Expected<Tensor> unpacked_patterns(const Tensor& tensor) {
  MO_ASSIGN(const Tensor loaded, tensor.load());
  MO_ASSIGN(Tensor patterns, Tensor::allocate(ElementType::u8, tensor.shape()));
  const std::span<const std::byte> in = loaded.bytes();
  const std::span<std::byte> out = patterns.mutable_bytes();
  visit_layout(tensor.element_type(), [&]<class Layout>(std::type_identity<Layout>) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::byte>(pattern_at<Layout>(in, i));
  });
  return patterns;
}

Expected<Tensor> packed_patterns(const Tensor& patterns, ElementType type) {
  MO_ASSIGN(Tensor packed, Tensor::allocate(type, patterns.shape()));
  const std::span<const std::byte> in = patterns.bytes();
  const std::span<std::byte> out = packed.mutable_bytes();
  visit_layout(type, [&]<class Layout>(std::type_identity<Layout>) {
    for (std::size_t i = 0; i < in.size(); ++i)
      Layout::for_each_part(i, [&](const PackedBits& part) {
        const unsigned bits = std::to_integer<unsigned>(in[i]) >> part.from;
        out[part.byte] |= static_cast<std::byte>((bits & ((1U << part.count) - 1)) << part.at);
      });
  });
  return packed;
}

std::int64_t sub_byte_element(const Tensor& tensor, std::int64_t index) {
  const unsigned pattern = visit_layout(tensor.element_type(), [&]<class Layout>(std::type_identity<Layout>) {
    return pattern_at<Layout>(tensor.bytes(), static_cast<std::size_t>(index));
  });
  return tensor.element_type() == ElementType::i4 && pattern > 7 ? static_cast<std::int64_t>(pattern) - 16 : pattern;
}

}  // namespace mo
