#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/build/term.hpp"
#include "ops/multinomial.hpp"
#include "ops/random_uniform.hpp"
#include "ops/top_k.hpp"

namespace mo::tensorflow {
namespace {

struct Seeds {
  std::int64_t global = 0;
  std::int64_t op = 0;
};

/// Seeds of the IR are not negative.
std::int64_t as_seed(std::int64_t number) { return number & std::numeric_limits<std::int64_t>::max(); }

/// Both seeds 0: other numbers in each run.
Seeds seeds_of_attributes(const FrameworkNode& node) {
  return {as_seed(node.attr<std::int64_t>("seed", 0)), as_seed(node.attr<std::int64_t>("seed2", 0))};
}

/// A stateless op gives the same numbers in each run, so that the seeds are never both 0.
Seeds fixed_seeds(std::int64_t global, std::int64_t op) {
  return global == 0 && op == 0 ? Seeds{0, 1} : Seeds{as_seed(global), as_seed(op)};
}

Seeds seeds_of_input(const FrameworkNode& node, std::size_t seed_input) {
  const auto known = integers_of(node.input(seed_input));
  return known && known->size() == 2 ? fixed_seeds((*known)[0], (*known)[1]) : Seeds{0, 1};
}

/// From version 2 on a key and a counter take the place of the seeds; `key_and_counter` puts the seeds there.
Seeds seeds_of_key(const FrameworkNode& node) {
  const auto key = integers_of(node.input(1));
  const auto counter = integers_of(node.input(2));
  return key && counter && key->size() == 1 && !counter->empty() ? fixed_seeds(key->front(), counter->front())
                                                                 : Seeds{0, 1};
}

void warn_of_other_numbers(const FrameworkNode& node) {
  node.warn(node.node()
                .warning("MO-TF-0700",
                         "the random numbers differ from those of TensorFlow; only their distribution is the same")
                .hint("feed them as an input of the model with --input if the exact values matter"));
}

Term uniform(Rewriter& rw, const Value& shape, ElementType type, const Value& low, const Value& high,
             const Seeds& seeds) {
  return {rw,
          rw.create(ops::RandomUniform{.output_type = type, .global_seed = seeds.global, .op_seed = seeds.op}, shape,
                    low, high),
          type};
}

Term uniform(Rewriter& rw, const Value& shape, ElementType type, double low, double high, const Seeds& seeds) {
  const Term any(rw, shape, type);
  const Term from = any.number(low);
  return uniform(rw, shape, type, from, any.number(high), seeds);
}

/// Box and Muller: sqrt(-2 ln u) * cos(2 pi v), u in (0, 1), v in [0, 1)
Term normal(Rewriter& rw, const Value& shape, ElementType type, const Seeds& seeds) {
  constexpr std::int64_t kOtherSequence = 10'000;
  Seeds other = seeds;
  // both 0: any numbers
  if (seeds.global != 0 || seeds.op != 0) other.op = seeds.op == kOtherSequence ? 1 : seeds.op ^ kOtherSequence;
  const Term u = uniform(rw, shape, type, static_cast<double>(std::numeric_limits<float>::min()), 1, seeds);
  const Term v = uniform(rw, shape, type, 0, 1, other);
  return (u.apply(ops::Log{}) * -2).apply(ops::Sqrt{}) * (v * (2 * std::numbers::pi)).apply(ops::Cos{});
}

/// Normal numbers in (-2, 2): sqrt(2) * erfinv(u) for u uniform in +-erf(sqrt(2)), where one polynomial in w = -ln((1 -
/// u)(1 + u)) - 2.5 is enough (M. Giles, Approximating the erfinv function, the central branch).
Term truncated(Rewriter& rw, const Value& shape, ElementType type, const Seeds& seeds) {
  constexpr std::array<double, 9> kCoefficients{2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                                -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                                -0.00417768164,  0.246640727,    1.50140941};
  const double limit = std::erf(std::numbers::sqrt2);
  const Term u = uniform(rw, shape, type, -limit, limit, seeds);
  const Term w = ((1 - u) * (u + 1)).apply(ops::Log{}).apply(ops::Negative{}) - 2.5;
  Term sum = w * kCoefficients[0] + kCoefficients[1];
  for (std::size_t i = 2; i < kCoefficients.size(); ++i) sum = sum * w + kCoefficients[i];
  return u * sum * std::numbers::sqrt2;
}

enum class Distribution { uniform, integers, normal, truncated };

/// Numbers of a shape (input 0); integers lie between inputs `limits` and `limits` + 1.
Replacement random_numbers(const FrameworkNode& node, Rewriter& rw, Distribution distribution, ElementType type,
                           const Seeds& seeds, std::size_t limits) {
  MO_TRY(node.expect_inputs(distribution == Distribution::integers ? limits + 2 : 1));
  const Value shape = node.input(0);
  if (distribution == Distribution::integers)
    return uniform(rw, shape, type, as_scalar(rw, node.input(limits)), as_scalar(rw, node.input(limits + 1)), seeds)
        .value();
  if (!is_real(type))
    return node.error("MO-TF-0701", "random numbers of type {} are requested", to_string(type))
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  if (distribution == Distribution::uniform) return uniform(rw, shape, type, 0, 1, seeds).value();
  const ElementType computed = type == ElementType::f64 ? type : ElementType::f32;
  const bool whole = distribution == Distribution::normal;
  return (whole ? normal(rw, shape, computed, seeds) : truncated(rw, shape, computed, seeds)).as(type).value();
}

Translator stateful(Distribution distribution) {
  return [distribution](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    const bool integers = distribution == Distribution::integers;
    if (!integers && distribution != Distribution::uniform) warn_of_other_numbers(node);
    const auto type = node.required<ElementType>(integers ? "Tout" : "dtype");
    if (node.failure()) return *node.failure();
    return random_numbers(node, rw, distribution, type, seeds_of_attributes(node), 1);
  };
}

/// Inputs: shape, seed [2] (limits).
Translator stateless(Distribution distribution) {
  return [distribution](const FrameworkNode& node, Rewriter& rw) {
    warn_of_other_numbers(node);
    return random_numbers(node, rw, distribution, node.attr("dtype", ElementType::f32), seeds_of_input(node, 1), 2);
  };
}

/// Inputs: shape, key, counter, algorithm (limits).
Translator stateless_v2(Distribution distribution) {
  return [distribution](const FrameworkNode& node, Rewriter& rw) {
    warn_of_other_numbers(node);
    node.ignore_input(3, "the algorithm of the generator; the warning says that the random numbers differ");
    return random_numbers(node, rw, distribution, node.attr("dtype", ElementType::f32), seeds_of_key(node), 4);
  };
}

/// Inputs: logarithms of probabilities [batch, classes], the number of draws, and a seed when it is stateless.
Replacement draws(const FrameworkNode& node, Rewriter& rw, const Seeds& seeds) {
  MO_TRY(node.expect_inputs(2));
  warn_of_other_numbers(node);
  return rw.create(ops::Multinomial{.convert_type = node.attr("output_dtype", ElementType::i64),
                                    .with_replacement = true,
                                    .log_probs = true,
                                    .global_seed = seeds.global,
                                    .op_seed = seeds.op},
                   node.input(0), integer_of(rw, node.input(1)));
}
Replacement multinomial(const FrameworkNode& node, Rewriter& rw) { return draws(node, rw, seeds_of_attributes(node)); }
Replacement stateless_multinomial(const FrameworkNode& node, Rewriter& rw) {
  return draws(node, rw, seeds_of_input(node, 2));
}

/// The slices along dimension 0 in the order of as many random numbers.
Replacement random_shuffle(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  warn_of_other_numbers(node);
  const Value count = length_along(rw, node.input(0), 0);
  const Term keys = uniform(rw, count, ElementType::f32, 0, 1, seeds_of_attributes(node));
  const Node order = rw.create_node(ops::TopK{.axis = 0, .index_element_type = ElementType::i64},
                                    {keys.value(), as_scalar(rw, count)}, 2);
  return rw.create(ops::Gather{}, node.input(0), order.output(1), rw.scalar<std::int64_t>(0));
}

/// Key, counter and algorithm are read by random ops only: they carry the seeds to them.
Replacement key_and_counter(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Seeds seeds = seeds_of_input(node, 0);
  return Outputs{rw.constant(Tensor::vector<std::uint64_t>({static_cast<std::uint64_t>(seeds.global)})),
                 rw.constant(Tensor::vector<std::uint64_t>({static_cast<std::uint64_t>(seeds.op), 0})),
                 rw.scalar<std::int32_t>(1)};
}

Replacement algorithm(const FrameworkNode&, Rewriter& rw) { return rw.scalar<std::int32_t>(1); }

}  // namespace

void register_random(OperatorTable& table) {
  table.translate("RandomUniform", stateful(Distribution::uniform));
  table.translate("RandomUniformInt", stateful(Distribution::integers));
  table.translate("RandomStandardNormal", stateful(Distribution::normal));
  table.translate("TruncatedNormal", stateful(Distribution::truncated));
  struct Row {
    const char* name;
    Distribution distribution;
  };
  for (const Row row :
       {Row{"StatelessRandomUniform", Distribution::uniform}, Row{"StatelessRandomUniformInt", Distribution::integers},
        Row{"StatelessRandomNormal", Distribution::normal}, Row{"StatelessTruncatedNormal", Distribution::truncated}}) {
    table.translate(row.name, stateless(row.distribution));
    table.translate(std::string(row.name) + "V2", stateless_v2(row.distribution));
  }
  table.translate("StatelessRandomGetKeyCounter", key_and_counter);
  table.translate("StatelessRandomGetKeyCounterAlg", key_and_counter);
  table.translate("StatelessRandomGetAlg", algorithm);
  table.translate("Multinomial", multinomial);
  table.translate("StatelessMultinomial", stateless_multinomial);
  table.translate("RandomShuffle", random_shuffle);
}

}  // namespace mo::tensorflow
