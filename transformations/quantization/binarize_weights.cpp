#include <cmath>

#include "ops/convolution.hpp"
#include "transformations/quantization/support/quantization.hpp"

namespace mo::transformations {
namespace {

using RealNumbers = std::vector<double>;

/// The element of `numbers` ([O, 1, …], or one number) that belongs to element `i` of weights of which `per_channel`
/// make an output channel.
double of_channel(const RealNumbers& numbers, std::size_t i, std::size_t per_channel) {
  return numbers.size() == 1 ? numbers[0] : numbers[i / per_channel];
}

/// Limits that are one number, or one for each output channel of the weights.
std::optional<RealNumbers> limits_of(const Value& limit, const Shape& weights) {
  auto numbers = constant_reals_of(limit);
  if (!numbers || numbers->empty()) return std::nullopt;
  const Shape& shape = shape_of_constant(limit);
  const bool per_channel =
      shape.size() == weights.size() && shape.front() == weights.front() && element_count(shape) == shape.front();
  return numbers->size() == 1 || per_channel ? numbers : std::nullopt;
}

/// Which of the two levels each weight comes to: 1 for the upper one, -1 for the lower one.
RealNumbers signs_of(const RealNumbers& weights, const RealNumbers& low, const RealNumbers& high,
                     std::size_t per_channel) {
  RealNumbers signs;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double least = of_channel(low, i, per_channel);
    const double most = of_channel(high, i, per_channel);
    const bool is_upper =
        weights[i] > std::max(least, most) ||
        (weights[i] > std::min(least, most) && std::nearbyint((weights[i] - least) / (most - least)) == 1);
    signs.push_back(is_upper ? 1 : -1);
  }
  return signs;
}

bool are_opposite(const RealNumbers& low, const RealNumbers& high) {
  return low.size() == high.size() &&
         std::equal(low.begin(), low.end(), high.begin(), [](double a, double b) { return a == -b && b != 0; });
}

}  // namespace

void register_binarize_weights(PassRegistry& passes) {
  using namespace pattern;
  const Quantize data(any());
  const Quantize weights(constant(), constant(), constant());
  const Pat activations = data.op.one_use();
  const Pat filters = weights.op.one_use();
  const Pat root = op<ops::Convolution>(activations, filters);
  passes.offer(rewrite("BinarizeWeights")
                   .described("Convolution(FakeQuantize(x) to 0 and a, or -a and a; FakeQuantize(w) to -b and b)",
                              "Convolution(FakeQuantize(x) to 0 and 1, or -1 and 1; ±1) * a * b",
                              "2 levels in both; a is one number, b one number or one for each output channel; w and "
                              "all its limits are constants; nothing else reads what is quantised")
                   .match(root)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node conv = m.node(root);
                     if (m.node(activations).as<ops::FakeQuantize>()->levels != 2 ||
                         m.node(filters).as<ops::FakeQuantize>()->levels != 2)
                       return declined("the levels are not 2");
                     const auto low = number_of(m[data.out_low]);
                     const auto high = number_of(m[data.out_high]);
                     if (!low || !high || *high == 0 || (*low != 0 && *low != -*high))
                       return declined("the data are not quantised to 0 and a, or -a and a");
                     const Shape& shape = shape_of_constant(m[weights.data]);
                     const auto numbers = constant_reals_of(m[weights.data]);
                     const auto in_low = limits_of(m[weights.low], shape);
                     const auto in_high = limits_of(m[weights.high], shape);
                     const auto out_low = limits_of(m[weights.out_low], shape);
                     const auto out_high = limits_of(m[weights.out_high], shape);
                     if (!numbers || numbers->empty() || !in_low || !in_high || !out_low || !out_high ||
                         !are_opposite(*out_low, *out_high))
                       return declined("the weights are not quantised to -b and b");
                     const std::size_t per_channel = numbers->size() / static_cast<std::size_t>(shape.front());
                     const Value signs =
                         reals_like(rw, m[weights.data], shape, signs_of(*numbers, *in_low, *in_high, per_channel));
                     const Value unit_low =
                         reals_like(rw, m[data.out_low], shape_of_constant(m[data.out_low]), {*low == 0 ? 0.0 : -1.0});
                     const Value unit_high = reals_like(rw, m[data.out_high], shape_of_constant(m[data.out_high]), {1});
                     const Node quantized = rw.copy_with_new_inputs(
                         m.node(activations), {m[data.data], m[data.low], m[data.high], unit_low, unit_high});
                     Shape aligned(shape.size() - 1, 1);
                     aligned.front() = static_cast<std::int64_t>(out_high->size());
                     const Value result = rw.copy_with_new_inputs(conv, {quantized.output(), signs}).output();
                     return rw.create(ops::Multiply{}, rw.create(ops::Multiply{}, result, m[data.out_high]),
                                      reals_like(rw, m[weights.out_high], aligned, *out_high));
                   }));
}

}  // namespace mo::transformations
