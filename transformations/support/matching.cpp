#include "transformations/support/matching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "ops/reshape.hpp"
#include "ops/squeeze.hpp"
#include "transformations/support/aligned_shapes.hpp"

namespace mo::transformations {

std::optional<double> number_of(const Value& value) {
  const Const* constant = value ? value.node().as<Const>() : nullptr;
  if (!constant || constant->value.element_count() != 1) return std::nullopt;
  const auto numbers = to_reals(constant->value);
  return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
}

Pat number(double value) {
  return pattern::constant().where(
      [value](const Value& v) {
        const auto got = number_of(v);
        if (!got) return false;
        const ElementType type = v.node().as<Const>()->value.element_type();
        if (*got == value || !is_real(type)) return *got == value;
        const auto rounded = from_reals(type, {}, {value});
        const auto wanted = rounded ? to_reals(*rounded) : rounded.error();
        return (wanted && *got == wanted->front()) || std::abs(*got - value) <= 1e-5 * std::abs(value);
      },
      fmt::format("the number {}", value));
}

Pat one_number() {
  return pattern::constant().where([](const Value& v) { return number_of(v).has_value(); }, "one number");
}

std::optional<std::vector<std::int64_t>> known_axes(const Value& value, std::int64_t rank) {
  auto axes = integers_of(value);
  if (!axes) return std::nullopt;
  for (std::int64_t& axis : *axes) {
    const auto place = normalize_axis(axis, rank);
    if (!place) return std::nullopt;
    axis = *place;
  }
  std::sort(axes->begin(), axes->end());
  if (std::adjacent_find(axes->begin(), axes->end()) != axes->end()) return std::nullopt;
  return axes;
}

std::optional<std::vector<std::size_t>> known_order(const Node& transpose, std::size_t rank) {
  const auto numbers = integers_of(transpose.input(1));
  if (!numbers) return std::nullopt;
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (numbers->empty()) return std::vector<std::size_t>(order.rbegin(), order.rend());
  if (numbers->size() != rank) return std::nullopt;
  std::vector<bool> seen(rank, false);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t from = (*numbers)[i];
    if (from < 0 || from >= static_cast<std::int64_t>(rank) || seen[static_cast<std::size_t>(from)])
      return std::nullopt;
    order[i] = static_cast<std::size_t>(from);
    seen[order[i]] = true;
  }
  return order;
}

bool same_shape(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank()) return false;
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Dimension& x, const Dimension& y) { return x.same_value(y); });
}

bool same_rank(const Value& a, const Value& b) { return a.type().rank() && a.type().rank() == b.type().rank(); }

bool same_constant(const Value& a, const Value& b) {
  if (a == b) return true;
  constexpr std::uint64_t kMostBytes = std::uint64_t{64} * 1024;
  const Const* first = a ? a.node().as<Const>() : nullptr;
  const Const* second = b ? b.node().as<Const>() : nullptr;
  if (!first || !second || first->value.element_type() != second->value.element_type() ||
      first->value.shape() != second->value.shape())
    return false;
  if (first->value.buffer() == second->value.buffer() && first->value.offset() == second->value.offset()) return true;
  if (first->value.byte_size() > kMostBytes) return false;
  const auto x = first->value.load();
  const auto y = second->value.load();
  return x && y && std::ranges::equal(x->bytes(), y->bytes());
}

bool is_squeeze(const Node& node) {
  const auto* newer = node.as<ops::v15::Squeeze>();
  return node.is<ops::Squeeze>() || (newer && !newer->allow_axis_skip);
}

bool is_closed(const Match& match) {
  const std::vector<Node> nodes = match.nodes();
  const Node root = match.root().node();
  return std::all_of(nodes.begin(), nodes.end(), [&](const Node& node) {
    if (node == root) return true;
    for (const OutPort& port : node.out_ports())
      for (const InPort& reader : port.get_destinations())
        if (std::find(nodes.begin(), nodes.end(), reader.node()) == nodes.end()) return false;
    return true;
  });
}

namespace {

/// What meets `x` in the match is of rank 0, which changes no shape whatever the rank of `x`.
bool meets_scalars_only(const Match& match, const Value& x) {
  const std::vector<Node> nodes = match.nodes();
  return std::all_of(nodes.begin(), nodes.end(), [&](const Node& node) {
    const std::vector<InPort> ports = node.in_ports();
    return std::all_of(ports.begin(), ports.end(), [&](const InPort& port) {
      const Value source = port.get_source();
      return !source || source == x || source.type().rank() == 0 ||
             std::find(nodes.begin(), nodes.end(), source.node()) != nodes.end();
    });
  });
}

}  // namespace

bool is_activation_of(const Match& match, const Value& x) {
  if (!is_real(x.type().element_type) || !can_stand_for(match.root(), x) || !is_closed(match)) return false;
  return same_rank(match.root(), x) || (!x.type().rank() && meets_scalars_only(match, x));
}

Value reshaped(Rewriter& rw, const Value& constant, const std::vector<std::int64_t>& shape) {
  return rw.fold(ops::Reshape{.special_zero = false}, constant, rw.integers(shape));
}

Value as_scalar(Rewriter& rw, const Value& constant) {
  return constant.type().rank() == 0 ? constant : reshaped(rw, constant, {});
}

std::optional<TensorAndConstant> tensor_and_constant(const Node& node) {
  if (node.in_port_count() != 2 || !node.input(0) || !node.input(1)) return std::nullopt;
  const bool first = node.input(0).node().is<Const>();
  if (first == node.input(1).node().is<Const>()) return std::nullopt;
  return TensorAndConstant{node.input(first ? 1 : 0), node.input(first ? 0 : 1)};
}

}  // namespace mo::transformations
