#pragma once

#include <unordered_map>

#include "core/execution/recipe.hpp"

namespace mo {

/// The buffer of a recipe: internal to core/execution.
class RecipeBuffer final : public Buffer {
 public:
  RecipeBuffer(Op op, std::vector<Tensor> inputs, std::size_t output_count, std::size_t output, ElementType type,
               Shape shape, std::uint64_t size);

  std::uint64_t size() const override { return size_; }
  std::uint32_t recipe_depth() const override { return depth_; }
  Expected<BufferPtr> load() const override;

  const Op& op() const { return op_; }
  const std::vector<Tensor>& inputs() const { return inputs_; }
  std::size_t output_count() const { return output_count_; }
  /// Of the output that this is.
  ElementType element_type() const { return type_; }
  const Shape& shape() const { return shape_; }
  /// Whether loading takes no more work than make_recipe allows.
  bool is_cheap() const;

  /// The recipe that the bytes of `tensor` come from; null for other tensors.
  static const RecipeBuffer* recipe_of(const Tensor& tensor);

 private:
  struct Made {
    BufferPtr buffer;
    std::size_t readers = 0;
  };
  using MadeOf = std::unordered_map<const RecipeBuffer*, Made>;

  /// This recipe and its inputs that are recipes, each once and after its own inputs; up to `most`.
  std::vector<const RecipeBuffer*> recipes(std::size_t most) const;
  Expected<BufferPtr> evaluate(MadeOf& made) const;

  Op op_;
  std::vector<Tensor> inputs_;
  std::size_t output_count_;
  std::size_t output_;
  ElementType type_;
  Shape shape_;
  std::uint64_t size_;
  std::uint32_t depth_ = 1;
};

}  // namespace mo
