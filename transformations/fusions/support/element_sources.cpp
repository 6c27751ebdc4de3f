#include "transformations/fusions/support/element_sources.hpp"

#include "core/graph/values.hpp"
#include "core/inference/evaluate.hpp"
#include "core/op/eval_context.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::transformations {
namespace {

using Sources = std::vector<ElementSource>;

constexpr std::int64_t kMostElements = 64;
constexpr int kMostDepth = 64;
constexpr int kMostSteps = 1024;  // nodes that are looked at

Sources search(const Value& value, int depth, int& steps);

/// An op that moves elements, evaluated on their places in the list of all sources.
Sources moved(const Node& node, std::size_t output, int depth, int& steps) {
  const OpType& type = node.op_type();
  Sources all(1);  // number 0: an element that the op adds itself (padding)
  std::vector<Tensor> inputs(node.in_port_count());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!node.input(i)) continue;
    if ((type.traits.moves_elements >> std::min<std::size_t>(i, 31) & 1U) == 0) {
      const Tensor* known = node.input(i).data().value();
      if (!known) return {};
      inputs[i] = *known;
      continue;
    }
    const Sources sources = search(node.input(i), depth + 1, steps);
    const auto shape = node.input_type(i).shape.to_shape();
    if (sources.empty() || !shape) return {};
    std::vector<std::int64_t> ids;
    for (const ElementSource& source : sources) {
      ids.push_back(static_cast<std::int64_t>(all.size()));
      all.push_back(source);
    }
    inputs[i] = Tensor::of<std::int64_t>(*shape, ids);
  }
  const auto results = evaluate_op(type, node.payload(), std::move(inputs), node.out_port_count());
  if (!results) return {};
  Sources sources;
  for (const std::int64_t id : (*results)[output].values<std::int64_t>())
    sources.push_back(all[static_cast<std::size_t>(id)]);
  return sources;
}

/// a + sign * b, where one of both is a constant.
Sources sum(const Node& node, std::int64_t sign, int depth, int& steps) {
  Sources a = search(node.input(0), depth + 1, steps);
  Sources b = search(node.input(1), depth + 1, steps);
  if (a.size() == 1) a.resize(b.size(), a.front());
  if (b.size() == 1) b.resize(a.size(), b.front());
  if (a.empty() || a.size() != b.size()) return {};
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (b[i].tensor && (a[i].tensor || sign < 0)) return {};
    a[i] = {a[i].tensor ? a[i].tensor : b[i].tensor, a[i].tensor ? a[i].index : b[i].index,
            a[i].offset + sign * b[i].offset};
  }
  return a;
}

Sources behind(const Value& value, int depth, int& steps) {
  if (const auto numbers = constant_integers_of(value, kMostElements)) {
    Sources sources;
    for (const std::int64_t number : *numbers) sources.push_back({.offset = number});
    return sources;
  }
  const Node node = value.node();
  if (depth > kMostDepth || ++steps > kMostSteps) return {};
  if (node.is<ops::Convert>() && is_integral(node.input_type(0).element_type))
    return search(node.input(0), depth + 1, steps);
  if (node.is<ops::Add>()) return sum(node, 1, depth, steps);
  if (node.is<ops::Subtract>()) return sum(node, -1, depth, steps);
  if (node.op_type().traits.moves_elements != 0 && node.op_type().evaluate)
    return moved(node, value.index(), depth, steps);
  return {};
}

Sources search(const Value& value, int depth, int& steps) {
  const auto count = value.type().shape.element_count();
  const ElementType type = value.type().element_type;
  if (!count || *count > kMostElements || (type != ElementType::i32 && type != ElementType::i64)) return {};
  Sources sources = behind(value, depth, steps);
  if (static_cast<std::int64_t>(sources.size()) == *count) return sources;
  sources.clear();
  for (std::int64_t i = 0; i < *count; ++i) sources.push_back({value, i, 0});
  return sources;
}

}  // namespace

std::vector<ElementSource> element_sources(const Value& value) {
  int steps = 0;
  return search(value, 0, steps);
}

std::vector<std::optional<std::int64_t>> known_elements(const Value& value) {
  const auto count = value.type().shape.element_count();
  if (!count || *count > kMostElements) return {};
  std::vector<std::optional<std::int64_t>> elements(static_cast<std::size_t>(*count));
  const auto numbers = integers_of(value);
  const PartialValue* partial = value.data().partial_value();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (numbers && i < numbers->size()) elements[i] = (*numbers)[i];
    if (!numbers && partial && i < partial->elements.size() && partial->elements[i].is_known())
      elements[i] = partial->elements[i].value();
  }
  return elements;
}

std::vector<std::optional<std::int64_t>> constant_differences(const Value& a, const Value& b) {
  const Sources from_a = element_sources(a);
  const Sources from_b = element_sources(b);
  if (from_a.size() != from_b.size()) return {};
  const auto known_a = known_elements(a);
  const auto known_b = known_elements(b);
  std::vector<std::optional<std::int64_t>> differences(from_a.size());
  for (std::size_t i = 0; i < from_a.size(); ++i) {
    const ElementSource& x = from_a[i];
    const ElementSource& y = from_b[i];
    const bool same_source = x.tensor ? y.tensor && x.index == y.index && same_tensor(x.tensor, y.tensor) : !y.tensor;
    if (same_source) {
      differences[i] = x.offset - y.offset;
    } else if (known_a[i] && known_b[i]) {
      differences[i] = *known_a[i] - *known_b[i];
    }
  }
  return differences;
}

}  // namespace mo::transformations
