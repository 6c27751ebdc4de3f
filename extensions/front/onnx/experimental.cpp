#include <limits>

#include "core/tensor/convert.hpp"
#include "extensions/support/front_shapes.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/slice.hpp"

namespace mo::front::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

Value scaled(Rewriter& rw, const Value& x, double factor) { return factor == 1 ? x : rw.create(ops::Multiply{}, x, number_like(rw, x, factor)); }

}  // namespace

/// Ops of old exporters.
void register_experimental(PassRegistry& passes) {
  // Affine(x) -> alpha * x + beta
  passes.add(front_replacement_op("OnnxAffine").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    const Value x = node.input(0);
    if (!x) return missing_input(node);
    const double beta = node.attr<double>("beta").value_or(0);
    const Value product = scaled(rw, x, node.attr<double>("alpha").value_or(1));
    return beta == 0 ? product : rw.create(ops::Add{}, product, number_like(rw, x, beta));
  }));
  // ImageScaler(x) -> scale * x + bias of the channel; x is [N, C, H, W]
  passes.add(front_replacement_op("OnnxImageScaler").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    const Value x = node.input(0);
    if (!x) return missing_input(node);
    const auto bias = node.attr<std::vector<double>>("bias").value_or(std::vector<double>{});
    const Value product = scaled(rw, x, node.attr<double>("scale").value_or(1));
    if (bias.empty()) return product;
    auto channels = from_reals(ElementType::f32, {1, static_cast<std::int64_t>(bias.size()), 1, 1}, bias);
    if (!channels) return std::move(channels).error();
    return rw.create(ops::Add{}, product, as_type_of(rw, rw.constant(*channels), x));
  }));
  passes.add(front_replacement_op("OnnxCrop").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    const Value x = node.input(0);
    const auto border = node.attr<Integers>("border");
    if (!x || !border || border->size() != 4) return missing_input(node);
    const auto scale = node.attr<Integers>("scale").value_or(Integers{});
    const Integers starts = {(*border)[1], (*border)[0]};
    const auto behind = [](std::int64_t dropped) { return dropped == 0 ? std::numeric_limits<std::int64_t>::max() : -dropped; };
    const Integers ends =
        scale.size() == 2 ? Integers{starts[0] + scale[0], starts[1] + scale[1]} : Integers{behind((*border)[3]), behind((*border)[2])};
    return rw.create(ops::Slice{}, x, rw.integers(starts), rw.integers(ends), rw.integers({1, 1}), rw.integers({2, 3}));
  }));
}

}  // namespace mo::front::onnx
