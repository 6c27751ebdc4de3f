#include "core/execution/recipe.hpp"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "core/execution/recipe_buffer.hpp"
#include "core/inference/evaluate.hpp"
#include "core/op/eval_context.hpp"

namespace mo {
namespace {

/// Loading a recipe evaluates all recipes among its inputs. When their bytes are more than this many times those of
/// the largest one (a long chain), or when they are too many, the result is computed at once and kept.
constexpr double kMostPasses = 48;
constexpr std::size_t kMostRecipes = 1024;

}  // namespace

RecipeBuffer::RecipeBuffer(Op op, std::vector<Tensor> inputs, std::size_t output_count, std::size_t output,
                           ElementType type, Shape shape, std::uint64_t size)
    : op_(std::move(op)),
      inputs_(std::move(inputs)),
      output_count_(output_count),
      output_(output),
      type_(type),
      shape_(std::move(shape)),
      size_(size) {
  for (const Tensor& input : inputs_)
    if (!input.empty()) depth_ = std::max(depth_, input.buffer()->recipe_depth() + 1);
}

const RecipeBuffer* RecipeBuffer::recipe_of(const Tensor& tensor) {
  return !tensor.empty() && tensor.buffer()->recipe_depth() > 0
             ? dynamic_cast<const RecipeBuffer*>(tensor.buffer().get())
             : nullptr;
}

std::vector<const RecipeBuffer*> RecipeBuffer::recipes(std::size_t most) const {
  struct Frame {
    const RecipeBuffer* recipe;
    std::size_t next = 0;
  };
  std::vector<const RecipeBuffer*> order;
  std::unordered_set<const RecipeBuffer*> met = {this};
  std::vector<Frame> stack = {{this}};
  while (!stack.empty() && order.size() < most) {
    Frame& frame = stack.back();
    if (frame.next == frame.recipe->inputs_.size()) {
      order.push_back(frame.recipe);
      stack.pop_back();
      continue;
    }
    const RecipeBuffer* below = recipe_of(frame.recipe->inputs_[frame.next++]);
    if (below && met.insert(below).second) stack.push_back({below});
  }
  return order;
}

bool RecipeBuffer::is_cheap() const {
  const std::vector<const RecipeBuffer*> order = recipes(kMostRecipes + 1);
  if (order.size() > kMostRecipes) return false;
  double largest = 0;
  double all = 0;
  for (const RecipeBuffer* recipe : order) {
    const auto bytes = static_cast<double>(recipe->size_);
    largest = std::max(largest, bytes);
    all += bytes;
  }
  return all <= kMostPasses * largest;
}

Expected<BufferPtr> RecipeBuffer::evaluate(MadeOf& made) const {
  std::vector<Tensor> inputs = inputs_;
  for (Tensor& input : inputs) {
    const RecipeBuffer* below = recipe_of(input);
    if (!below) continue;
    Made& one = made.at(below);
    MO_ASSIGN(input, Tensor::from_buffer(input.element_type(), input.shape(), one.buffer, input.offset()));
    if (--one.readers == 0) one.buffer = nullptr;
  }
  MO_ASSIGN(std::vector<Tensor> outputs, evaluate_op(op_.type(), op_.payload(), std::move(inputs), output_count_));
  const Tensor& tensor = outputs[output_];
  if (tensor.byte_size() != size_)
    return error("MO-EXEC-0003", "a folded {} has {} bytes, {} were announced", op_.type().name, tensor.byte_size(),
                 size_);
  if (tensor.offset() == 0 && tensor.buffer()->size() == size_) return tensor.buffer();
  MO_ASSIGN(std::shared_ptr<HeapBuffer> part, HeapBuffer::allocate(size_));  // a view of something larger
  std::memcpy(part->mutable_bytes(), tensor.bytes().data(), size_);
  return BufferPtr(std::move(part));
}

Expected<BufferPtr> RecipeBuffer::load() const {
  const std::vector<const RecipeBuffer*> order = recipes(std::numeric_limits<std::size_t>::max());
  // What several recipes read is evaluated once, and kept until the last of them is done.
  MadeOf made;
  for (const RecipeBuffer* recipe : order)
    for (const Tensor& input : recipe->inputs_)
      if (const RecipeBuffer* below = recipe_of(input)) ++made[below].readers;
  for (const RecipeBuffer* recipe : order) {
    if (recipe == this) break;
    MO_ASSIGN(made.at(recipe).buffer, recipe->evaluate(made));
  }
  return evaluate(made);
}

Expected<Tensor> make_recipe(Op op, std::vector<Tensor> inputs, std::size_t output_count, std::size_t output,
                             const TensorType& type) {
  const auto shape = type.shape.to_shape();
  const auto count = shape ? element_count(*shape) : std::nullopt;
  const auto bytes = count ? byte_size(type.element_type, *count) : std::nullopt;
  if (!bytes) {
    MO_ASSIGN(std::vector<Tensor> made, evaluate_op(op.type(), op.payload(), std::move(inputs), output_count));
    return made[output];
  }
  const auto recipe = std::make_shared<const RecipeBuffer>(std::move(op), std::move(inputs), output_count, output,
                                                           type.element_type, *shape, *bytes);
  BufferPtr buffer = recipe;
  if (!recipe->is_cheap()) { MO_ASSIGN(buffer, recipe->load()); }
  return Tensor::from_buffer(type.element_type, *shape, std::move(buffer));
}

std::optional<RecipeStep> last_step_of(const Tensor& tensor) {
  const RecipeBuffer* recipe = RecipeBuffer::recipe_of(tensor);
  if (!recipe || tensor.offset() != 0 || tensor.byte_size() != recipe->size()) return std::nullopt;
  return RecipeStep{&recipe->op(), &recipe->inputs()};
}

}  // namespace mo
