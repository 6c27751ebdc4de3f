#include <algorithm>

#include "core/graph/copying.hpp"
#include "core/tensor/convert.hpp"
#include "ops/concat.hpp"
#include "ops/convolution.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/fake_quantize.hpp"
#include "ops/mat_mul.hpp"
#include "transformations/support/fusing.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

/// A FakeQuantize with constant ranges.
struct QuantizePattern {
  explicit QuantizePattern(const Pat& data) : data(data) {}
  Pat data;
  Pat input_low = constant();
  Pat input_high = constant();
  Pat output_low = constant();
  Pat output_high = constant();
  Pat op =
      pattern::op<ops::FakeQuantize>(data, input_low, input_high, output_low, output_high).where([](const Value& v) {
        return v.node().as<ops::FakeQuantize>()->auto_broadcast == ops::AutoBroadcast::numpy &&
               is_real(v.type().element_type);
      });

  const ops::FakeQuantize& of(const Match& m) const { return *m[op].node().as<ops::FakeQuantize>(); }
};

/// Every element of a small constant passes the test.
template <class Fn>
bool all_of(const Value& constant, Fn test) {
  constexpr std::int64_t kMost = 1 << 16;
  const Tensor& tensor = constant.node().as<Const>()->value;
  if (tensor.element_count() == 0 || tensor.element_count() > kMost) return false;
  const auto numbers = to_reals(tensor);
  return numbers && std::all_of(numbers->begin(), numbers->end(), test);
}
bool is_positive(const Value& constant) {
  return all_of(constant, [](double v) { return v > 0; });
}
bool is_not_negative(const Value& constant) {
  return all_of(constant, [](double v) { return v >= 0; });
}

/// low < high everywhere.
bool is_range(const Value& low, const Value& high) {
  if (low.type() != high.type() || !all_of(low, [](double) { return true; })) return false;
  const auto a = to_reals(low.node().as<Const>()->value);
  const auto b = to_reals(high.node().as<Const>()->value);
  return a && b && std::equal(a->begin(), a->end(), b->begin(), [](double x, double y) { return x < y; });
}

/// T(range, c), unless that is larger than both: two small constants do not
/// become a large one. Empty then.
template <class T>
Value moved(Rewriter& rw, const Value& range, const Value& c) {
  const Value made = rw.fold(T{}, range, c);
  const auto count = made.type().shape.element_count();
  const std::int64_t most =
      std::max(range.type().shape.element_count().value_or(0), c.type().shape.element_count().value_or(0));
  return count && *count <= most && made.node().is<Const>() ? made : Value();
}

bool has_many(const Value& constant) { return constant.type().shape.element_count() != 1; }

/// Quantised channels stay as they are before ops that compute with integers, which take one range for all channels.
bool feeds_integer_op(const Value& value) {
  const std::vector<InPort> readers = value.get_destinations();
  return std::any_of(readers.begin(), readers.end(), [](const InPort& port) {
    const Node n = port.node();
    return n.is<ops::Convolution>() || n.is<ops::GroupConvolution>() || n.is<ops::ConvolutionBackpropData>() ||
           n.is<ops::MatMul>();
  });
}
bool feeds_concat(const Value& value) {
  const std::vector<InPort> readers = value.get_destinations();
  return std::any_of(readers.begin(), readers.end(), [](const InPort& port) { return port.node().is<ops::Concat>(); });
}

/// FakeQuantize(FakeQuantize(x) to [a, b]) from [a, b] with as many levels ->
/// FakeQuantize(x): what is on the grid stays there.
RewriteRule twice() {
  const QuantizePattern inner(any());
  const QuantizePattern outer(inner.op);
  return rewrite("FakeQuantizeTwice")
      .match(outer.op)
      .rule([=](const Match& m, Rewriter& rw, PassContext&) -> Replacement {
        if (inner.of(m).levels != outer.of(m).levels || !is_range(m[outer.input_low], m[outer.input_high]))
          return declined("the levels differ, or the limits are not a range");
        if (!same_constant(m[inner.output_low], m[outer.input_low]) ||
            !same_constant(m[inner.output_high], m[outer.input_high]))
          return Replacement::declined();
        if (m[inner.op].type() != m[outer.op].type() && !same_shape(m[inner.op].type().shape, m[outer.op].type().shape))
          return declined("the shapes differ");
        const bool keeps = same_constant(m[outer.input_low], m[outer.output_low]) &&
                           same_constant(m[outer.input_high], m[outer.output_high]);
        if (keeps) return m[inner.op];
        if (!m[inner.op].has_one_destination()) return declined("the inner FakeQuantize is read elsewhere");
        return rw.create(ops::FakeQuantize{outer.of(m)},
                         std::vector<Value>{m[inner.data], m[inner.input_low], m[inner.input_high], m[outer.output_low],
                                            m[outer.output_high]});
      });
}

