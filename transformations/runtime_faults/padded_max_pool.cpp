#include <algorithm>
#include <limits>

#include "ops/pad.hpp"
#include "ops/pooling.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Constant padding with zeros, of spatial dimensions only: what the runtime makes padding of a pooling.
bool pads_planes_with_zeros(const Node& pad) {
  const auto* const op = pad.as<ops::v1::Pad>();
  if (!op || op->pad_mode != ops::PadMode::constant) return false;
  if (pad.in_port_count() > 3 && pad.input(3) && single_real_of(pad.input(3)) != 0.0) return false;
  const auto begin = integers_of(pad.input(1));
  const auto end = integers_of(pad.input(2));
  if (!begin || !end || begin->size() < 3 || begin->size() != end->size()) return false;
  const auto pads = [](std::int64_t count) { return count != 0; };
  const auto pads_any = [&](const auto& counts) { return std::any_of(counts->begin(), counts->end(), pads); };
  const auto pads_others = [&](const auto& counts) { return std::any_of(counts->begin(), counts->begin() + 2, pads); };
  return !pads_others(begin) && !pads_others(end) && (pads_any(begin) || pads_any(end));
}

/// MaxPool(Pad(x)) -> MaxPool(Maximum(Pad(x), lowest number)).
Replacement pool_of_padded(const Node& node, Rewriter& rw) {
  const Value data = node.input(0);
  if (!pads_planes_with_zeros(data.node())) return declined("no Pad with zeros in front");
  const ElementType type = data.type().element_type;
  if (type != ElementType::f32 && type != ElementType::f16) return declined("neither f32 nor f16");
  const double least = type == ElementType::f16 ? -65504.0 : static_cast<double>(std::numeric_limits<float>::lowest());
  return rw.create(*node.as<ops::v1::MaxPool>(), rw.create(ops::Maximum{}, data, rw.scalar_like(data, least)));
}

}  // namespace

void register_padded_max_pool(PassRegistry& passes) {
  passes.add(
      avoid_fault("PaddedMaxPool", {.form = "MaxPool of the output of a Pad with zeros",
                                    .symptom = "the zeros are never the largest: they become padding of the pooling",
                                    .first = "2021.4",
                                    .last = "2021.4",
                                    .replacement = "Maximum with the lowest number between both"})
          .add(lowering<ops::v1::MaxPool>("PoolOfPadded", pool_of_padded)));
}

}  // namespace mo::transformations
