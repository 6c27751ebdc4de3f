#include <algorithm>

#include "extensions/support/front_shapes.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/slice.hpp"
#include "ops/split.hpp"

namespace mo::front::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

/// Ones, as many as `starts` has elements.
Value unit_steps(Rewriter& rw, const Value& starts) {
  if (const auto numbers = known_integers(starts)) return rw.integers(Integers(numbers->size(), 1));
  return repeat(rw, rw.scalar<std::int64_t>(1), shape_of(rw, starts));
}

Replacement replace_slice(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  if (!x) return missing_input(node);
  if (const auto starts = node.attr<Integers>("starts")) {
    const auto ends = node.attr<Integers>("ends").value_or(Integers{});
    Integers axes(starts->size());
    for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<std::int64_t>(i);
    axes = node.attr<Integers>("axes").value_or(axes);
    return rw.create(ops::Slice{}, x, rw.integers(*starts), rw.integers(ends), rw.integers(Integers(starts->size(), 1)), rw.integers(axes));
  }
  // ONNX: data, starts, ends, axes, steps; the IR has the steps in front of the axes.
  const Value starts = node.input(1);
  const Value ends = node.input(2);
  if (!starts || !ends) return node.error("MO-ONNX-0223", "starts or ends are missing").hint("Slice-10 needs both as inputs");
  const Value steps = node.input(4) ? node.input(4) : unit_steps(rw, starts);
  return node.input(3) ? rw.create(ops::Slice{}, x, starts, ends, steps, node.input(3)) : rw.create(ops::Slice{}, x, starts, ends, steps);
}

/// `count` parts of ceil(dimension / count), of which the last one holds what is left.
Value uneven_lengths(Rewriter& rw, const Value& x, std::int64_t axis, std::int64_t count) {
  const Value whole = length_along(rw, x, axis);
  const Value padded = rw.create(ops::Add{}, whole, rw.integers({count - 1}));
  const Value part = rw.create(ops::Divide{.m_pythondiv = false}, padded, rw.integers({count}));
  const Value last = rw.create(ops::Subtract{}, whole, rw.create(ops::Multiply{}, part, rw.integers({count - 1})));
  return count == 1 ? last : join(rw, {repeat(rw, part, rw.integers({count - 1})), last});
}

Replacement replace_split(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  if (!x) return missing_input(node);
  const std::int64_t axis = node.attr<std::int64_t>("axis").value_or(0);
  const Value along = rw.scalar<std::int64_t>(axis);
  std::size_t count = node.out_port_count();
  Node split;
  const auto attribute = node.attr<Integers>("split");
  if (attribute || node.input(1)) {
    const auto lengths = attribute ? attribute : known_integers(node.input(1));
    if (lengths && lengths->size() < count)
      return node.error("MO-ONNX-0224", "there are {} lengths for {} parts", lengths->size(), count).hint("split has one length for each output");
    if (lengths) count = lengths->size();
    split = rw.create_node(ops::VariadicSplit{}, {x, along, attribute ? rw.integers(*attribute) : node.input(1)}, count);
  } else if (const auto parts = node.attr<std::int64_t>("num_outputs")) {
    // Whether they are of equal length is not known yet.
    count = static_cast<std::size_t>(*parts);
    split = rw.create_node(ops::VariadicSplit{}, {x, along, uneven_lengths(rw, x, axis, *parts)}, count);
  } else {
    split = rw.create_node(ops::Split{.num_splits = static_cast<std::int64_t>(count)}, {x, along}, count);
  }
  Outputs outputs;
  for (std::size_t i = 0; i < node.out_port_count(); ++i) outputs.push_back(split.output(i));
  return outputs;
}

}  // namespace

void register_slicing(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxSlice").replace_op(replace_slice));
  passes.add(front_replacement_op("OnnxSplit").replace_op(replace_split));
}

}  // namespace mo::front::onnx
