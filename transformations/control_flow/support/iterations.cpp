#include "transformations/control_flow/support/iterations.hpp"

#include <algorithm>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "ops/build/lengths.hpp"
#include "ops/loop.hpp"
#include "ops/split.hpp"

namespace mo::transformations {
namespace {

/// The condition that the body of a Loop gives for the next iteration; empty when it is said nowhere.
Value next_condition(const LoopParts& parts) {
  const std::vector<Node> results = parts.body->results();
  for (const ops::OutputMap& map : *parts.outputs)
    if (map.output == -1) return results[static_cast<std::size_t>(map.result)].input(0);
  return {};
}

std::optional<std::int64_t> loop_count(const Node& node, const LoopParts& parts) {
  const auto enter = single_integer_of(node.input(1));
  const auto trips = single_integer_of(node.input(0));
  if (enter == 0 || trips == 0) return 0;
  const Value condition = next_condition(parts);
  const auto go_on = condition ? single_integer_of(condition) : std::nullopt;
  if (!enter || !trips || !go_on) return std::nullopt;
  if (*go_on == 0 || *trips == 1) return 1;
  return *trips > 0 ? trips : std::nullopt;
}

/// The start of the first iteration's slice in a dimension of this size.
std::int64_t first_element(const ops::InputMap& map, std::int64_t size) {
  return map.start < 0 ? map.start + size : map.start;
}

}  // namespace

std::optional<std::int64_t> slice_count(const TensorType& type, const ops::InputMap& map) {
  const auto rank = type.rank();
  const auto axis = rank && map.axis ? normalize_axis(*map.axis, *rank) : std::nullopt;
  if (!axis || map.part_size < 1 || std::abs(map.stride) != map.part_size) return std::nullopt;
  const Dimension& size = type.shape[static_cast<std::size_t>(*axis)];
  if (!size.is_known()) return std::nullopt;
  const auto inside = [&](std::int64_t place) { return place >= -size.value() && place < size.value(); };
  if (!inside(map.start) || !inside(map.end)) return std::nullopt;
  const std::int64_t end = map.end < 0 ? map.end + size.value() : map.end;
  const std::int64_t begin = first_element(map, size.value());
  const std::int64_t way = map.stride > 0 ? end - begin + 1 : begin - end + 1;
  return way > 0 && way % map.part_size == 0 ? std::optional(way / map.part_size) : std::nullopt;
}

std::optional<std::int64_t> iteration_count(const Node& node, const LoopParts& parts) {
  std::optional<std::int64_t> count;
  if (parts.has_trip_count) {
    count = loop_count(node, parts);
    if (!count || *count == 0) return count;
  }
  for (const ops::InputMap& map : *parts.inputs) {
    if (map.input < 0 || !map.axis) continue;
    const auto slices = slice_count(node.input_type(static_cast<std::size_t>(map.input)), map);
    // A Loop may end before its slices do.
    if (!slices || (count && (parts.has_trip_count ? *slices < *count : slices != count))) return std::nullopt;
    if (!count) count = slices;
  }
  return count;
}

std::vector<Value> slices_of(Rewriter& rw, const Value& whole, const ops::InputMap& map, std::int64_t count) {
  const std::int64_t axis = *normalize_axis(*map.axis, *whole.type().rank());
  const std::int64_t size = whole.type().shape[static_cast<std::size_t>(axis)].value();
  if (size == map.part_size) return {whole};
  std::vector<Value> slices;
  if (size == count * map.part_size) {
    const Node split = rw.create_node(ops::Split{.num_splits = count}, {whole, rw.scalar<std::int64_t>(axis)},
                                      static_cast<std::size_t>(count));
    slices = split.out_ports();
    if (map.stride < 0) std::reverse(slices.begin(), slices.end());
    return slices;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t at = first_element(map, size) + i * map.stride;
    const std::int64_t begin = map.stride > 0 ? at : at - map.part_size + 1;
    slices.push_back(build::slice_along(rw, whole, axis, begin, begin + map.part_size));
  }
  return slices;
}

Value iteration_number(Rewriter& rw, const Node& parameter, std::int64_t iteration) {
  const TensorType& type = parameter.output_type();
  const auto shape = type.shape.to_shape();
  if (!shape || element_count(*shape) != 1) return {};
  auto number = from_integers(type.element_type, *shape, {iteration});
  return number ? rw.constant(*std::move(number)) : Value();
}

}  // namespace mo::transformations
