#include "ops/reference/transpose.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include "core/support/processors.hpp"
#include "ops/reference/strided_copy.hpp"

namespace mo::ops::reference {
namespace {

/// One dimension of the result: its size, and how far its neighbours are apart in the data and in the result.
struct MovedAxis {
  std::int64_t size = 1;
  std::int64_t from = 1;
  std::int64_t to = 1;
};

/// The dimensions of the result without those of size 1; neighbours that are neighbours in the data as well are one.
/// `strides`: of the data along each of them.
std::vector<MovedAxis> merged_axes(const Shape& result, const std::vector<std::int64_t>& strides) {
  std::vector<MovedAxis> axes;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::int64_t size = result[i];
    const std::int64_t stride = strides[i];
    if (size == 1) continue;
    if (!axes.empty() && axes.back().from == stride * size)
      axes.back() = {axes.back().size * size, stride, 1};
    else
      axes.push_back({size, stride, 1});
  }
  for (std::size_t i = axes.size(); i-- > 1;) axes[i - 1].to = axes[i].to * axes[i].size;
  return axes;
}

/// As many elements as a vector register of every machine that we build for holds.
template <class T>
constexpr std::size_t kLanes = 16 / sizeof(T);
template <class T>
using Lanes [[gnu::vector_size(16)]] = T;

template <class T, std::size_t... I>
Lanes<T> interleave_low(Lanes<T> a, Lanes<T> b, std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, (I / 2 + (I % 2) * kLanes<T>)...);
}
template <class T, std::size_t... I>
Lanes<T> interleave_high(Lanes<T> a, Lanes<T> b, std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, (kLanes<T> / 2 + I / 2 + (I % 2) * kLanes<T>)...);
}

/// A tile: so many rows of the data, and so many elements of each. Both are multiples of kLanes. The columns, which are
/// long, become rows of the result, where each is written in one go: short stretches that are a power of two apart
/// would drive each other out of the cache.
template <class T>
constexpr std::int64_t kTileRows = 512 / sizeof(T);
constexpr std::int64_t kTileColumns = 32;

/// The transposed tile: column after column of the data.
template <class T>
using Tile = T[kTileColumns][kTileRows<T>];

/// Transposes a block of kLanes x kLanes: interleaving row i with row i + kLanes / 2 moves one bit of the row number
/// into the column number, so after log2(kLanes) rounds they have changed places.
template <class T>
void transpose_block(const T* const* rows, std::int64_t column, T* to) {
  constexpr std::size_t n = kLanes<T>;
  constexpr auto lanes = std::make_index_sequence<n>();
  Lanes<T> block[n];
  for (std::size_t i = 0; i < n; ++i) std::memcpy(&block[i], rows[i] + column, sizeof(block[i]));
  for (std::size_t round = 1; round < n; round *= 2) {
    Lanes<T> next[n];
    for (std::size_t i = 0; i < n / 2; ++i) {
      next[2 * i] = interleave_low<T>(block[i], block[i + n / 2], lanes);
      next[2 * i + 1] = interleave_high<T>(block[i], block[i + n / 2], lanes);
    }
    std::copy_n(next, n, block);
  }
  for (std::size_t i = 0; i < n; ++i)
    std::memcpy(to + static_cast<std::int64_t>(i) * kTileRows<T>, &block[i], sizeof(block[i]));
}

template <class T>
void transpose_tile(const T* const* rows, std::int64_t row_count, std::int64_t column, std::int64_t column_count,
                    Tile<T>& tile) {
  constexpr auto n = static_cast<std::int64_t>(kLanes<T>);
  const std::int64_t whole_rows = row_count - row_count % n;
  const std::int64_t whole_columns = column_count - column_count % n;
  for (std::int64_t j = 0; j < whole_rows; j += n)
    for (std::int64_t i = 0; i < whole_columns; i += n) transpose_block(rows + j, column + i, &tile[i][j]);
  for (std::int64_t j = 0; j < row_count; ++j)
    for (std::int64_t i = j < whole_rows ? whole_columns : 0; i < column_count; ++i) tile[i][j] = rows[j][column + i];
}

/// Counts through the dimensions `axes`, the last one fastest, and knows where the elements lie in the data and in the
/// result.
class Odometer {
 public:
  explicit Odometer(std::span<const MovedAxis> axes) : axes_(axes), index_(axes.size()) {}

  std::int64_t from() const { return from_; }
  std::int64_t to() const { return to_; }
  /// To the next element; false after the last one (and back at the first).
  bool next() {
    for (std::size_t d = axes_.size(); d-- > 0;) {
      from_ += axes_[d].from;
      to_ += axes_[d].to;
      if (++index_[d] < axes_[d].size) return true;
      from_ -= axes_[d].from * axes_[d].size;
      to_ -= axes_[d].to * axes_[d].size;
      index_[d] = 0;
    }
    return false;
  }

