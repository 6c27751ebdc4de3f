#include "ops/split.hpp"

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::onnx {
namespace {

/// All parts of a split that has at least as many as the node has outputs.
Replacement parts_of(const FrameworkNode& node, const Node& split) {
  Outputs outputs;
  for (std::size_t i = 0; i < node.output_count(); ++i) outputs.push_back(split.output(i));
  return outputs;
}

Replacement split_evenly(const FrameworkNode& node, Rewriter& rw, std::int64_t axis) {
  const std::size_t count = node.output_count();
  return parts_of(node, rw.create_node(ops::Split{.num_splits = static_cast<std::int64_t>(count)},
                                       {node.input(0), rw.scalar(axis)}, count));
}

Replacement split_by_lengths(const FrameworkNode& node, Rewriter& rw, std::int64_t axis, const Value& lengths) {
  std::size_t count = node.output_count();
  if (const auto known = lengths.type().shape.element_count()) {
    if (*known < static_cast<std::int64_t>(count))
      return node.error("MO-ONNX-0224", "there are {} lengths for {} parts", *known, count)
          .hint("split has one length for each output");
    if (*known <= kMostKnownNumbers) count = static_cast<std::size_t>(*known);
  }
  return parts_of(node, rw.create_node(ops::VariadicSplit{}, {node.input(0), rw.scalar(axis), lengths}, count));
}

/// `count` parts of ceil(dimension / count), of which the last one holds what is left.
Value uneven_lengths(Rewriter& rw, const Value& x, std::int64_t axis, std::int64_t count) {
  const Value whole = length_along(rw, x, axis);
  const Value padded = rw.create(ops::Add{}, whole, rw.integers({count - 1}));
  const Value part = rw.create(ops::Divide{.m_pythondiv = false}, padded, rw.integers({count}));
  const Value last = rw.create(ops::Subtract{}, whole, rw.create(ops::Multiply{}, part, rw.integers({count - 1})));
  return count == 1 ? last : join(rw, {repeat(rw, part, rw.integers({count - 1})), last});
}

/// Split-13 takes the lengths as an input. Without it the parts are equal.
Replacement split_of_opset_13(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const auto axis = node.attr<std::int64_t>("axis", 0);
  return node.input(1) ? split_by_lengths(node, rw, axis, node.input(1)) : split_evenly(node, rw, axis);
}

/// Split-2 takes the lengths as an attribute, Split-1 as an attribute or as an input.
Replacement split_of_opset_1(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  if (const auto lengths = node.optional_attr<std::vector<std::int64_t>>("split"))
    return split_by_lengths(node, rw, node.attr<std::int64_t>("axis", 0), rw.integers(*lengths));
  return split_of_opset_13(node, rw);
}

/// Split-18: parts of equal length of which the last one may be shorter, or an input of lengths. Models that say
/// neither mean as many parts as there are outputs, as before.
Replacement split_of_opset_18(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const auto axis = node.attr<std::int64_t>("axis", 0);
  const auto parts = node.optional_attr<std::int64_t>("num_outputs");
  if (parts && (*parts < static_cast<std::int64_t>(node.output_count()) || *parts > (std::int64_t{1} << 16)))
    return node.error("MO-ONNX-0209", "num_outputs is {}, and the node has {} outputs", *parts, node.output_count())
        .hint("both are the number of parts");
  if (node.input(1)) return split_by_lengths(node, rw, axis, node.input(1));
  return parts ? split_by_lengths(node, rw, axis, uneven_lengths(rw, node.input(0), axis, *parts))
               : split_evenly(node, rw, axis);
}

}  // namespace

void register_split(OperatorTable& table) {
  table.translate("Split", versions(1, 1), split_of_opset_1);
  table.translate("Split", versions(2, 12), split_of_opset_1);
  table.translate("Split", versions(13, 17), split_of_opset_13);
  table.translate("Split", since(18), split_of_opset_18);
}

}  // namespace mo::onnx
