#include "core/execution/recipe.hpp"

#include <algorithm>

#include "core/op/eval_context.hpp"

namespace mo {
namespace {

constexpr std::uint32_t kMaxDepth = 48;

class RecipeBuffer final : public Buffer {
 public:
  RecipeBuffer(Op op, std::vector<Tensor> inputs, std::size_t output_count, std::size_t output, std::uint64_t size, std::uint32_t depth)
      : op_(std::move(op)), inputs_(std::move(inputs)), output_count_(output_count), output_(output), size_(size), depth_(depth) {}

  std::uint64_t size() const override { return size_; }
  std::uint32_t recipe_depth() const override { return depth_; }

  Expected<BufferPtr> load() const override {
    MO_ASSIGN(std::vector<Tensor> made, evaluate_op(op_.type(), op_.payload(), inputs_, output_count_));
    const Tensor& tensor = made[output_];
    if (tensor.byte_size() != size_)
      return error("MO-EXEC-0003", "a folded {} has {} bytes, {} were announced", op_.type().name, tensor.byte_size(), size_);
    if (tensor.offset() == 0 && tensor.buffer()->size() == size_) return tensor.buffer();
    MO_ASSIGN(std::shared_ptr<HeapBuffer> part, HeapBuffer::allocate(size_));  // a view of something larger
    std::memcpy(part->mutable_bytes(), tensor.bytes().data(), size_);
    return BufferPtr(std::move(part));
  }

 private:
  Op op_;
  std::vector<Tensor> inputs_;
  std::size_t output_count_;
  std::size_t output_;
  std::uint64_t size_;
  std::uint32_t depth_;
};

}  // namespace

Expected<Tensor> make_recipe(Op op, std::vector<Tensor> inputs, std::size_t output_count, std::size_t output, const TensorType& type) {
  const auto shape = type.shape.to_shape();
  const auto count = shape ? element_count(*shape) : std::nullopt;
  const auto bytes = count ? byte_size(type.element_type, *count) : std::nullopt;
  std::uint32_t depth = 1;
  for (const Tensor& input : inputs)
    if (!input.empty()) depth = std::max(depth, input.buffer()->recipe_depth() + 1);
  if (!bytes || depth > kMaxDepth) {
    MO_ASSIGN(std::vector<Tensor> made, evaluate_op(op.type(), op.payload(), std::move(inputs), output_count));
    return made[output];
  }
  auto buffer = std::make_shared<RecipeBuffer>(std::move(op), std::move(inputs), output_count, output, *bytes, depth);
  return Tensor::from_buffer(type.element_type, *shape, std::move(buffer));
}

}  // namespace mo
