#include "ops/convolution.hpp"
#include "ops/reshape.hpp"
#include "transformations/quantization/support/quantization.hpp"

namespace mo::transformations {
namespace {

bool is_group_convolution(const Node& node) { return node.is<ops::GroupConvolution>(); }

/// The shape of limits after a Reshape `from` -> `to`: all 1, or with the size of their only other dimension at the
/// axis of `to` that counts the same elements. Nothing when there is none.
std::optional<Shape> reshaped_limits(const Shape& limits, const Shape& from, const Shape& to) {
  if (limits.size() > from.size()) return std::nullopt;
  Shape made(to.size(), 1);
  if (element_count(limits) == 1) return made;
  const std::size_t shift = from.size() - limits.size();
  std::optional<std::size_t> axis;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (limits[i] == 1) continue;
    if (axis || limits[i] != from[shift + i]) return std::nullopt;
    axis = shift + i;
  }
  std::int64_t before = 1;
  for (std::size_t i = 0; i < *axis; ++i) before *= from[i];
  std::int64_t behind = 1;
  for (std::size_t i = 0; i < to.size(); behind *= to[i++])
    if (behind == before && to[i] == from[*axis]) {
      made[i] = to[i];
      return made;
    }
  return std::nullopt;
}

}  // namespace

void register_fake_quantize_reshape_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Quantize quantize(constant());
  const Pat quantized = quantize.op.one_use();
  const Pat reshape = op<ops::Reshape>(quantized, constant());
  passes.offer(
      rewrite("FakeQuantizeReshapeFusion")
          .described("Reshape(FakeQuantize(w, limits))", "FakeQuantize(Reshape(w), reshaped limits)",
                     "w is a constant; each limit is one number or varies along one dimension that the Reshape keeps; "
                     "no GroupConvolution reads the result")
          .match(reshape)
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            const auto from = m[quantized].type().shape.to_shape();
            const auto to = m.root().type().shape.to_shape();
            if (!from || !to || m[quantize.data].type().shape.to_shape() != from)
              return declined("a shape is unknown, or the limits change that of w");
            if (is_read_by(m.root(), is_group_convolution)) return declined("a GroupConvolution reads the result");
            std::vector<Value> inputs = {
                rw.copy_with_new_inputs(m.node(reshape), {m[quantize.data], m.node(reshape).input(1)}).output()};
            for (const Pat& limit : {quantize.low, quantize.high, quantize.out_low, quantize.out_high}) {
              const auto shape = m[limit].type().shape.to_shape();
              const auto made = shape ? reshaped_limits(*shape, *from, *to) : std::nullopt;
              if (!made) return declined("a limit does not vary along one dimension that the Reshape keeps");
              inputs.push_back(*made == *shape
                                   ? m[limit]
                                   : rw.create(ops::Reshape{.special_zero = true}, m[limit], rw.integers(*made)));
            }
            return rw.copy_with_new_inputs(m.node(quantized), inputs).output();
          }));
}

}  // namespace mo::transformations
