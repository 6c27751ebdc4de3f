#include "ops/reference/top_k.hpp"

#include <algorithm>

#include "ops/reference/axis.hpp"
#include "ops/reference/order.hpp"

namespace mo::ops::reference {
namespace {

struct Candidate {
  std::int64_t key;  ///< the lower, the better
  std::int64_t index;
};

/// Equal values go by index, so the order is total and every algorithm gives the same result.
struct Better {
  bool operator()(const Candidate& a, const Candidate& b) const {
    return a.key == b.key ? a.index < b.index : a.key < b.key;
  }
};

/// to[i * step] = from[chosen[i].index * step], for elements of the size of T.
template <class T>
void copy_chosen(const std::byte* from, std::byte* to, std::int64_t step, std::span<const Candidate> chosen) {
  const T* column = reinterpret_cast<const T*>(from);
  T* best = reinterpret_cast<T*>(to);
  for (const Candidate& candidate : chosen) {
    *best = column[candidate.index * step];
    best += step;
  }
}

void copy_chosen(std::int64_t size, const std::byte* from, std::byte* to, std::int64_t step,
                 std::span<const Candidate> chosen) {
  switch (size) {
    case 1: return copy_chosen<std::uint8_t>(from, to, step, chosen);
    case 2: return copy_chosen<std::uint16_t>(from, to, step, chosen);
    case 4: return copy_chosen<std::uint32_t>(from, to, step, chosen);
    default: return copy_chosen<std::uint64_t>(from, to, step, chosen);
  }
}

template <class Index>
void write_indices(std::byte* to, std::int64_t step, std::span<const Candidate> chosen) {
  Index* place = reinterpret_cast<Index*>(to);
  for (const Candidate& candidate : chosen) {
    *place = static_cast<Index>(candidate.index);
    place += step;
  }
}

}  // namespace

void top_k(const Tensor& data, std::int64_t axis, bool largest, bool by_index, Tensor& values, Tensor& indices) {
  if (values.element_count() == 0) return;
  const AxisView view = view_axis(data.shape(), axis);
  const std::int64_t k = values.shape()[static_cast<std::size_t>(axis)];
  const auto size = static_cast<std::int64_t>(bit_width(data.element_type()) / 8);
  const std::byte* from = data.bytes().data();
  std::byte* best = values.mutable_bytes().data();
  std::byte* places = indices.mutable_bytes().data();
  constexpr std::int64_t kColumns = 64;
  std::vector<std::int64_t> keys(static_cast<std::size_t>(view.size * std::min(view.inner, kColumns)));
  const std::int64_t flip = largest ? -1 : 0;  // ~key is in the opposite order
  std::vector<Candidate> candidates(static_cast<std::size_t>(view.size));
  const std::span<Candidate> chosen(candidates.data(), static_cast<std::size_t>(k));
  const bool is_short = indices.element_type() == ElementType::i32;
  for (std::int64_t o = 0; o < view.outer; ++o)
    for (std::int64_t first = 0; first < view.inner; first += kColumns) {
      const std::int64_t columns = std::min(view.inner - first, kColumns);
      order_keys(data, o * view.size * view.inner + first, view.size, view.inner, columns, keys.data());
      for (std::int64_t c = 0; c < columns; ++c) {
        for (std::int64_t s = 0; s < view.size; ++s)
          candidates[static_cast<std::size_t>(s)] = {keys[static_cast<std::size_t>(s * columns + c)] ^ flip, s};
        std::partial_sort(candidates.begin(), candidates.begin() + k, candidates.end(), Better{});
        if (by_index)
          std::sort(chosen.begin(), chosen.end(),
                    [](const Candidate& a, const Candidate& b) { return a.index < b.index; });
        const std::int64_t to = o * k * view.inner + first + c;
        copy_chosen(size, from + (o * view.size * view.inner + first + c) * size, best + to * size, view.inner, chosen);
        if (is_short)
          write_indices<std::int32_t>(places + to * 4, view.inner, chosen);
        else
          write_indices<std::int64_t>(places + to * 8, view.inner, chosen);
      }
    }
}

}  // namespace mo::ops::reference
