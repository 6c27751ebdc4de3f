#include "core/op/eval_context.hpp"

#include <span>
#include <utility>

#include "core/tensor/convert.hpp"

namespace mo {
namespace {

/// Bytes that a tensor owns which lives longer.
class BorrowedBuffer final : public Buffer {
 public:
  explicit BorrowedBuffer(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  const std::byte* bytes() const override { return bytes_.data(); }
  bool in_memory() const override { return true; }
  Expected<BufferPtr> load() const override { return std::make_shared<const BorrowedBuffer>(bytes_); }

 private:
  std::span<const std::byte> bytes_;
};

/// Gives `output` the memory of an input that no other tensor shares. An elementwise op reads no element any more once
/// that place of the output is written.
bool take_over(std::vector<Tensor>& inputs, ElementType type, const Shape& shape, Tensor& output) {
  for (Tensor& input : inputs) {
    if (input.empty() || input.element_type() != type || input.shape() != shape) continue;
    if (input.buffer().use_count() > 1 || dynamic_cast<const HeapBuffer*>(input.buffer().get()) == nullptr) continue;
    auto view = Tensor::from_buffer(type, shape, std::make_shared<const BorrowedBuffer>(input.bytes()));
    if (!view) return false;
    output = std::exchange(input, *std::move(view));
    return true;
  }
  return false;
}

}  // namespace

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
    if (op_->traits.elementwise && types_.size() == 1 &&
        take_over(inputs_, types_[i].element_type, *shape, outputs_[i]))
      continue;
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
  if (i >= outputs_.size()) return;
  // A view of an input whose memory the output has: the output itself, under another shape.
  if (dynamic_cast<const BorrowedBuffer*>(tensor.buffer().get()) != nullptr) {
    auto owned = Tensor::from_buffer(tensor.element_type(), tensor.shape(), outputs_[i].buffer(),
                                     outputs_[i].offset() + tensor.offset());
    MO_ASSERT(owned, "a view of an input is outside of it");
    tensor = *std::move(owned);
  }
  outputs_[i] = std::move(tensor);
}

Expected<std::vector<std::int64_t>> EvalContext::integers(std::size_t i) const { return to_integers(input(i)); }
Expected<std::vector<double>> EvalContext::reals(std::size_t i) const { return to_reals(input(i)); }

}  // namespace mo
