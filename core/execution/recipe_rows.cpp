#include "core/execution/recipe_rows.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/inference/evaluate.hpp"

namespace mo {
namespace {

constexpr std::uint64_t kRowsBytes = std::uint64_t{1} << 18;
/// Below this all of it at once is as fast.
constexpr std::uint64_t kWorthDividing = 4 * kRowsBytes;
/// When what has to be loaded takes more than so many times the result, rows save no memory.
constexpr std::uint64_t kMostWhole = 2;
/// Rows that are gathered from all over an input (a transposition) are more at a time: then each cache line of it is
/// read by few pieces, and neighbours together. The pieces under way are most of the memory of a conversion.
constexpr std::uint64_t kGatheredBytes = 3 * kRowsBytes;
constexpr std::int64_t kGatheredRows = 48;
/// As many rows as elements of four bytes in a cache line.
constexpr std::int64_t kGatheredStep = 16;
/// Steps that are evaluated by rows one inside the other.
constexpr std::size_t kMostSteps = 16;

std::int64_t product(const Shape& shape, std::size_t from, std::size_t to) {
  return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(from),
                         shape.begin() + static_cast<std::ptrdiff_t>(to), std::int64_t{1}, std::multiplies<>());
}

bool has_whole_bytes(const Tensor& tensor) {
  return !has_own_size(tensor.element_type()) && bit_width(tensor.element_type()) % 8 == 0;
}

/// Whether the first `outer` dimensions of `input` are those of `shape`.
bool shares_rows(const Tensor& input, const Shape& shape, std::size_t outer) {
  return input.shape().size() == shape.size() &&
         std::equal(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(outer), input.shape().begin());
}

/// Whether every row of the result needs all of `input`, which has one row.
bool has_one_row(const Tensor& input, const Shape& shape, std::size_t outer) {
  return input.element_count() == 1 || (input.shape().size() == shape.size() && product(input.shape(), 0, outer) == 1);
}

/// Whether rows along the first `outer` dimensions of the result are computed from the same rows of the inputs.
bool has_rows(const RecipeBuffer& recipe, std::size_t outer) {
  const OpType& type = recipe.op().type();
  if (recipe.output_count() != 1 || type.is_channels_last(recipe.op().payload())) return false;
  if (type.evaluate_rows) return outer == 1;
  if (!type.traits.elementwise) return false;
  bool any = false;
  for (const Tensor& input : recipe.inputs()) {
    if (input.empty()) continue;
    const bool divided = shares_rows(input, recipe.shape(), outer) && has_whole_bytes(input);
    if (!divided && !has_one_row(input, recipe.shape(), outer)) return false;
    any |= divided;
  }
  return any;
}

/// `tensor` with its first `outer` dimensions as one.
Shape merged(const Shape& shape, std::size_t outer, std::int64_t rows) {
  Shape result = {rows};
  result.insert(result.end(), shape.begin() + static_cast<std::ptrdiff_t>(outer), shape.end());
  return result;
}

}  // namespace

RecipeRows::RecipeRows(Tensor tensor, const RecipeBuffer& recipe, std::size_t outer)
    : tensor_(std::move(tensor)),
      recipe_(&recipe),
      outer_(outer),
      rows_(product(recipe.shape(), 0, outer)),
      row_bytes_(recipe.size() / static_cast<std::uint64_t>(rows_)) {}

Expected<std::optional<RecipeRows>> RecipeRows::open(const Tensor& tensor) {
  const RecipeBuffer* recipe = RecipeBuffer::recipe_of(tensor);
  if (!recipe || tensor.offset() != 0 || tensor.byte_size() != recipe->size() || recipe->size() < kWorthDividing ||
      !has_whole_bytes(tensor))
    return std::optional<RecipeRows>();
  // The fewest dimensions whose rows are small; else what is there.
  std::size_t outer = 0;
  for (std::size_t i = 1; i <= recipe->shape().size(); ++i) {
    if (!has_rows(*recipe, i)) break;
    outer = i;
    if (recipe->size() / static_cast<std::uint64_t>(product(recipe->shape(), 0, i)) <= kRowsBytes) break;
  }
  if (outer == 0) return std::optional<RecipeRows>();
  RecipeRows rows(tensor, *recipe, outer);
  Met met = {recipe};
  MO_ASSIGN(const bool fits, rows.prepare(*recipe, met));
  if (!fits) return std::optional<RecipeRows>();
  return std::optional(std::move(rows));
}

