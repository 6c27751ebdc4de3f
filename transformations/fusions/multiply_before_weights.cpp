#include "ops/convolution.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/mat_mul.hpp"
#include "transformations/support/fusing.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

/// A tensor multiplied by a constant that does not stretch it.
struct Product {
  Pat x = any();
  Pat factor = constant();
  Pat product = op<ops::Multiply>(x, factor).one_use();
};

bool keeps_rank(const Product& p, const Match& m) { return same_rank(m[p.product], m[p.x]); }

/// Convolution(x * c, w) -> Convolution(x, w * c), c one number for each input
/// channel. `shape_of` gives the shape that one number for each input channel
/// has on the weights.
template <class T, class Fn>
RewriteRule into_convolution(Fn shape_of) {
  const Product p;
  const Pat weights = constant();
  const Pat root = op<T>(p.product, weights);
  return rewrite("MultiplyBefore" + std::string(T::id.type))
      .match(root)
      .rule([=](const Match& m, Rewriter& rw, PassContext& ctx) -> Replacement {
        const T& op = *m.root().node().template as<T>();
        const auto shape = m[weights].type().shape.to_shape();
        if (!shape || !may_fuse(m.root().node(), ctx) || op.layout != DataLayout::channels_first || !keeps_rank(p, m))
          return declined("unknown shape of the weights, fusing switched off, channels-last data, or another rank");
        const Value channels = as_channel_vector(rw, m[p.factor], m[p.x], 1);
        if (!channels) return declined("the constant does not vary along the channels alone");
        Value aligned = channels;
        if (channels.type().shape.size() == 1) {
          const std::vector<std::int64_t> wanted = shape_of(*shape);
          if (element_count(wanted) != channels.type().shape.element_count())
            return declined("the constant has another length than the channels of the weights");
          aligned = reshaped(rw, channels, wanted);
        }
        return rw.create(T(op), m[p.x], rw.fold(ops::Multiply{}, m[weights], aligned));
      });
}

/// The shape of the weights with every dimension made 1 but those at the given
/// places.
std::vector<std::int64_t> only(const Shape& shape, std::initializer_list<std::size_t> places) {
  std::vector<std::int64_t> made(shape.size(), 1);
  for (const std::size_t place : places)
    if (place < shape.size()) made[place] = shape[place];
  return made;
}

/// MatMul(x * c, w) -> MatMul(x, w * c), c one number for each row of the
/// weights.
RewriteRule into_mat_mul() {
  const Product p;
  const Pat weights = constant();
  return rewrite("MultiplyBeforeMatMul")
      .match(op<ops::MatMul>(p.product, weights))
      .rule([=](const Match& m, Rewriter& rw, PassContext& ctx) -> Replacement {
        const auto& mat_mul = *m.root().node().as<ops::MatMul>();
        const auto rank = m[p.x].type().rank().value_or(0);
        if (!may_fuse(m.root().node(), ctx) || rank < 2 || m[weights].type().shape.size() != 2 || !keeps_rank(p, m))
          return declined("fusing is switched off, or the weights are not a matrix");
        const Value rows = as_channel_vector(rw, m[p.factor], m[p.x],
                                             static_cast<std::size_t>(mat_mul.transpose_a ? rank - 2 : rank - 1));
        if (!rows) return declined("the constant does not vary along the rows alone");
        const Value aligned = along_axis(rw, rows, 2, mat_mul.transpose_b ? 1 : 0);
        return rw.create(ops::MatMul{mat_mul}, m[p.x], rw.fold(ops::Multiply{}, m[weights], aligned));
      });
}

}  // namespace

/// A factor for each input channel is fused into the weights after it: the cases that LinearOperationFusion leaves (it
/// knows Convolution).
void register_multiply_before_weights(PassRegistry& passes) {
  // Weights of GroupConvolution are [G, O / G, C / G, …], of
  // ConvolutionBackpropData [C, O, …], of its grouped form [G, C / G, O / G,
  // …].
  passes.add(graph_rewrite("MultiplyBeforeWeightsFusion")
                 .run_after({"LinearOperationFusion"})
                 .run_before({"ConstantFolding"})
                 .add(into_convolution<ops::GroupConvolution>([](const Shape& s) {
                   return only(s, {0, 2});
                 }))
                 .add(into_convolution<ops::ConvolutionBackpropData>([](const Shape& s) { return only(s, {0}); }))
                 .add(into_convolution<ops::GroupConvolutionBackpropData>([](const Shape& s) {
                   return only(s, {0, 1});
                 }))
                 .add(into_mat_mul()));
}

}  // namespace mo::transformations
