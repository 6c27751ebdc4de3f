#include "core/registry/operator_table.hpp"

namespace mo::tensorflow {

/// A sparse tensor is three tensors: indices [n, rank], values [n], shape [rank].
void register_sparse(OperatorTable& table) {
  const auto add = [&](const char* op, std::size_t outputs) {
    table.extract(op, [name = std::string("Tf") + op, outputs](const FrameworkNode& node) -> Expected<Op> {
      node.declare_outputs(outputs);
      return front_op(name, {{"type", node.attr("T", ElementType::dynamic)}});
    });
  };
  add("SparseFillEmptyRows", 4);
  table.extract("SparseReshape", [](const FrameworkNode& node) -> Expected<Op> {
    node.declare_outputs(2);
    return front_op("TfSparseReshape");
  });
  add("SparseReorder", 2);
  add("SparseSlice", 3);
  add("SparseTensorDenseAdd", 1);
  add("SparseDenseCwiseMul", 1);
  add("SparseDenseCwiseDiv", 1);
  add("SparseDenseCwiseAdd", 1);
  table.extract("SparseTensorDenseMatMul", [](const FrameworkNode& node) -> Expected<Op> {
    return front_op(
        "TfSparseTensorDenseMatMul",
        {{"adjoint_a", node.attr("adjoint_a", false)}, {"adjoint_b", node.attr("adjoint_b", false)}, {"type", node.attr("T", ElementType::dynamic)}});
  });
  table.extract("SparseReduceSum", [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("TfSparseReduceSum", {{"keep_dims", node.attr("keep_dims", false)}, {"type", node.attr("T", ElementType::dynamic)}});
  });
  table.extract("SparseConcat", [](const FrameworkNode& node) -> Expected<Op> {
    const auto count = node.attr<std::int64_t>("N", 0);
    // Three inputs for each part.
    if (count < 1 || static_cast<std::uint64_t>(count) != node.input_count() / 3 || node.input_count() % 3 != 0)
      return node.error("MO-TF-0720", "N is {}, but there are {} inputs", count, node.input_count()).hint("check how the model was exported");
    node.declare_outputs(3);
    return front_op("TfSparseConcat", {{"axis", node.required<std::int64_t>("concat_dim")}});
  });
}

}  // namespace mo::tensorflow