bool RecipeRows::is_divided(const Tensor& input) const {
  return shares_rows(input, recipe_->shape(), outer_) && has_whole_bytes(input);
}

bool RecipeRows::is_evaluated_by_rows(const Tensor& input, Met& met) const {
  const RecipeBuffer* below = RecipeBuffer::recipe_of(input);
  return below && input.offset() == 0 && input.shape() == below->shape() && met.size() < kMostSteps &&
         has_rows(*below, outer_) && met.insert(below).second;
}

Expected<bool> RecipeRows::prepare(const RecipeBuffer& recipe, Met& met) {  // depth: kMostSteps
  const bool by_itself = recipe.op().type().evaluate_rows != nullptr;
  if (by_itself)
    least_rows_ = std::clamp(static_cast<std::int64_t>(kGatheredBytes / row_bytes_) / kGatheredStep * kGatheredStep,
                             2 * kGatheredStep, kGatheredRows);
  for (const Tensor& input : recipe.inputs()) {
    if (input.empty() || input.in_memory()) continue;
    const bool divided = !by_itself && is_divided(input);
    if (divided && input.buffer()->file_range()) continue;
    if (divided && is_evaluated_by_rows(input, met)) {
      MO_ASSIGN(const bool fits, prepare(*RecipeBuffer::recipe_of(input), met));
      if (!fits) return false;
    } else {
      whole_bytes_ += input.byte_size();
      if (whole_bytes_ > kMostWhole * recipe_->size()) return false;
      MO_ASSIGN(whole_[&input], input.load());
    }
  }
  return true;
}

std::int64_t RecipeRows::piece_rows() const {
  return std::max(least_rows_, static_cast<std::int64_t>(kRowsBytes / std::max<std::uint64_t>(1, row_bytes_)));
}

Expected<Tensor> RecipeRows::load(std::int64_t first, std::int64_t count) const {
  MO_ASSERT(first >= 0 && count > 0 && count <= rows_ - first, "rows that a recipe does not have");
  return evaluate(*recipe_, first, count);
}

Expected<Tensor> RecipeRows::evaluate(const RecipeBuffer& recipe, std::int64_t first, std::int64_t count) const {
  const OpType& type = recipe.op().type();
  if (type.evaluate_rows) {
    std::vector<Tensor> inputs = recipe.inputs();
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (const auto loaded = whole_.find(&recipe.inputs()[i]); loaded != whole_.end()) inputs[i] = loaded->second;
    return evaluate_op_rows(type, recipe.op().payload(), std::move(inputs),
                            {recipe.element_type(), PartialShape(merged(recipe.shape(), outer_, count))}, first);
  }
  std::vector<Tensor> inputs(recipe.inputs().size());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!recipe.inputs()[i].empty()) { MO_ASSIGN(inputs[i], rows_of(recipe.inputs()[i], first, count)); }
  MO_ASSIGN(const std::vector<Tensor> made, evaluate_op(type, recipe.op().payload(), std::move(inputs), 1));
  const std::uint64_t expected = recipe.size() / static_cast<std::uint64_t>(rows_) * static_cast<std::uint64_t>(count);
  if (made[0].byte_size() != expected)
    return error("MO-EXEC-0003", "rows of a folded {} have {} bytes, {} were announced", type.name, made[0].byte_size(),
                 expected);
  return made[0];
}

Expected<Tensor> RecipeRows::rows_of(const Tensor& input, std::int64_t first, std::int64_t count) const {
  const auto loaded = whole_.find(&input);
  const Tensor& source = loaded != whole_.end() ? loaded->second : input;
  if (!is_divided(input))
    return source.reshaped(input.element_count() == 1 ? Shape() : merged(input.shape(), outer_, 1));
  if (loaded == whole_.end() && !input.in_memory() && !input.buffer()->file_range())
    return evaluate(*RecipeBuffer::recipe_of(input), first, count);
  const std::uint64_t row = source.byte_size() / static_cast<std::uint64_t>(rows_);
  return Tensor::from_buffer(source.element_type(), merged(source.shape(), outer_, count), source.buffer(),
                             source.offset() + row * static_cast<std::uint64_t>(first));
}

}  // namespace mo
