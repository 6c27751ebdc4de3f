#pragma once

#include "core/pass/rewriter.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/fake_quantize.hpp"

namespace mo::back {

/// What the FakeQuantize `node` makes of data between its input limits, which are il and ih, the output limits ol and oh:
/// round((data - il) * (levels - 1) / (ih - il)) * (oh - ol) / (levels - 1) + ol, in the type of the limits, as `data` is.
inline Value quantized_between_limits(Rewriter& rw, const Node& node, const Value& data) {
  const Value input_low = node.input(1);
  const Value output_low = node.input(3);
  const Value steps = rw.scalar_like(input_low, static_cast<double>(node.as<ops::FakeQuantize>()->levels - 1));
  const Value to_steps = rw.fold(ops::Divide{}, steps, rw.fold(ops::Subtract{}, node.input(2), input_low));
  const Value from_steps = rw.fold(ops::Divide{}, rw.fold(ops::Subtract{}, node.input(4), output_low), steps);
  const Value step = rw.fold(ops::Round{}, rw.fold(ops::Multiply{}, rw.fold(ops::Subtract{}, data, input_low), to_steps));
  return rw.fold(ops::Add{}, rw.fold(ops::Multiply{}, step, from_steps), output_low);
}

/// `x` in this type; of a constant a constant.
inline Value folded_as(Rewriter& rw, const Value& x, ElementType type) {
  return x.type().element_type == type ? x : rw.fold(ops::Convert{.destination_type = type}, x);
}

}  // namespace mo::back
