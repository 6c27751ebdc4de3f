#include "ops/support/port_map.hpp"

#include <algorithm>
#include <cstring>

#include "core/graph/graph.hpp"
#include "ops/reference/axis.hpp"

namespace mo::ops {
namespace {

Expected<void> check_place(const InferContext& ctx, std::string_view what, std::int64_t place, std::size_t count) {
  if (place >= 0 && static_cast<std::uint64_t>(place) < count) return {};
  return ctx.error("MO-OPS-0410", "a port map names {} {} of {}", what, place, count)
      .hint("the IR is corrupt: convert the original model again");
}

Diagnostic fed_wrong(const InferContext& ctx, std::string_view what, std::size_t place, int times) {
  return ctx.error("MO-OPS-0411", "{} {} is fed by {} port maps instead of one", what, place, times)
      .hint("the IR is corrupt: convert the original model again");
}

/// First element of a slice, from the front.
std::int64_t slice_begin(const InputMap& map, std::int64_t size, std::int64_t iteration) {
  const std::int64_t start = map.start < 0 ? map.start + size : map.start;
  return map.stride > 0 ? start + iteration * map.part_size : start + 1 - (iteration + 1) * map.part_size;
}

}  // namespace

Expected<void> check_port_maps(const InferContext& ctx, const Graph& body, const std::vector<InputMap>& inputs,
                               const std::vector<OutputMap>& outputs, MapRules rules) {
  const std::size_t result_count = body.results().size();
  std::vector<int> fed(body.parameters().size());
  for (const InputMap& map : inputs) {
    MO_TRY(check_place(ctx, "Parameter", map.parameter, fed.size()));
    if (!(rules.loop && map.input == -1)) MO_TRY(check_place(ctx, "input", map.input, ctx.input_count()));
    if (map.axis && (!rules.sliced || map.input == -1))
      return ctx.error("MO-OPS-0410", "the port map of Parameter {} slices what cannot be sliced", map.parameter)
          .hint("leave the axis out");
    ++fed[static_cast<std::size_t>(map.parameter)];
  }
  for (std::size_t i = 0; i < fed.size(); ++i)
    if (fed[i] != 1) return fed_wrong(ctx, "Parameter", i, fed[i]);

  std::vector<int> made(ctx.output_count());
  int conditions = 0;
  for (const OutputMap& map : outputs) {
    MO_TRY(check_place(ctx, "Result", map.result, result_count));
    if (map.axis && (!rules.sliced || map.output == -1))
      return ctx.error("MO-OPS-0410", "the port map of Result {} concatenates what cannot be concatenated", map.result)
          .hint("leave the axis out");
    if (rules.loop && map.output == -1) {
      ++conditions;
      continue;
    }
    // A node may leave out its last outputs; what the map says of them is not needed.
    if (map.output < 0) return check_place(ctx, "output", map.output, made.size());
    if (static_cast<std::uint64_t>(map.output) < made.size()) ++made[static_cast<std::size_t>(map.output)];
  }
  for (std::size_t i = 0; i < made.size(); ++i)
    if (made[i] != 1) return fed_wrong(ctx, "output", i, made[i]);
  if (rules.loop && conditions > 1) return fed_wrong(ctx, "the condition, output", 0, conditions);
  return {};
}

Expected<void> check_back_edges(const InferContext& ctx, const Graph& body, const std::vector<InputMap>& inputs,
                                const std::vector<BackEdge>& edges) {
  std::vector<int> carried(body.parameters().size());
  const std::size_t result_count = body.results().size();
  for (const BackEdge& edge : edges) {
    MO_TRY(check_place(ctx, "Result", edge.result, result_count));
    MO_TRY(check_place(ctx, "Parameter", edge.parameter, carried.size()));
    const auto map =
        std::find_if(inputs.begin(), inputs.end(), [&](const InputMap& m) { return m.parameter == edge.parameter; });
    if (map == inputs.end() || map->axis || map->input == -1 || ++carried[static_cast<std::size_t>(edge.parameter)] > 1)
      return ctx.error("MO-OPS-0412", "Parameter {} cannot be carried from one iteration to the next", edge.parameter)
          .hint("a carried Parameter has one back edge, and a port map that gives its first value whole");
  }
  return {};
}

Expected<Dimension> slice_count(const InferContext& ctx, const InputMap& map, const Dimension& size) {
  const auto fail = [&](std::string_view why) {
    return ctx
        .error("MO-OPS-0413", "input {} of size {} cannot be sliced from {} to {} by {} in parts of {}: {}", map.input,
               size.to_string(), map.start, map.end, map.stride, map.part_size, why)
        .hint("start and end lie in the dimension, and the parts cover the range between them");
  };
  constexpr std::int64_t kLargest = std::int64_t{1} << 40;
  if (map.part_size < 1 || map.part_size > kLargest || (map.stride != map.part_size && map.stride != -map.part_size))
    return fail("the stride is not the size of a part");
  if (!size.is_known()) {
    const bool whole = map.stride > 0 ? map.start == 0 && map.end == -1 : map.start == -1 && map.end == 0;
    return whole ? size.floor_div(map.part_size) : Dimension();
  }
  const std::int64_t length = size.value();
  if (length == 0) return Dimension(0);
  const auto inside = [&](std::int64_t place) { return place >= -length && place < length; };
  if (!inside(map.start) || !inside(map.end)) return fail("it begins or ends outside");
  const std::int64_t start = map.start < 0 ? map.start + length : map.start;
  const std::int64_t end = map.end < 0 ? map.end + length : map.end;
  const std::int64_t way = map.stride > 0 ? end - start + 1 : start - end + 1;
  if (way < 0) return fail("it ends before it begins");
  if (way % map.part_size != 0) return fail("the last part is not full");
  return Dimension(way / map.part_size);
}

Expected<Tensor> take_slice(const Tensor& data, const InputMap& map, std::int64_t iteration) {
  const std::int64_t axis = *normalize_axis(*map.axis, data.rank());
  const reference::AxisView view = reference::view_axis(data.shape(), axis);
  Shape shape = data.shape();
  shape[static_cast<std::size_t>(axis)] = map.part_size;
  MO_ASSIGN(Tensor slice, Tensor::allocate(data.element_type(), shape));
  const auto width = static_cast<std::int64_t>(bit_width(data.element_type()) / 8);
  const std::int64_t row = view.inner * width;
  const std::int64_t begin = slice_begin(map, view.size, iteration);
  const std::byte* from = data.bytes().data();
  std::byte* to = slice.mutable_bytes().data();
  if (row > 0)
    for (std::int64_t o = 0; o < view.outer; ++o)
      std::memcpy(to + o * map.part_size * row, from + (o * view.size + begin) * row,
                  static_cast<std::size_t>(map.part_size * row));
  return slice;
}

Expected<Tensor> concatenate_iterations(const EvalContext& ctx, const std::vector<Tensor>& parts, std::int64_t axis,
                                        bool reversed) {
  MO_ASSERT(!parts.empty(), "no iteration to concatenate");
  const Tensor& first = parts.front();
  const auto place = normalize_axis(axis, first.rank());
  const auto fail = [&](const Tensor& part) {
    return ctx
        .error("MO-OPS-0414", "iterations gave {} and {}, which cannot be concatenated along axis {}",
               first.type().to_string(), part.type().to_string(), axis)
        .hint("the body must give the same shape in every iteration");
  };
  if (!place || bit_width(first.element_type()) % 8 != 0 || bit_width(first.element_type()) == 0) return fail(first);
  Shape shape = first.shape();
  std::int64_t& total = shape[static_cast<std::size_t>(*place)];
  total = 0;
  for (const Tensor& part : parts) {
    if (part.element_type() != first.element_type() || part.rank() != first.rank()) return fail(part);
    for (std::size_t d = 0; d < shape.size(); ++d)
      if (static_cast<std::int64_t>(d) != *place && part.shape()[d] != first.shape()[d]) return fail(part);
    total += part.shape()[static_cast<std::size_t>(*place)];
  }
  MO_ASSIGN(Tensor out, Tensor::allocate(first.element_type(), shape));
  if (out.element_count() == 0) return out;
  const reference::AxisView view = reference::view_axis(shape, *place);
  const std::int64_t row = view.inner * static_cast<std::int64_t>(bit_width(first.element_type()) / 8);
  std::byte* to = out.mutable_bytes().data();
  for (std::int64_t o = 0; o < view.outer; ++o)
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const Tensor& part = parts[reversed ? parts.size() - 1 - k : k];
      const auto bytes = static_cast<std::size_t>(part.shape()[static_cast<std::size_t>(*place)] * row);
      if (bytes > 0) std::memcpy(to, part.bytes().data() + static_cast<std::size_t>(o) * bytes, bytes);
      to += bytes;
    }
  return out;
}

Expected<TensorType> widen(const InferContext& ctx, const TensorType& a, const TensorType& b) {
  TensorType wide;
  wide.element_type = a.element_type == ElementType::dynamic ? b.element_type : a.element_type;
  if (b.element_type != ElementType::dynamic && b.element_type != wide.element_type)
    return ctx.error("MO-OPS-0415", "the same value is {} on one path and {} on another", a.to_string(), b.to_string())
        .hint("both must have the same element type; add a Cast to the model");
  if (!a.shape.has_rank() || !b.shape.has_rank() || a.shape.size() != b.shape.size()) return wide;
  wide.shape = a.shape;
  for (std::size_t i = 0; i < wide.shape.size(); ++i)
    if (a.shape[i].min() != b.shape[i].min() || a.shape[i].max() != b.shape[i].max()) wide.shape[i] = Dimension();
  return wide;
}

}  // namespace mo::ops
