#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "transformations/fusions/support/known_shapes.hpp"

/// What the recognition of recurrent cells is made of: gates, which are functions of x W + h R + b, in whatever way the
/// product was cut up.
namespace mo::transformations {

/// `count` neighbouring columns of a tensor [batch, columns], from `first` on.
struct Columns {
  Value tensor;
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// A function that the cells of the IR know.
struct CellActivation {
  std::string name;
  double alpha = 0;
  double beta = 0;
  bool operator==(const CellActivation&) const = default;
};

/// A function of columns; slices may be taken before or after the function.
struct Gate {
  CellActivation activation;
  Columns sum;
};

/// `tensor` times a part of constant weights: rows for the elements of the tensor, columns for those of the gate.
struct GateProduct {
  Value tensor;
  Node concat;  ///< that puts the tensor beside others, when the model does so
  Value weights;
  bool transposed = false;  ///< weights are [columns, rows]
  std::int64_t first_row = 0;
  std::int64_t rows = 0;
  std::int64_t first_column = 0;
};

/// The summands of a gate.
struct GateSum {
  std::vector<GateProduct> products;
  std::vector<Columns> biases;  ///< constants; one of a single element stretches
  std::vector<Value> others;    ///< neither products nor constants
};

/// Takes gates apart and remembers the nodes between the operands and the gates.
class GateReader {
 public:
  explicit GateReader(const KnownShapes& shapes) : shapes_(&shapes) {}
  /// The gate that `value` [batch, hidden] is; nothing when cells do not know its function.
  std::optional<Gate> gate(const Value& value);
  /// The summands of columns; nothing when part of them is unknown.
  std::optional<GateSum> sum(const Columns& columns);
  void add(const Node& node) { inner_.push_back(node); }
  /// Whether only these nodes read each other; outputs of the nodes in `results` may be read elsewhere.
  bool is_closed(const std::vector<Node>& results) const;
  const std::vector<Node>& nodes() const { return inner_; }

 private:
  Columns before_slices(Columns columns);
  const KnownShapes* shapes_;
  std::vector<Node> inner_;
};

/// The tensors that all gates multiply, in one order; nothing when gates differ in that.
std::optional<std::vector<Value>> common_tensors(const std::vector<const GateSum*>& gates);

/// Weights of cells. Cells that share constants (an unrolled loop) share what is made of them.
class CellWeights {
 public:
  explicit CellWeights(Rewriter& rewriter) : rw_(&rewriter) {}
  /// Products by gate, then by tensor -> [gates * hidden, elements of the tensors].
  Value matrix(const std::vector<std::vector<GateProduct>>& gates, std::int64_t hidden);
  /// Summands by gate -> [gates * hidden]; a gate without any gets zeros.
  Value bias(const std::vector<std::vector<Columns>>& gates, std::int64_t hidden, ElementType type);

 private:
  using Key = std::vector<std::int64_t>;
  Value known(const Key& key) const;
  Value concat(const std::vector<Value>& parts, std::int64_t axis);

  Rewriter* rw_;
  std::map<Key, Value> made_;
};

/// The size of the last dimension of a matrix of real numbers; nothing for other tensors.
std::optional<std::int64_t> width_of(const Value& value);
inline bool is_matrix(const Value& value) { return width_of(value).has_value(); }
/// Whether the tensor may be a gate: a function that cells know.
bool may_be_gate(const Value& value);
/// The tensors side by side.
Value side_by_side(Rewriter& rw, const std::vector<Value>& tensors);
/// `activations_alpha` or `activations_beta` of an op: empty when all are 0, which stands for the function's own
/// numbers.
std::vector<double> activation_numbers(const std::vector<CellActivation>& activations, double CellActivation::*number);
std::vector<std::string> activation_names(const std::vector<CellActivation>& activations);

}  // namespace mo::transformations
