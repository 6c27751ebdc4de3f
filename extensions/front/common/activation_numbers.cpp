#include "extensions/support/front.hpp"
#include "ops/activations.hpp"

namespace mo::front {
namespace {

double number(const Node& node, std::string_view name) { return node.attr<double>(name).value_or(0); }

}  // namespace

/// Activations whose numbers are attributes in frameworks and inputs in the IR.
void register_activation_numbers(PassRegistry& passes) {
  // LeakyRelu(x) {alpha} -> PReLU(x, alpha)
  passes.add(front_replacement_op("LeakyReluWithNumber").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    const Value x = node.input(0);
    return rw.create(ops::PReLU{}, x, number_like(rw, x, number(node, "alpha")));
  }));
  // Selu(x) {alpha, gamma} -> Selu(x, alpha, gamma)
  passes.add(front_replacement_op("SeluWithNumbers").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    const Value x = node.input(0);
    return rw.create(ops::Selu{}, x, number_like(rw, x, number(node, "alpha")), number_like(rw, x, number(node, "gamma")));
  }));
  // HardSigmoid(x) {alpha, beta} -> HardSigmoid(x, alpha, beta)
  passes.add(front_replacement_op("HardSigmoidWithNumbers").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    const Value x = node.input(0);
    return rw.create(ops::HardSigmoid{}, x, number_like(rw, x, number(node, "alpha")), number_like(rw, x, number(node, "beta")));
  }));
}

}  // namespace mo::front
