#pragma once

#include <vector>

#include "core/op/infer_context.hpp"

namespace mo {

class Graph;
class KernelTable;

/// The view that `evaluate` of an op has: input tensors in memory, output tensors to fill.
///
/// Before `evaluate`, the engine infers the op on the concrete inputs; outputs whose type came out static are allocated
/// (zeros, unless the op fills them), so `output(i)` can be filled at once. Outputs whose shape depends on the data are
/// set with `set_output`.
class EvalContext {
 public:
  EvalContext(const OpType& op, std::vector<Tensor> inputs, std::vector<TensorType> output_types,
              const KernelTable* kernels = nullptr);

  std::size_t input_count() const { return inputs_.size(); }
  bool has_input(std::size_t i) const { return i < inputs_.size() && !inputs_[i].empty(); }
  /// In memory; asserted to be present.
  const Tensor& input(std::size_t i) const;

  std::size_t output_count() const { return types_.size(); }
  const TensorType& output_type(std::size_t i) const { return types_[i]; }
  /// The allocated output; asserted: its inferred type is static and memory was there (see `allocate_outputs`).
  Tensor& output(std::size_t i);
  /// Replaces output `i`: a view of an input, or a shape that only the data decides.
  void set_output(std::size_t i, Tensor tensor);
  /// Whether the node has output `i` at all (optional outputs may be left out).
  bool has_output(std::size_t i) const { return i < types_.size(); }

  /// Integer and real values of small inputs (axes, scalars).
  Expected<std::vector<std::int64_t>> integers(std::size_t i) const;
  Expected<std::vector<double>> reals(std::size_t i) const;

  template <class... Args>
  [[nodiscard]] Diagnostic error(std::string_view code, fmt::format_string<Args...> text, Args&&... args) const {
    Diagnostic d = mo::error(code, text, std::forward<Args>(args)...);
    d.op = op_->name;
    return d;
  }

  /// Runs a body graph with the reference executor, which defines it (core/execution): Parameters get `inputs` in
  /// order, Results come back in order.
  Expected<std::vector<Tensor>> run_body(Graph& body, const std::vector<Tensor>& inputs) const;

  Expected<void> allocate_outputs();
  std::vector<Tensor>& outputs() { return outputs_; }

 private:
  const OpType* op_;
  std::vector<Tensor> inputs_;
  std::vector<TensorType> types_;
  std::vector<Tensor> outputs_;
  const KernelTable* kernels_;  ///< for bodies
};

}  // namespace mo
