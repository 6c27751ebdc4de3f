#pragma once

#include <string>
#include <vector>

#include "extensions/library/support/op_rules.hpp"
#include "ops/build/term.hpp"

/// What decompositions of recurrent cells are made of.
namespace mo::library {

/// The functions of a cell. Refers to the attributes of an op, which must live longer.
class CellFunctions {
 public:
  template <class Cell>
  explicit CellFunctions(const Cell& cell)
      : names_(cell.activations), alphas_(cell.activations_alpha), betas_(cell.activations_beta), clip_(cell.clip) {}

  /// Whether there are `count` functions, and all of them are ops: sigmoid, tanh, relu, hardsigmoid.
  bool are_ops(std::size_t count) const;
  /// Function `i` of x limited to the clip of the cell.
  build::Term of_clipped(const build::Term& x, std::size_t i) const;
  /// Function `i` of x.
  build::Term of(const build::Term& x, std::size_t i) const;

 private:
  double parameter(const std::vector<double>& given, std::size_t i, double otherwise) const { return i < given.size() ? given[i] : otherwise; }

  const std::vector<std::string>& names_;
  const std::vector<double>& alphas_;
  const std::vector<double>& betas_;
  double clip_;
};

/// x * transposed weights.
build::Term times_weights(const build::Term& x, const build::Term& weights);
/// `count` equal parts along an axis.
std::vector<build::Term> equal_parts(const build::Term& x, std::int64_t axis, std::size_t count);

}  // namespace mo::library
