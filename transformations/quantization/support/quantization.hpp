#pragma once

#include "core/rewrite.hpp"
#include "ops/fake_quantize.hpp"
#include "ops/pattern.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

/// What the fusions around FakeQuantize share.
namespace mo::transformations {

/// A FakeQuantize of numpy's broadcasting as a pattern, each input by name.
struct Quantize {
  explicit Quantize(const Pat& data, const Pat& low = pattern::any(), const Pat& high = pattern::any())
      : data(data), low(low), high(high) {}
  Pat data;
  Pat low;
  Pat high;
  Pat out_low = pattern::any();
  Pat out_high = pattern::any();
  Pat op = pattern::op<ops::FakeQuantize>(data, low, high, out_low, out_high)
               .where(
                   [](const Value& v) {
                     return v.node().as<ops::FakeQuantize>()->auto_broadcast == ops::AutoBroadcast::numpy;
                   },
                   "numpy's broadcasting");
};

/// The constant as one number for all elements where these are equal ([1]; as it is where it has one element), else
/// with as many dimensions as `rank`.
struct Multiplier {
  Value value;
  bool is_single = false;
};
std::optional<Multiplier> multiplier_of(Rewriter& rw, const Value& constant, std::size_t rank);

/// Limits of that shape broadcast to the data and leave their shape as it is. No when a size that counts is unknown.
bool broadcasts_to(const Value& limits, const Value& data);

/// Some reader of the tensor satisfies `is`.
bool is_read_by(const Value& value, bool (*is)(const Node&));

}  // namespace mo::transformations