 private:
  std::span<const MovedAxis> axes_;
  std::vector<std::int64_t> index_;
  std::int64_t from_ = 0;
  std::int64_t to_ = 0;
};

/// Two threads share what is at least this large; starting one takes as long as moving a tenth of it.
constexpr std::int64_t kSharedBytes = std::int64_t{1} << 20;

/// Calls part(first, last) for both halves of [0, total), at the same time when a second thread can be had. They meet
/// at a multiple of `step`.
template <class Part>
void in_halves(std::int64_t total, std::int64_t step, const Part& part) {
  const std::int64_t middle = total / 2 / step * step;
  std::thread second;
  if (middle > 0 && usable_processors() > 1) {
    try {
      second = std::thread(part, middle, total);
    } catch (const std::system_error&) {}  // no more threads for this process: one does it all
  }
  part(std::int64_t{0}, second.joinable() ? middle : total);
  if (second.joinable()) second.join();
}

/// `fast` is the dimension whose elements lie side by side in the data; it is not the last one, and whatever comes
/// after it lies side by side in the result. A tile is read row by row, turned in a buffer, and written column by
/// column: both sides touch whole cache lines, however far rows and columns are apart.
template <class T>
void transpose_tiles(const T* from, T* to, std::span<const MovedAxis> axes, std::size_t fast) {
  const std::int64_t columns = axes[fast].size;
  const std::int64_t row_total = axes[fast].to;  // of the dimensions after `fast`
  const auto part = [=](std::int64_t first, std::int64_t last) {
    Odometer outer(axes.first(fast));
    do {
      Odometer inner(axes.subspan(fast + 1));
      for (std::int64_t before = 0; before < first; ++before) inner.next();
      for (std::int64_t row = first; row < last; row += kTileRows<T>) {
        const std::int64_t row_count = std::min(kTileRows<T>, last - row);
        const T* rows[kTileRows<T>];
        for (std::int64_t j = 0; j < row_count; ++j, inner.next()) rows[j] = from + outer.from() + inner.from();
        for (std::int64_t column = 0; column < columns; column += kTileColumns) {
          const std::int64_t column_count = std::min(kTileColumns, columns - column);
          Tile<T> tile;
          transpose_tile(rows, row_count, column, column_count, tile);
          T* out = to + outer.to() + column * row_total + row;
          for (std::int64_t i = 0; i < column_count; ++i, out += row_total)
            std::memcpy(out, tile[i], static_cast<std::size_t>(row_count) * sizeof(T));
        }
      }
    } while (outer.next());
  };
  if (columns * row_total >= kSharedBytes / static_cast<std::int64_t>(sizeof(T)))
    in_halves(row_total, kTileRows<T>, part);
  else
    part(std::int64_t{0}, row_total);
}

/// Whether the tensor was permuted here: elements of whole bytes whose last dimension moves. `start`: the first element
/// of it that is moved.
template <class T>
bool transpose_as(const Tensor& data, std::int64_t start, Tensor& out, const std::vector<MovedAxis>& axes) {
  const auto fast = std::find_if(axes.begin(), axes.end(), [](const MovedAxis& axis) { return axis.from == 1; });
  if (fast == axes.end() || fast == axes.end() - 1) return false;
  // Permuted as plain numbers of the same width: what they mean does not matter.
  transpose_tiles(reinterpret_cast<const T*>(data.bytes().data()) + start,
                  reinterpret_cast<T*>(out.mutable_bytes().data()), axes,
                  static_cast<std::size_t>(fast - axes.begin()));
  return true;
}

}  // namespace

void transpose(const Tensor& data, const std::vector<std::int64_t>& order, Tensor& out, std::int64_t first_row) {
  const std::vector<std::int64_t> of_data = row_major_strides(data.shape());
  std::vector<std::int64_t> strides;
  for (const std::int64_t axis : order) strides.push_back(of_data[static_cast<std::size_t>(axis)]);
  const std::int64_t start = strides.empty() ? 0 : first_row * strides.front();
  const std::vector<MovedAxis> axes = merged_axes(out.shape(), strides);
  if (axes.size() > 1 && out.element_count() > 0) {
    switch (bit_width(data.element_type())) {
      case 8:
        if (transpose_as<std::uint8_t>(data, start, out, axes)) return;
        break;
      case 16:
        if (transpose_as<std::uint16_t>(data, start, out, axes)) return;
        break;
      case 32:
        if (transpose_as<std::uint32_t>(data, start, out, axes)) return;
        break;
      case 64:
        if (transpose_as<std::uint64_t>(data, start, out, axes)) return;
        break;
      default: break;
    }
  }
  strided_copy(data, {start, std::move(strides)}, out, whole(out.shape()), out.shape());
}

}  // namespace mo::ops::reference
