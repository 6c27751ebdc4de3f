#include <algorithm>
#include <cmath>

#include "core/execution/recipe.hpp"
#include "core/graph/values.hpp"
#include "core/inference/infer.hpp"
#include "core/rewrite.hpp"
#include "core/tensor/convert.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::transformations {
namespace {

constexpr double kTolerance = 1e-4;

/// The zero points as whole numbers of 8 bits; nothing when they are none.
std::optional<Tensor> whole_zero_points(const Value& zero_point) {
  const auto numbers = reals_of(zero_point);
  const auto shape = zero_point.type().shape.to_shape();
  if (!numbers || !shape) return std::nullopt;
  std::vector<double> whole;
  for (const double number : *numbers) {
    whole.push_back(std::nearbyint(number));
    if (!(std::abs(number - whole.back()) <= kTolerance) || std::abs(whole.back()) > 127) return std::nullopt;
  }
  auto tensor = from_reals(ElementType::i8, *shape, whole);
  return tensor ? std::optional(*std::move(tensor)) : std::nullopt;
}

/// weights - zero_point in 8 bits; nothing when some number does not fit.
Expected<std::optional<Tensor>> shifted(const Tensor& weights, const Tensor& zero_point) {
  const auto wide = [](const Tensor& x) {
    return make_recipe(ops::Convert{.destination_type = ElementType::i16}, {x}, 1, 0,
                       {ElementType::i16, PartialShape(x.shape())});
  };
  MO_ASSIGN(const Tensor a, wide(weights));
  MO_ASSIGN(const Tensor b, wide(zero_point));
  MO_ASSIGN(const Tensor recipe, make_recipe(ops::Subtract{}, {a, b}, 1, 0, a.type()));
  MO_ASSIGN(const Tensor difference, recipe.load());
  const auto fits = [](std::int16_t x) { return x >= -128 && x <= 127; };
  const std::span<const std::int16_t> numbers = difference.values<std::int16_t>();
  if (!std::all_of(numbers.begin(), numbers.end(), fits)) return std::optional<Tensor>();
  MO_ASSIGN(Tensor made, convert(difference, ElementType::i8));
  return std::optional(std::move(made));
}

}  // namespace

void register_zero_point_optimizer(PassRegistry& passes) {
  using namespace pattern;
  const Pat weights = constant();
  const Pat real = op<ops::Convert>(weights);
  const Pat zero_point = constant();
  passes.offer(
      rewrite("ZeroPointOptimizer")
          .described("Convert(q) - zero_point", "Convert(q - zero_point)",
                     "q is a constant of type i8, zero_point a constant of integers, and the difference fits into i8")
          .match(op<ops::Subtract>(real, zero_point))
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            const Tensor& stored = m.node(weights).as<Const>()->value;
            if (stored.element_type() != ElementType::i8) return declined("the weights are not of type i8");
            if (m.root().type().shape != m[weights].type().shape)
              return declined("the zero point has more dimensions than the weights");
            const auto points = whole_zero_points(m[zero_point]);
            if (!points) return declined("the zero point is not an integer of 8 bits");
            auto moved = shifted(stored, *points);
            if (!moved) return std::move(moved).error();
            if (!*moved) return declined("a weight would not fit into 8 bits");
            return rw.create(ops::Convert{.destination_type = m.root().type().element_type},
                             rw.constant(**std::move(moved)));
          }));
}

}  // namespace mo::transformations
