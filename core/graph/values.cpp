#include "core/graph/values.hpp"

#include <algorithm>

#include "core/graph/graph.hpp"
#include "core/tensor/convert.hpp"

namespace mo {
namespace {

const Tensor* known(const Value& value, std::int64_t most) {
  const Tensor* tensor = value ? value.data().value() : nullptr;
  return tensor && tensor->element_count() <= most ? tensor : nullptr;
}

/// The attributes of two nodes of one op; those that are private to the framework (where a node was placed …) do not
/// count.
bool same_meaning(const Node& a, const Node& b) {
  if (!a.op_type().dynamic) return same_attributes(a.op_type(), a.payload(), b.payload());
  const auto covers = [](const AttributeMap& all, const AttributeMap& some) {
    return std::all_of(some.begin(), some.end(), [&](const auto& item) {
      const AttributeValue* other = item.name.starts_with('_') ? nullptr : all.find(item.name);
      return item.name.starts_with('_') || (other && *other == item.value);
    });
  };
  const auto& first = *static_cast<const AttributeMap*>(a.payload());
  const auto& second = *static_cast<const AttributeMap*>(b.payload());
  return covers(first, second) && covers(second, first);
}

bool same(Value a, Value b, Value (*behind)(Value), int& budget) {
  if (behind) {
    a = behind(a);
    b = behind(b);
  }
  if (!a || !b || a == b) return a == b;
  if (--budget <= 0) return false;
  const auto x = whole_number_of(a);
  const auto y = whole_number_of(b);
  if (x && y) return *x == *y && a.type().shape == b.type().shape;
  constexpr std::uint64_t kComparedBytes = 4096;
  const Node m = a.node();
  const Node n = b.node();
  if (!m.op_type().same_op(n.op_type()) || a.index() != b.index() || m.in_port_count() != n.in_port_count() ||
      m.is<Parameter>())
    return false;
  if (m.op_type().traits.stateful || m.op_type().traits.owns_bodies || (m.op_type().dynamic && m.in_port_count() == 0))
    return false;
  if (const auto* c = m.as<Const>(); c && c->value.byte_size() > kComparedBytes) return false;
  if (const auto* c = n.as<Const>(); c && c->value.byte_size() > kComparedBytes) return false;
  if (!same_meaning(m, n)) return false;
  for (std::size_t i = 0; i < m.in_port_count(); ++i)
    if (!same(m.input(i), n.input(i), behind, budget)) return false;
  return true;
}

}  // namespace

const TensorType& type_of(const Value& value) {
  static const TensorType unknown;
  return value ? value.type() : unknown;
}

bool has_one_element(const Value& value) { return type_of(value).shape.element_count() == 1; }

std::optional<std::vector<std::int64_t>> integers_of(const Value& value, std::int64_t most) {
  const Tensor* tensor = known(value, most);
  if (!tensor) return std::nullopt;
  auto numbers = to_integers(*tensor);
  return numbers ? std::optional(*std::move(numbers)) : std::nullopt;
}

std::optional<std::vector<double>> reals_of(const Value& value, std::int64_t most) {
  const Tensor* tensor = known(value, most);
  if (!tensor) return std::nullopt;
  auto numbers = to_reals(*tensor);
  return numbers ? std::optional(*std::move(numbers)) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> constant_integers_of(const Value& value, std::int64_t most) {
  return value && value.node().is<Const>() ? integers_of(value, most) : std::nullopt;
}

std::optional<std::int64_t> single_integer_of(const Value& value) {
  const auto numbers = integers_of(value, 1);
  return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
}

std::optional<double> single_real_of(const Value& value) {
  const auto numbers = reals_of(value, 1);
  return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
}

std::optional<std::int64_t> whole_number_of(const Value& value) {
  const ElementType type = type_of(value).element_type;
  return is_integral(type) || type == ElementType::boolean ? single_integer_of(value) : std::nullopt;
}

bool same_tensor(const Value& a, const Value& b, Value (*behind)(Value)) {
  int budget = 100;
  return same(a, b, behind, budget);
}

bool none_negative(const std::optional<std::vector<std::int64_t>>& numbers) {
  return numbers && std::none_of(numbers->begin(), numbers->end(), [](std::int64_t v) { return v < 0; });
}

}  // namespace mo
