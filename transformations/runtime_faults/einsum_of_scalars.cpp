#include "ops/einsum.hpp"
#include "ops/support/einsum_equation.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Einsum("ab,,bc->ac", x, s, y) -> Einsum("ab,bc->ac", x, y) * s.
Replacement product_with_scalars(const Node& node, Rewriter& rw) {
  MO_ASSIGN(const ops::EinsumEquation parsed, ops::parse_einsum(node.as<ops::Einsum>()->equation));
  std::vector<Value> scalars;
  std::vector<Value> tensors;
  std::string equation;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) {
    if (parsed.inputs[i].empty()) {
      scalars.push_back(node.input(i));
      continue;
    }
    equation += (tensors.empty() ? "" : ",") + ops::label_text(parsed.inputs[i]);
    tensors.push_back(node.input(i));
  }
  if (scalars.empty()) return declined("no input without labels");
  Value product;
  if (!tensors.empty())
    product = rw.create(ops::Einsum{.equation = equation + "->" + ops::label_text(parsed.output)}, tensors);
  for (const Value& scalar : scalars) product = product ? rw.create(ops::Multiply{}, product, scalar) : scalar;
  return product;
}

}  // namespace

void register_einsum_of_scalars(PassRegistry& passes) {
  passes.add(avoid_fault("EinsumOfScalars", {.form = "Einsum with an input that has no labels",
                                             .symptom = "not read: the number of inputs is not that of the equation",
                                             .first = "2021.4",
                                             .last = "2024.6",
                                             .replacement = "Einsum of the other inputs, Multiply"})
                 .add(lowering<ops::Einsum>("ProductWithScalars", product_with_scalars)));
}

}  // namespace mo::transformations
