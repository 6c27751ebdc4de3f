#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "core/execution/recipe_buffer.hpp"

namespace mo {

/// Evaluates a recipe some rows at a time: what its last steps compute element by element, or row by row
/// (OpType::evaluate_rows), is never in memory as a whole. Inputs of these steps that have no rows (factors of
/// channels), or are computed in another way, are loaded once. Rows are along the first dimension, or the first
/// dimensions together.
class RecipeRows {
 public:
  /// Nothing where `tensor` is not a recipe that has rows and is large enough to be worth it. Errors: those of
  /// loading the inputs.
  static Expected<std::optional<RecipeRows>> open(const Tensor& tensor);

  std::uint64_t row_bytes() const { return row_bytes_; }
  std::int64_t row_count() const { return rows_; }
  /// Rows that make a piece which stays in the second-level cache; at least one.
  std::int64_t piece_rows() const;
  /// What was loaded as a whole, and stays in memory as long as this object.
  std::uint64_t whole_bytes() const { return whole_bytes_; }
  /// `count` rows from `first` on, which are there (asserted), in memory. Errors: those of evaluating.
  /// May be called by several threads at once.
  Expected<Tensor> load(std::int64_t first, std::int64_t count) const;

 private:
  using Met = std::unordered_set<const RecipeBuffer*>;

  RecipeRows(Tensor tensor, const RecipeBuffer& recipe, std::size_t outer);

  /// Whether each row of a step needs the same row of `input`; else it needs all of it.
  bool is_divided(const Tensor& input) const;
  /// Loads what the steps up to `recipe` need as a whole; false when that is too much. No recipe is evaluated by rows
  /// for two others.
  Expected<bool> prepare(const RecipeBuffer& recipe, Met& met);
  bool is_evaluated_by_rows(const Tensor& input, Met& met) const;
  Expected<Tensor> evaluate(const RecipeBuffer& recipe, std::int64_t first, std::int64_t count) const;
  Expected<Tensor> rows_of(const Tensor& input, std::int64_t first, std::int64_t count) const;

  Tensor tensor_;  ///< keeps the recipe
  const RecipeBuffer* recipe_;
  std::size_t outer_;  ///< dimensions that count rows
  std::int64_t rows_;
  std::uint64_t row_bytes_;
  std::int64_t least_rows_ = 1;  ///< in a piece
  std::uint64_t whole_bytes_ = 0;
  std::unordered_map<const Tensor*, Tensor> whole_;  ///< input of a step -> the same in memory
};

}  // namespace mo