/// T(FakeQuantize(x), c) -> FakeQuantize(x) with T on its output range; T is *
/// (by positive numbers) or +.
template <class T>
RewriteRule on_output(std::string name) {
  const QuantizePattern quantize(any());
  const Pat quantized = quantize.op.one_use();
  const Pat c = constant();
  return rewrite(std::move(name))
      .match(op<T>(quantized, c))
      .rule([=](const Match& m, Rewriter& rw, PassContext& ctx) -> Replacement {
        const Node node = m.node(quantized);
        if (std::is_same_v<T, ops::Multiply> && !is_positive(m[c])) return declined("the factor is not positive");
        if (!may_fuse(m.root().node(), ctx) || !same_shape(m[quantized].type().shape, m.root().type().shape))
          return declined("fusing is switched off for this node, or the constant changes the shape");
        if (has_many(m[c]) && feeds_integer_op(m.root()))
          return declined("one limit for each channel, before an op that computes with integers");
        const Value low = moved<T>(rw, m[quantize.output_low], m[c]);
        const Value high = low ? moved<T>(rw, m[quantize.output_high], m[c]) : Value();
        if (!high) return declined("the constant does not fit the limits");
        return rw.create(copy_op(node), std::vector<Value>{m[quantize.data], m[quantize.input_low],
                                                           m[quantize.input_high], low, high});
      });
}

/// FakeQuantize(T(x, c)) -> FakeQuantize(x) with the inverse of T on its input
/// range: / for *, - for +. A bias stays with its weights.
template <class T, class Inverse>
RewriteRule on_input(std::string name) {
  const Pat x = any();
  const Pat c = constant();
  const Pat linear = op<T>(x, c).one_use();
  const QuantizePattern quantize(linear);
  return rewrite(std::move(name))
      .match(quantize.op)
      .rule([=](const Match& m, Rewriter& rw, PassContext& ctx) -> Replacement {
        constexpr bool kScales = std::is_same_v<T, ops::Multiply>;
        const Node producer = m[x].node();
        if ((kScales && !is_positive(m[c])) || producer.is<Const>() || !may_fuse(m.node(linear), ctx))
          return declined("the factor is not positive, the data are constant, or fusing is switched off for this node");
        const bool has_weights = producer.is<ops::Convolution>() || producer.is<ops::GroupConvolution>() ||
                                 producer.is<ops::ConvolutionBackpropData>() ||
                                 producer.is<ops::GroupConvolutionBackpropData>() || producer.is<ops::MatMul>();
        if (!kScales && has_weights) return declined("a shift after an op with weights is better fused into its bias");
        if (!same_shape(m[x].type().shape, m[linear].type().shape)) return declined("the constant changes the shape");
        // One number, or one for each channel; different channels of a Concat's
        // inputs would no longer share a range.
        if (has_many(m[c]) && (feeds_concat(m.root()) || !as_channel_vector(rw, m[c], m[x], 1)))
          return declined("one limit for each channel before a Concat, or the constant varies along another dimension");
        const Value low = moved<Inverse>(rw, m[quantize.input_low], m[c]);
        const Value high = low ? moved<Inverse>(rw, m[quantize.input_high], m[c]) : Value();
        if (!high) return declined("the constant does not fit the limits");
        return rw.create(copy_op(m.node(quantize.op)),
                         std::vector<Value>{m[x], low, high, m[quantize.output_low], m[quantize.output_high]});
      });
}

/// FakeQuantize(ReLU(x)) from a range without negative numbers ->
/// FakeQuantize(x), which cuts them off anyway.
RewriteRule of_relu() {
  const Pat x = any();
  const QuantizePattern quantize(op<ops::ReLU>(x).one_use());
  return rewrite("ReLUFakeQuantizeFusion")
      .match(quantize.op)
      .rule([=](const Match& m, Rewriter& rw, PassContext&) -> Replacement {
        if (!is_not_negative(m[quantize.input_low]) || !is_not_negative(m[quantize.input_high]))
          return declined("the limits may be negative");
        return rw.create(copy_op(m.node(quantize.op)),
                         std::vector<Value>{m[x], m[quantize.input_low], m[quantize.input_high], m[quantize.output_low],
                                            m[quantize.output_high]});
      });
}

}  // namespace

/// FakeQuantize takes in what is linear beside it, and does not come twice.
void register_fake_quantize_fusion(PassRegistry& passes) {
  passes.add(graph_rewrite("FakeQuantizeFusion")
                 .run_after({"LinearOperationFusion"})
                 .run_before({"ConstantFolding"})
                 .add(twice())
                 .add(on_output<ops::Multiply>("FakeQuantizeMultiplyFusion"))
                 .add(on_output<ops::Add>("FakeQuantizeAddFusion"))
                 .add(on_input<ops::Multiply, ops::Divide>("MultiplyFakeQuantizeFusion"))
                 .add(on_input<ops::Add, ops::Subtract>("AddIntoFakeQuantize"))
                 .add(of_relu()));
}

}  // namespace mo::transformations
