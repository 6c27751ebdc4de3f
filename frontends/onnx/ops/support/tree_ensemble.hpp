#pragma once

#include "frontends/onnx/ops/support/machine_learning.hpp"

/// Decision trees as products of matrices: an IR has no branches inside of a tensor.
namespace mo::onnx {

/// Elements of the largest table: trees * most inner nodes of a tree * most leaves of a tree (and leaves * results).
inline constexpr std::int64_t kMostTreeElements = std::int64_t{1} << 23;

/// The mode of nodes that look for a number in a set.
inline constexpr std::string_view kMemberMode = "BRANCH_MEMBER";

/// Trees side by side, each filled up to the same number of inner nodes I and leaves L.
struct TreeTables {
  std::int64_t trees = 0;
  std::int64_t nodes = 1;              ///< I
  std::int64_t leaves = 1;             ///< L
  std::vector<std::int64_t> features;  ///< [T * I]: the column that an inner node looks at
  std::vector<double> thresholds;      ///< [T * I]
  std::vector<std::string> modes;      ///< [T * I]: how it compares
  std::vector<std::int64_t> tracks;    ///< [T * I]: where NaN takes the true branch
  /// [T * I]: what a node of mode kMemberMode looks for; empty when there is none
  std::vector<std::vector<double>> members;
  /// [T, I, L]: 1 where the way to the leaf takes the true branch of the node, -1 for the false one
  std::vector<double> paths;
  /// [T, L]: how many true branches lead to the leaf; more than there are for a leaf that does not exist
  std::vector<double> taken;
  std::vector<double> weights;           ///< [T, L, K]: what a leaf adds to each result
  std::vector<std::uint8_t> has_weight;  ///< [T, L, K]
  std::vector<std::uint8_t> exists;      ///< [T, L]
  std::int64_t results = 1;              ///< K
};

/// Reads nodes_* and the weights of leaves: `prefix` is "target" or "class". Errors: MO-ONNX-0452 (lists of different
/// lengths), MO-ONNX-0453 (no trees: a node is missing, duplicate or reached twice), MO-ONNX-0454 (too large).
Expected<TreeTables> read_trees(const FrameworkNode& node, const std::string& prefix, std::int64_t results);

/// The same for TreeEnsemble-5, whose leaves have lists of their own.
Expected<TreeTables> read_tree_ensemble(const FrameworkNode& node, std::int64_t results);

/// Numbers of an attribute, or of the tensor `<name>_as_tensor` of opset 3, which has those of f64 models.
Expected<std::vector<double>> tree_numbers(const FrameworkNode& node, const std::string& name);

/// What the leaves that x [N, C] reaches give, for each tree: [T, N, K].
Expected<Value> leaf_weights(Rewriter& rw, const Value& x, const TreeTables& tables, ElementType type);

}  // namespace mo::onnx
