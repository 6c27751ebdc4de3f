#pragma once

#include "core/op/kernel_table.hpp"

namespace mo {

/// Evaluates one op on tensors (loaded as needed): infers it on them, allocates, evaluates. `inputs` may hold empty
/// tensors for absent optional inputs; `kernels` are asked before the op itself. Errors: MO-EXEC-0001 (no evaluation
/// for this op), MO-EXEC-0006 (an element type that is known by name only), and whatever inference or evaluation
/// report.
Expected<std::vector<Tensor>> evaluate_op(const OpType& type, const void* payload, std::vector<Tensor> inputs,
                                          std::size_t output_count, const KernelTable* kernels = nullptr);

/// Rows of the only output of an op that has `evaluate_rows` (asserted): as many as dimension 0 of `type` says, from
/// `first` on. `inputs` are loaded as needed. Errors: those of loading, allocating and evaluating.
Expected<Tensor> evaluate_op_rows(const OpType& op, const void* payload, std::vector<Tensor> inputs, TensorType type,
                                  std::int64_t first);

}  // namespace mo
