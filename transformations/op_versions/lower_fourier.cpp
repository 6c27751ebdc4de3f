#include <algorithm>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/fourier.hpp"
#include "ops/gather.hpp"
#include "ops/pad.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/fourier_products.hpp"

namespace mo::transformations {
namespace {

using Integers = std::vector<std::int64_t>;

/// The axes of a transform between real and complex numbers, counted from the front of the real tensor; nothing when
/// they are not known.
std::optional<Integers> axes_of(const Node& node, std::int64_t real_rank) {
  auto axes = integers_of(node.input(1));
  if (!axes || axes->empty()) return std::nullopt;
  for (std::int64_t& axis : *axes) {
    const auto place = normalize_axis(axis, real_rank);
    if (!place) return std::nullopt;
    axis = *place;
  }
  return axes;
}

/// Appends `added` zeros along dimension `axis`.
Value extended(Rewriter& rw, const Value& x, std::size_t axis, std::int64_t added) {
  Integers begin(x.type().shape.size(), 0);
  Integers end = begin;
  end[axis] = added;
  return rw.create(ops::v1::Pad{}, x, rw.integers(begin), rw.integers(end), rw.scalar_like(x, 0));
}

/// RDFT(x) -> the first half, n / 2 + 1, of DFT(x with zeros as imaginary parts).
Replacement from_real(const Node& node, Rewriter& rw) {
  const auto shape = node.output_type().shape.to_shape();
  const auto rank = node.input_type(0).rank();
  const auto axes = rank ? axes_of(node, *rank) : std::nullopt;
  if (!axes || !shape) return fourier_by_matrices(node, rw);
  const Value pairs = rw.create(ops::Unsqueeze{}, node.input(0), rw.integers({*rank}));
  std::vector<Value> inputs = {extended(rw, pairs, static_cast<std::size_t>(*rank), 1), rw.integers(*axes)};
  if (node.input(2)) inputs.push_back(node.input(2));
  const Value whole = rw.create(ops::DFT{}, inputs);
  const auto last = static_cast<std::size_t>(axes->back());
  return sliced_along(rw, whole, last, 0, (*shape)[last]);
}

/// IRDFT(x) -> the real part of IDFT(x, completed by its mirror along the last axis: element n - k is the conjugate of
/// element k).
Replacement to_real(const Node& node, Rewriter& rw) {
  const auto shape = node.output_type().shape.to_shape();
  const auto input_shape = node.input_type(0).shape.to_shape();
  const auto axes = shape ? axes_of(node, static_cast<std::int64_t>(shape->size())) : std::nullopt;
  if (!axes || !input_shape) return fourier_by_matrices(node, rw);
  const auto last = static_cast<std::size_t>(axes->back());
  const std::int64_t length = (*shape)[last];
  const std::int64_t have = (*input_shape)[last];
  const std::int64_t half = length / 2 + 1;
  if (length < 1) return Replacement::declined();
  Value x = node.input(0);
  if (axes->size() > 1) {
    // The lengths of the output are those of the signals.
    const Integers others(axes->begin(), axes->end() - 1);
    Integers lengths;
    for (const std::int64_t axis : others) lengths.push_back((*shape)[static_cast<std::size_t>(axis)]);
    x = rw.create(ops::IDFT{}, x, rw.integers(others), rw.integers(lengths));
  }
  if (have > half) x = sliced_along(rw, x, last, 0, half);
  if (have < half) x = extended(rw, x, last, half - have);
  if (const std::int64_t first = (length - 1) / 2; first > 0) {
    Integers backwards;
    for (std::int64_t k = first; k > 0; --k) backwards.push_back(k);
    const Value mirrored =
        rw.create(ops::v1::Gather{}, x, rw.integers(backwards), rw.scalar<std::int64_t>(axes->back()));
    auto conjugate = from_reals(x.type().element_type, {2}, {1, -1});
    if (!conjugate) return std::move(conjugate).error();
    x = rw.create(ops::Concat{.axis = axes->back()}, x,
                  rw.create(ops::Multiply{}, mirrored, rw.constant(*std::move(conjugate))));
  }
  const Value complex = rw.create(ops::IDFT{}, x, rw.integers({axes->back()}));
  return rw.create(ops::v1::Gather{}, complex, rw.scalar<std::int64_t>(0),
                   rw.scalar<std::int64_t>(static_cast<std::int64_t>(shape->size())));
}

}  // namespace

/// Transforms between real and complex numbers, which came with opset9, by those of complex numbers (opset7); by
/// products with matrices where sizes or axes are not known.
void register_lower_fourier(PassRegistry& passes) {
  passes.add(graph_rewrite("LowerFourier")
                 .phase(Phase::back)
                 .run_after({"LowerOpSets"})
                 .add(where_too_new(lowering<ops::RDFT>("RDFTDecomposition", from_real)))
                 .add(where_too_new(lowering<ops::IRDFT>("IRDFTDecomposition", to_real))));
}

}  // namespace mo::transformations
