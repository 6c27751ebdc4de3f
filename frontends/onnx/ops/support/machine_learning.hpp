#pragma once

#include "core/registry/framework_node.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/term.hpp"

/// What the models of domain ai.onnx.ml share.
namespace mo::onnx {

/// Numbers as a constant of a real type, whose count must be that of the shape (asserted by the caller).
Expected<Value> real_constant(Rewriter& rw, ElementType type, Shape shape, const std::vector<double>& values);

/// Columns of numbers [N, C] of a real type; a vector is one row.
Value table_of(Rewriter& rw, const Value& x, ElementType type);

/// The attribute post_transform: what becomes of the scores. Error MO-ONNX-0450 for a function that an IR does not
/// have.
Expected<std::string> read_post_transform(const FrameworkNode& node);
Expected<void> check_post_transform(const FrameworkNode& node, std::string_view transform);
/// The function of that name on scores [N, C].
Value post_transformed(Rewriter& rw, std::string_view transform, const Value& scores);
/// Error MO-ONNX-0450: with one score for two labels there is no second one for this function.
[[nodiscard]] Diagnostic needs_both_scores(const FrameworkNode& node, std::string_view transform);

/// The labels of a classifier, integers or strings.
struct ClassLabels {
  std::vector<std::int64_t> integers;
  std::vector<std::string> strings;
  std::size_t count() const { return std::max(integers.size(), strings.size()); }
};
/// `integers`: the name of the attribute with integers; that with strings is classlabels_strings.
ClassLabels read_labels(const FrameworkNode& node, std::string_view integers);

/// The outputs of a classifier: the label of each row, `labels[place]`, and the scores. Error MO-ONNX-0458 when labels
/// are strings and are read.
Expected<Outputs> classified(const FrameworkNode& node, Rewriter& rw, const ClassLabels& labels, const Value& place,
                             const Value& scores);
/// The place of the largest score in each row [N].
Value best_place(Rewriter& rw, const Value& scores);

}  // namespace mo::onnx
