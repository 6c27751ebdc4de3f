#include "graph_transforms/support/constants.hpp"

#include "core/tensor/convert.hpp"

namespace mo::graph_transforms {
namespace {

constexpr std::int64_t kMostElements = 4096;

std::optional<Tensor> small_constant(const Node& node) {
  const std::optional<Tensor> value = op_of(node) == "Const" ? node.attr<Tensor>("value") : std::nullopt;
  return value && value->element_count() <= kMostElements ? value : std::nullopt;
}

}  // namespace

std::optional<std::vector<std::int64_t>> integers_in(const Node& node) {
  const std::optional<Tensor> value = small_constant(node);
  if (!value || !is_integral(value->element_type())) return std::nullopt;
  auto numbers = to_integers(*value);
  return numbers ? std::optional(*std::move(numbers)) : std::nullopt;
}

std::optional<double> single_number_in(const Node& node) {
  const std::optional<Tensor> value = small_constant(node);
  if (!value || value->element_count() != 1) return std::nullopt;
  const auto numbers = to_reals(*value);
  return numbers ? std::optional(numbers->front()) : std::nullopt;
}

bool are_equal_constants(const Node& a, const Node& b) {
  if (a == b) return true;
  const std::optional<Tensor> value = small_constant(a);
  return value && small_constant(b) && a.attribute("value") == b.attribute("value");
}

}  // namespace mo::graph_transforms
