#include "extensions/library/support/gate_arithmetic.hpp"

#include <algorithm>

#include "ops/activations.hpp"
#include "ops/mat_mul.hpp"
#include "ops/reference/recurrent.hpp"
#include "ops/split.hpp"

namespace mo::library {
namespace {

using build::Term;
using ops::reference::Activation;

bool is_op(const std::string& name) {
  const auto activation = Activation::named(name);
  if (!activation) return false;
  using Kind = Activation::Kind;
  return activation->kind == Kind::sigmoid || activation->kind == Kind::tanh || activation->kind == Kind::relu ||
         activation->kind == Kind::hard_sigmoid;
}

}  // namespace

bool CellFunctions::are_ops(std::size_t count) const { return names_.size() == count && std::all_of(names_.begin(), names_.end(), is_op); }

Term CellFunctions::of_clipped(const Term& x, std::size_t i) const { return of(clip_ > 0 ? x.apply(ops::Clamp{.min = -clip_, .max = clip_}) : x, i); }

Term CellFunctions::of(const Term& x, std::size_t i) const {
  const Activation activation = Activation::named(names_[i]).value_or(Activation{});
  switch (activation.kind) {
    case Activation::Kind::sigmoid: return x.apply(ops::Sigmoid{});
    case Activation::Kind::relu: return x.apply(ops::ReLU{});
    case Activation::Kind::hard_sigmoid: {
      const Value inputs[] = {x, x.number(parameter(alphas_, i, activation.alpha)), x.number(parameter(betas_, i, activation.beta))};
      return {x.rewriter(), x.rewriter().create_node(ops::HardSigmoid{}, inputs).output(), x.type()};
    }
    default: return x.apply(ops::Tanh{});
  }
}

Term times_weights(const Term& x, const Term& weights) { return x.apply(ops::MatMul{.transpose_b = true}, weights); }

std::vector<Term> equal_parts(const Term& x, std::int64_t axis, std::size_t count) {
  Rewriter& rw = x.rewriter();
  const Node split = rw.create_node(ops::Split{.num_splits = static_cast<std::int64_t>(count)}, {x.value(), rw.scalar(axis)}, count);
  std::vector<Term> parts;
  for (std::size_t i = 0; i < count; ++i) parts.emplace_back(rw, split.output(i), x.type());
  return parts;
}

}  // namespace mo::library
