#include <algorithm>
#include <numeric>
#include <type_traits>

#include "ops/broadcast.hpp"
#include "ops/mvn.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/convolved.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

constexpr std::int64_t kDimensions = 6;  ///< a tensor of six dimensions has no room after the channels

/// x with as many trailing dimensions of 1 as `rank` needs for six; a scalar stays.
Value with_ones_behind(Rewriter& rw, const Value& x, std::int64_t rank) {
  const std::int64_t own = *x.type().rank();
  if (own == 0) return x;
  std::vector<std::int64_t> added(static_cast<std::size_t>(kDimensions - rank));
  std::iota(added.begin(), added.end(), own);
  return rw.fold(ops::Unsqueeze{}, x, rw.integers(added));
}

Value without_ones_behind(Rewriter& rw, const Value& x, std::int64_t rank) {
  std::vector<std::int64_t> added(static_cast<std::size_t>(kDimensions - rank));
  std::iota(added.begin(), added.end(), rank);
  return rw.create(ops::Squeeze{}, x, rw.integers(added));
}

template <class T>
Value in_six_dimensions(Rewriter& rw, const T& op, const Value& a, const Value& b, std::int64_t rank) {
  return without_ones_behind(rw, rw.create(op, with_ones_behind(rw, a, rank), with_ones_behind(rw, b, rank)), rank);
}

/// a^b, where b is one number: as one for each channel, since an op with one number would change places with Unsqueeze,
/// which then goes.
Value power_of_channels(Rewriter& rw, const Value& a, const Value& b) {
  std::vector<std::int64_t> shape(static_cast<std::size_t>(*a.type().rank()), 1);
  shape[1] = a.type().shape[1].value();
  return in_six_dimensions(rw, ops::Power{}, a, rw.fold(ops::Broadcast{}, b, rw.integers(shape)), *a.type().rank());
}

/// After the channels of the operand there are zeros, since it is not the same number for all channels. Its dimensions
/// are aligned at the last one.
bool is_zero_behind(const Value& operand, std::int64_t rank) {
  const std::int64_t channels = 1 - rank + *operand.type().rank();
  return channels >= 0 && operand.type().shape[static_cast<std::size_t>(channels)] != Dimension(1);
}

template <class T>
Replacement divided(const Node& node, Rewriter& rw) {
  const Value a = node.input(0);
  const Value b = node.input(1);
  const TensorType& type = node.output_type();
  if (!leaves_room_behind_channels(type))
    return declined("not floating-point data of three to five dimensions, or a multiple of 16 channels");
  const T& op = *node.as<T>();
  const std::int64_t rank = *type.rank();
  if (op.auto_broadcast == ops::AutoBroadcast::pdpd || !a.type().rank() || !b.type().rank())
    return declined("aligned at an axis, or of unknown rank");
  constexpr bool multiplies = std::is_same_v<T, ops::Divide>;  // the runtime, by the inverse of a constant
  if ((multiplies && b.data().value()) || !is_zero_behind(b, rank))
    return declined("the divisor is a constant that Divide does not divide by, or the same for all channels");
  if (!is_convolved(node.output())) return declined("no convolution reads it");
  if constexpr (std::is_same_v<T, ops::Divide>)  // the runtime makes such a power of it, with one number
    if (a.data().value() && b.type().shape == type.shape)
      return rw.create(ops::Multiply{}, power_of_channels(rw, b, rw.scalar_like(b, -1)), a);
  return in_six_dimensions(rw, op, a, b, rank);
}

Replacement raised(const Node& node, Rewriter& rw) {
  const Value a = node.input(0);
  const Value b = node.input(1);
  const TensorType& type = node.output_type();
  if (!leaves_room_behind_channels(type))
    return declined("not floating-point data of three to five dimensions, or a multiple of 16 channels");
  const ops::Power& op = *node.as<ops::Power>();
  if (op.auto_broadcast == ops::AutoBroadcast::pdpd || !b.type().rank())
    return declined("aligned at an axis, or of unknown rank");
  if (a.data().value() || !is_zero_behind(a, *type.rank()))
    return declined("the base is a constant, or the same for all channels");
  const auto exponents = reals_of(b);
  const auto is_negative = [](double exponent) { return exponent < 0; };
  if (exponents && std::none_of(exponents->begin(), exponents->end(), is_negative))
    return declined("no exponent is negative");
  if (!is_convolved(node.output())) return declined("no convolution reads it");
  if (has_one_element(b)) return power_of_channels(rw, a, b);
  return in_six_dimensions(rw, op, a, b, *type.rank());
}

/// MVN over the batch, which the runtime makes of a Divide.
Replacement normalised(const Node& node, Rewriter& rw) {
  const TensorType& type = node.output_type();
  auto axes = integers_of(node.input(1));
  if (!leaves_room_behind_channels(type) || !axes)
    return declined("not floating-point data of three to five dimensions, a multiple of 16 channels, or computed axes");
  const ops::MVN& op = *node.as<ops::MVN>();
  const std::int64_t rank = *type.rank();
  for (std::int64_t& axis : *axes) axis = axis < 0 ? axis + rank : axis;
  std::sort(axes->begin(), axes->end());
  std::vector<std::int64_t> planes(static_cast<std::size_t>(rank - 2));
  std::iota(planes.begin(), planes.end(), 2);
  if (!op.normalize_variance || *axes == planes || std::count(axes->begin(), axes->end(), 1) > 0)
    return declined("the runtime has an op for it, or the divisor is the same for all channels");
  if (!is_convolved(node.output())) return declined("no convolution reads it");
  return without_ones_behind(rw, rw.create(op, with_ones_behind(rw, node.input(0), rank), rw.integers(*axes)), rank);
}

}  // namespace

void register_convolved_quotients(PassRegistry& passes) {
  passes.add(avoid_fault("ConvolvedQuotients",
                         {.form = "Divide, Mod, FloorMod, Power with a negative exponent and MVN over the batch, "
                                  "before a convolution, with channels that are not a multiple of 16",
                          .symptom = "NaN: 0 / 0 in the memory after the channels",
                          .first = "2021.4",
                          .last = "2023.3",
                          .replacement = "Unsqueeze, the op of six dimensions, Squeeze"})
                 .add(lowering<ops::Divide>("ConvolvedQuotient", divided<ops::Divide>))
                 .add(lowering<ops::Mod>("ConvolvedMod", divided<ops::Mod>))
                 .add(lowering<ops::FloorMod>("ConvolvedFloorMod", divided<ops::FloorMod>))
                 .add(lowering<ops::Power>("ConvolvedPower", raised))
                 .add(lowering<ops::MVN>("ConvolvedMvn", normalised)));
}

}  // namespace mo::transformations
