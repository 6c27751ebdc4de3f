#include <algorithm>

#include "core/registry/pass_registry.hpp"
#include "ops/einsum.hpp"
#include "transformations/decompositions/support/contraction.hpp"

namespace mo::transformations {
namespace {

/// A label that stands for 1 in one tensor and for more in another can be stretched, but not summed over by a MatMul.
bool sums_over_stretched(const Node& node, const ops::EinsumEquation& equation) {
  for (std::size_t i = 0; i < equation.inputs.size(); ++i)
    for (std::size_t k = 0; k < equation.inputs[i].size(); ++k) {
      const int label = equation.inputs[i][k];
      if (std::find(equation.output.begin(), equation.output.end(), label) != equation.output.end()) continue;
      for (std::size_t j = 0; j < i; ++j)
        for (std::size_t l = 0; l < equation.inputs[j].size(); ++l)
          if (equation.inputs[j][l] == label) {
            const Dimension& a = node.input_type(i).shape[k];
            const Dimension& b = node.input_type(j).shape[l];
            if (a.is_known() && b.is_known() && a.value() != b.value()) return true;
          }
    }
  return false;
}

Replacement decomposed_einsum(const Node& node, const ops::Einsum& op, Rewriter& rw) {
  std::vector<PartialShape> shapes;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) {
    shapes.push_back(node.input_type(i).shape);
    if (!shapes.back().has_rank()) return declined("a rank is unknown");
  }
  auto parsed = ops::parse_einsum(op.equation);
  auto equation = parsed ? ops::expand_ellipses(*parsed, shapes) : std::move(parsed);
  if (!equation) return std::move(equation).error();
  if (sums_over_stretched(node, *equation)) return declined("sums over a dimension that is stretched");
  LabelledTensor result;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const LabelledTensor input = diagonal(rw, {node.input(i), equation->inputs[i]});
    if (!input.value) return declined("a label repeats in a tensor of unknown shape");
    ops::EinsumLabels kept = equation->output;  // and what later tensors have
    for (std::size_t j = i + 1; j < shapes.size(); ++j)
      kept.insert(kept.end(), equation->inputs[j].begin(), equation->inputs[j].end());
    result = i == 0 ? summed_to(rw, input, kept) : contracted(rw, result, input, kept);
  }
  result = in_order(rw, result, equation->output);
  return result.value;
}

}  // namespace

void register_einsum_decomposition(PassRegistry& passes) {
  passes.offer(rewrite("EinsumDecomposition")
                   .described("Einsum(a, b, …)",
                              "from the first tensor to the last: ReduceSum of labels that nothing needs, Transpose, "
                              "Reshape, MatMul (or Multiply)",
                              "all ranks are known; the shape of a tensor in which a label repeats is known")
                   .match(pattern::op<ops::Einsum>())
                   .replace(of_op<ops::Einsum>(decomposed_einsum)));
}

}  // namespace mo::transformations
