#include <algorithm>
#include <limits>

#include "core/tensor/convert.hpp"
#include "ops/broadcast.hpp"
#include "ops/comparison.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/pad.hpp"
#include "ops/pooling.hpp"
#include "ops/select.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/torch_pooling.hpp"

namespace mo::transformations {
namespace {

using Integers = std::vector<std::int64_t>;

/// Windows of more elements are not written out element by element.
constexpr std::int64_t kMostPieces = 256;
constexpr std::int64_t kMostPooledIndices = std::int64_t{1} << 20;

bool is_dilated(const Integers& dilations) {
  return std::any_of(dilations.begin(), dilations.end(), [](std::int64_t d) { return d != 1; });
}

/// The padding of MaxPool: not above any element.
Expected<Tensor> lowest(ElementType type) {
  if (is_real(type)) return from_reals(type, {}, {-std::numeric_limits<double>::infinity()});
  if (!is_signed(type)) return from_integers(type, {}, {0});
  return from_integers(type, {}, {std::numeric_limits<std::int64_t>::min() >> (64 - bit_width(type))});
}

/// A pooling of static shapes: the geometry of each spatial axis.
struct Windows {
  Shape data;
  Shape out;
  std::vector<ops::reference::WindowAxisGeometry> axes;

  /// Elements of a window.
  std::int64_t positions() const {
    std::int64_t count = 1;
    for (const auto& axis : axes) count *= std::min(axis.kernel, kMostPieces + 1);
    return count;
  }
  /// The same along one axis after the other.
  std::int64_t steps() const {
    std::int64_t count = 0;
    for (const auto& axis : axes) count += std::min(axis.kernel, kMostPieces + 1);
    return count;
  }
};

template <class Op>
std::optional<Windows> windows_of(const Node& node, const Op& op, ops::TorchRoundingType rounding) {
  const auto data = node.input_type(0).shape.to_shape();
  const auto out = node.output_type().shape.to_shape();
  if (!data || !out || data->size() < 3 || data->size() > 5 || std::find(data->begin(), data->end(), 0) != data->end())
    return std::nullopt;
  const ops::reference::Window window = ops::make_window(
      *data, op.kernel, *out, {op.strides, op.pads_begin, op.pads_end, op.dilations, op.auto_pad, rounding});
  Windows windows{*data, *out, {}};
  windows.axes.assign(window.axes.end() - static_cast<std::ptrdiff_t>(data->size() - 2), window.axes.end());
  return windows;
}

/// The data with all padding that windows see.
Value padded(Rewriter& rw, const Value& data, const Windows& windows, const Value& padding) {
  const std::size_t rank = windows.data.size();
  Integers before(rank, 0);
  Integers behind(rank, 0);
  for (std::size_t i = 2; i < rank; ++i) {
    const auto& axis = windows.axes[i - 2];
    before[i] = axis.pad_begin;
    behind[i] = std::max<std::int64_t>(
        0, (axis.out - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1 - axis.in - axis.pad_begin);
  }
  const Integers nothing(rank, 0);
  return before == nothing && behind == nothing
             ? data
             : rw.create(ops::v1::Pad{}, data, rw.integers(before), rw.integers(behind), padding);
}

/// What `combine` makes of all elements that a window sees, along one axis after the other.
Value over_windows(Rewriter& rw, const Value& data, const Windows& windows, const Value& padding, const Op& combine) {
  Value x = padded(rw, data, windows, padding);
  for (std::size_t k = 0; k < windows.axes.size(); ++k) {
    const auto& axis = windows.axes[k];
    const auto shape = x.type().shape.to_shape();
    if (!shape) return {};  // an error that the rewriter knows
    Integers begin(shape->size(), 0);
    Integers end = *shape;
    Integers step(shape->size(), 1);
    step[k + 2] = axis.stride;
    Value all;
    for (std::int64_t i = 0; i < axis.kernel; ++i) {
      begin[k + 2] = i * axis.dilation;
      end[k + 2] = begin[k + 2] + (axis.out - 1) * axis.stride + 1;
      const Value piece = begin[k + 2] == 0 && end == *shape && axis.stride == 1 ? x : sliced(rw, x, begin, end, step);
      all = all ? rw.create(combine.clone(), all, piece) : piece;
    }
    x = all;
  }
  return x;
}

/// For each element of the window what all windows see there, as tensors of the shape of the result; in row-major
/// order.
std::vector<Value> seen_by_windows(Rewriter& rw, const Value& data, const Windows& windows, const Value& padding) {
  const std::size_t rank = windows.data.size();
  Integers step(rank, 1);
  for (std::size_t i = 2; i < rank; ++i) step[i] = windows.axes[i - 2].stride;
  const Value x = padded(rw, data, windows, padding);
  std::vector<Value> pieces;
  Integers at(windows.axes.size(), 0);
  for (std::int64_t i = 0; i < windows.positions(); ++i) {
    Integers begin(rank, 0);
    Integers end = windows.data;
    for (std::size_t k = 0; k < at.size(); ++k) {
      const auto& axis = windows.axes[k];
      begin[k + 2] = at[k] * axis.dilation;
      end[k + 2] = begin[k + 2] + (axis.out - 1) * axis.stride + 1;
    }
    pieces.push_back(sliced(rw, x, begin, end, step));
    for (std::size_t k = at.size(); k-- > 0;) {
      if (++at[k] < windows.axes[k].kernel) break;
      at[k] = 0;
    }
  }
  return pieces;
}

/// The places, in a plane of the data, that element `piece` of the windows sees. Where that is padding, the first place
/// in the data that the window sees: an element of the lowest value is found there, too, and padding is never the
/// maximum.
Integers places_of(const Windows& windows, std::int64_t piece) {
  const std::size_t spatial = windows.axes.size();
  Integers element(spatial);
  for (std::size_t k = spatial; k-- > 0; piece /= windows.axes[k].kernel) element[k] = piece % windows.axes[k].kernel;
  std::int64_t count = 1;
  for (const auto& axis : windows.axes) count *= axis.out;
  Integers places;
  for (std::int64_t position = 0; position < count; ++position) {
    std::int64_t rest = position;
    Integers at(spatial);
    for (std::size_t k = spatial; k-- > 0; rest /= windows.axes[k].out) at[k] = rest % windows.axes[k].out;
    std::int64_t place = 0;
    std::int64_t first_place = 0;
    bool inside = true;
    bool any = true;
    for (std::size_t k = 0; k < spatial; ++k) {
      const auto& axis = windows.axes[k];
      const std::int64_t start = axis.start(at[k]);
      const std::int64_t here = start + element[k] * axis.dilation;
      const std::int64_t first = axis.first(start, 0);
      inside = inside && here >= 0 && here < axis.in;
      any = any && first < axis.last(start, axis.in);
      place = place * axis.in + here;
      first_place = first_place * axis.in + start + first * axis.dilation;
    }
    places.push_back(inside ? place : any ? first_place : 0);
  }
  return places;
}

Integers per_plane_shape(const Windows& windows) {
  Integers shape = windows.out;
  shape[0] = shape[1] = 1;
  return shape;
}

/// What is added to a place in a plane so that it counts from dimension `axis` on: a constant [N, C, 1, …]; empty when
/// that is nothing.
Expected<Value> plane_offsets(Rewriter& rw, const Windows& windows, std::int64_t axis, ElementType type) {
  if (axis >= 2) return Value();
  std::int64_t plane = 1;
  for (const auto& a : windows.axes) plane *= a.in;
  Integers offsets;
  for (std::int64_t n = 0; n < windows.data[0]; ++n)
    for (std::int64_t c = 0; c < windows.data[1]; ++c)
      offsets.push_back((axis == 0 ? n * windows.data[1] + c : c) * plane);
  Shape shape(windows.data.size(), 1);
  shape[0] = windows.data[0];
  shape[1] = windows.data[1];
  MO_ASSIGN(Tensor tensor, from_integers(type, shape, offsets));
  return rw.constant(std::move(tensor));
}

/// MaxPool with dilations or indices -> the largest of what each element of the window sees, and where the first of the
/// largest is.
Replacement max_pool(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::v8::MaxPool>();
  const bool wants_indices = node.out_port_count() > 1 && !node.out_port(1).disconnected();
  if (!wants_indices && !is_dilated(op.dilations))
    return rw.create(ops::v1::MaxPool{op, op.rounding_type}, node.input(0));
  const bool ceil = op.rounding_type == ops::RoundingType::ceil;
  const auto windows = windows_of(node, op, ceil ? ops::TorchRoundingType::ceil : ops::TorchRoundingType::floor);
  const auto axis = normalize_axis(op.axis, static_cast<std::int64_t>(windows ? windows->data.size() : 1));
  if (!windows || !axis || windows->steps() > kMostPieces) return Replacement::declined();
  const auto planes = element_count({windows->data[0], windows->data[1]});
  const auto count = element_count(per_plane_shape(*windows));
  if (wants_indices && (windows->positions() > kMostPieces || !planes || !count || *planes > kMostPooledIndices ||
                        *count * windows->positions() > kMostPooledIndices))
    return Replacement::declined();
  auto padding = lowest(node.input_type(0).element_type);
  if (!padding) return std::move(padding).error();
  const Value lowest_number = rw.constant(*std::move(padding));
  if (!wants_indices) return over_windows(rw, node.input(0), *windows, lowest_number, ops::Maximum{});
  const std::vector<Value> pieces = seen_by_windows(rw, node.input(0), *windows, lowest_number);
  std::int64_t period = 1;
  for (std::size_t d = static_cast<std::size_t>(*axis); d < windows->data.size(); ++d) period *= windows->data[d];
  Value best = pieces.front();
  Value where;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    Integers numbers = places_of(*windows, static_cast<std::int64_t>(i));
    for (std::int64_t& number : numbers) number %= period;
    auto tensor = from_integers(op.index_element_type, per_plane_shape(*windows), numbers);
    if (!tensor) return std::move(tensor).error();
    const Value places = rw.constant(*std::move(tensor));
    if (i == 0) {
      where = places;
      continue;
    }
    where = rw.create(ops::Select{}, rw.create(ops::Greater{}, pieces[i], best), places, where);
    best = rw.create(ops::Maximum{}, best, pieces[i]);
  }
  if (pieces.size() == 1) where = rw.create(ops::Broadcast{}, where, rw.integers(windows->out));
  auto offsets = plane_offsets(rw, *windows, *axis, op.index_element_type);
  if (!offsets) return std::move(offsets).error();
  if (*offsets) where = rw.create(ops::Add{}, where, *offsets);
  return Outputs{best, where};
}

/// How many elements count in each window along one axis: those in the data, or in the data and its padding.
Integers counted(const ops::reference::WindowAxisGeometry& axis, bool exclude_pad) {
  Integers counts;
  for (std::int64_t position = 0; position < axis.out; ++position) {
    const std::int64_t start = axis.start(position);
    const std::int64_t low = exclude_pad ? 0 : -axis.pad_begin;
    const std::int64_t high = exclude_pad ? axis.in : axis.in + axis.pad_end;
    counts.push_back(std::max<std::int64_t>(0, axis.last(start, high) - axis.first(start, low)));
  }
  return counts;
}

/// AvgPool with dilations -> the sum of what a window sees, divided by how many of its elements count, which shapes
/// alone tell.
Replacement dilated_average(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::v16::AvgPool>();
  const ElementType type = node.input_type(0).element_type;
  const auto windows = windows_of(node, op, op.rounding_type);
  if (!windows || windows->steps() > kMostPieces || !is_dilated(op.dilations) || !is_real(type))
    return Replacement::declined();
  std::vector<Integers> counts;
  for (const auto& axis : windows->axes) {
    counts.push_back(counted(axis, op.exclude_pad));
    if (std::find(counts.back().begin(), counts.back().end(), 0) != counts.back().end()) return Replacement::declined();
  }
  Value result = over_windows(rw, node.input(0), *windows, rw.scalar_like(node.input(0), 0), ops::Add{});
  double everywhere = 1;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (std::equal(counts[k].begin() + 1, counts[k].end(), counts[k].begin())) {
      everywhere *= static_cast<double>(counts[k].front());
      continue;
    }
    Shape shape(windows->out.size(), 1);
    shape[k + 2] = windows->out[k + 2];
    auto divisors = from_reals(type, shape, std::vector<double>(counts[k].begin(), counts[k].end()));
    if (!divisors) return std::move(divisors).error();
    result = rw.create(ops::Divide{}, result, rw.constant(*std::move(divisors)));
  }
  return everywhere == 1 ? result : rw.create(ops::Divide{}, result, rw.scalar_like(result, everywhere));
}

/// Rounding `ceil_torch` -> floor or ceil, whichever gives the same number of windows: then they are the same windows.
template <class New, class Old>
Node with_older_rounding(const Node& node, const Old& op, Rewriter& rw, bool may_ceil) {
  if (!node.output_type().shape.is_static()) return {};
  for (const auto rounding : {ops::RoundingType::floor, ops::RoundingType::ceil}) {
    if (rounding == ops::RoundingType::ceil && !may_ceil) break;
    New made;
    if constexpr (std::derived_from<New, ops::IndexedWindow>)
      static_cast<ops::IndexedWindow&>(made) = op;
    else
      static_cast<ops::SlidingWindow&>(made) = op;
    made.rounding_type = rounding;
    if constexpr (requires { made.exclude_pad; }) made.exclude_pad = op.exclude_pad;
    const Node candidate = rw.create_node(std::move(made), {node.input(0)});
    if (candidate.output_type().shape == node.output_type().shape) return candidate;
  }
  return {};
}

RewriteRule torch_max_pool() {
  return rewrite("MaxPoolWithTorchRounding")
      .match(pattern::op<ops::v14::MaxPool>())
      .rule([](const Match& m, Rewriter& rw) -> Replacement {
        const Node node = m.root().node();
        const Node made = with_older_rounding<ops::v8::MaxPool>(node, *node.as<ops::v14::MaxPool>(), rw, true);
        return made ? Replacement(Outputs{made.output(0), made.output(1)}) : Replacement::declined();
      });
}

RewriteRule torch_average_pool() {
  return rewrite("AvgPoolWithTorchRounding")
      .match(pattern::op<ops::v14::AvgPool>())
      .rule([](const Match& m, Rewriter& rw) -> Replacement {
        const Node node = m.root().node();
        const auto& op = *node.as<ops::v14::AvgPool>();
        // Where padding counts, `ceil` leaves open by what a last window that sticks out of it is divided.
        const Node made = with_older_rounding<ops::v1::AvgPool>(node, op, rw, op.exclude_pad);
        return made ? Replacement(made.output()) : Replacement::declined();
      });
}

Replacement older_torch_average(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::v14::AvgPool>();
  if (op.exclude_pad) return average_that_ceils(node, op, rw);
  const Value average = average_of_padded(node, op, rw);
  return average ? Replacement(average) : Replacement::declined();
}

Replacement older_torch_max_pool(const Node& node, Rewriter& rw) {
  return max_pool_that_ceils(node, *node.as<ops::v14::MaxPool>(), rw);
}

}  // namespace

/// Poolings of op set 14 that say the same as older ones, for all targets; and poolings that the target does not read.
void register_lower_pooling(PassRegistry& passes) {
  passes.add(graph_rewrite("LowerPooling")
                 .phase(Phase::back)
                 .run_after({"LowerOpSets"})
                 .add(torch_max_pool())
                 .add(torch_average_pool())
                 .add(where_too_new(lowering<ops::v14::AvgPool>("OlderTorchAvgPool", older_torch_average)))
                 .add(where_too_new(lowering<ops::v14::MaxPool>("OlderTorchMaxPool", older_torch_max_pool)))
                 .add(where_too_new(lowering<ops::v8::MaxPool>("MaxPoolDecomposition", max_pool)))
                 .add(where_too_new(lowering<ops::v16::AvgPool>("DilatedAvgPoolDecomposition", dilated_average))));
}

}  // namespace mo::transformations
