#include "core/op/eval_context.hpp"

#include "core/tensor/convert.hpp"

namespace mo {

EvalContext::EvalContext(const OpType& op, std::vector<Tensor> inputs, std::vector<TensorType> output_types,
                         const KernelTable* kernels)
    : op_(&op),
      inputs_(std::move(inputs)),
      types_(std::move(output_types)),
      outputs_(types_.size()),
      kernels_(kernels) {}

const Tensor& EvalContext::input(std::size_t i) const {
  MO_ASSERT(has_input(i), "evaluation reads an input that is not there");
  return inputs_[i];
}

Expected<void> EvalContext::allocate_outputs() {
  for (std::size_t i = 0; i < types_.size(); ++i) {
    const auto shape = types_[i].shape.to_shape();
    if (!shape || bit_width(types_[i].element_type) == 0) continue;
    const bool filled =
        (op_->traits.elementwise || op_->traits.fills_outputs) && bit_width(types_[i].element_type) >= 8;
    MO_ASSIGN(outputs_[i], Tensor::allocate(types_[i].element_type, *shape,
                                            filled ? HeapBuffer::Content::any : HeapBuffer::Content::zeros));
  }
  return {};
}

Tensor& EvalContext::output(std::size_t i) {
  MO_ASSERT(i < outputs_.size() && !outputs_[i].empty(),
            "an output whose type inference left open must be set with set_output");
  return outputs_[i];
}

void EvalContext::set_output(std::size_t i, Tensor tensor) {
  if (i < outputs_.size()) outputs_[i] = std::move(tensor);
}

Expected<std::vector<std::int64_t>> EvalContext::integers(std::size_t i) const { return to_integers(input(i)); }
Expected<std::vector<double>> EvalContext::reals(std::size_t i) const { return to_reals(input(i)); }

}  // namespace mo
