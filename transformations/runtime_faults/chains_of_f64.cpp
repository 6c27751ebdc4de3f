#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// x + c, x * c and differences with c: what a pass of the runtime joins to one op. -x is x * -1, and a - b is a + b *
/// -1.
bool is_linear(const Node& node) {
  if (node.is<ops::Negative>()) return true;
  const bool has_constant =
      node.in_port_count() == 2 && (node.input(0).node().is<Const>() || node.input(1).node().is<Const>());
  return has_constant && (node.is<ops::Add>() || node.is<ops::Subtract>() || node.is<ops::Multiply>());
}

bool is_start_of_chain(const Value& x) { return is_linear(x.node()) && x.get_destinations().size() == 1; }

/// The second op of a chain, computed in f32.
Replacement end_of_chain(const Node& node, Rewriter& rw) {
  if (node.output_type().element_type != ElementType::f64) return declined("not f64");
  bool is_chain = is_linear(node) && is_start_of_chain(node.input(0));
  if (node.in_port_count() == 2)
    is_chain |= (is_linear(node) || node.is<ops::Subtract>()) && is_start_of_chain(node.input(1));
  if (!is_chain)
    return declined(
        "no sum or product with a constant above, of which this is the only reader, or no such constant here");
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i)
    inputs.push_back(rw.fold(ops::Convert{.destination_type = ElementType::f32}, node.input(i)));
  return rw.create(ops::Convert{.destination_type = ElementType::f64}, rw.copy_with_new_inputs(node, inputs).output());
}

}  // namespace

/// No digits are lost: the CPU plugin computes f64 in f32 anyway.
void register_chains_of_f64(PassRegistry& passes) {
  passes.add(avoid_fault("ChainsOfF64", {.form = "sums and products of f64 with two constants: (x + a) * b",
                                         .symptom = "not compiled",
                                         .first = "2021.4",
                                         .last = "2024.6",
                                         .replacement = "the second op of f32"})
                 .add(lowering<ops::Add>("Add", end_of_chain))
                 .add(lowering<ops::Subtract>("Subtract", end_of_chain))
                 .add(lowering<ops::Multiply>("Multiply", end_of_chain))
                 .add(lowering<ops::Negative>("Negative", end_of_chain)));
}

}  // namespace mo::transformations
