#include "frontends/onnx/ops/support/activated.hpp"
#include "frontends/onnx/ops/support/gemm.hpp"
#include "frontends/onnx/ops/support/pad.hpp"
#include "frontends/onnx/ops/support/range.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/term.hpp"
#include "ops/concat.hpp"
#include "ops/fourier.hpp"
#include "ops/gather_nd.hpp"
#include "ops/mat_mul.hpp"
#include "ops/transpose.hpp"
#include "ops/unique.hpp"

namespace mo::onnx {
namespace {

/// The activation of a fused product. Its parameters are up to two numbers; the second one only beside the first.
Expected<Value> activated_product(const FrameworkNode& node, Rewriter& rw, const Value& x,
                                  const std::string& activation) {
  std::vector<double> parameters;
  const auto beta = node.optional_attr<double>("activation_beta");
  if (node.has("activation_alpha") || beta) parameters.push_back(node.attr("activation_alpha", 0.0));
  if (beta) parameters.push_back(*beta);
  return activated(node, rw, x, activation, parameters);
}

/// A matrix whose rows lie along dimension 0, before the batch: [M, batch…, K] -> [batch…, M, K].
Value with_batch_in_front(Rewriter& rw, const Value& x) {
  if (const auto rank = x.type().rank()) {
    if (*rank < 3) return x;
    std::vector<std::int64_t> order;
    for (std::int64_t i = 1; i + 1 < *rank; ++i) order.push_back(i);
    order.insert(order.end(), {0, *rank - 1});
    return rw.create(ops::Transpose{}, x, rw.integers(order));
  }
  const Value rank = rank_length(rw, x);
  const Value last = rw.create(ops::Subtract{}, rank, rw.integers({1}));
  const Value batch = rw.create(ops::Range{.output_type = ElementType::i64}, rw.scalar<std::int64_t>(1),
                                as_scalar(rw, last), rw.scalar<std::int64_t>(1));
  return rw.create(ops::Transpose{}, x, join(rw, {batch, rw.integers({0}), last}));
}

/// FusedMatMul(a, b) -> alpha * MatMul(a, b)
Replacement fused_matmul(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value a = node.attr("transBatchA", false) ? with_batch_in_front(rw, node.input(0)) : node.input(0);
  const Value b = node.attr("transBatchB", false) ? with_batch_in_front(rw, node.input(1)) : node.input(1);
  const Value product = rw.create(
      ops::MatMul{.transpose_a = node.attr("transA", false), .transpose_b = node.attr("transB", false)}, a, b);
  const double alpha = node.attr("alpha", 1.0);
  return alpha == 1 ? product : rw.create(ops::Multiply{}, product, number_like(rw, product, alpha));
}

/// FusedMatMulActivation(a, b) -> activation(FusedMatMul(a, b))
Replacement fused_matmul_activation(const FrameworkNode& node, Rewriter& rw) {
  node.ignore({"activation_axis"}, "of activations along an axis, which are refused");
  const auto activation = node.required<std::string>("activation");
  Replacement product = fused_matmul(node, rw);
  if (product.error()) return product;
  MO_ASSIGN(const Value y, activated_product(node, rw, product.outputs().front(), activation));
  return y;
}

/// FusedGemm(a, b, c) -> activation(Gemm(a, b, c))
Replacement fused_gemm(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  node.ignore({"activation_gamma"}, "of Selu, which is refused as an activation of this operator");
  MO_ASSIGN(const Value sum, make_gemm(node, rw, node.input(0), node.input(1), node.input(2), read_gemm(node)));
  MO_ASSIGN(const Value y, activated_product(node, rw, sum, node.attr("activation", "")));
  return y;
}

/// GemmFastGelu(a, b, bias) -> FastGelu(a * b + bias)
Replacement gemm_fast_gelu(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  Value sum = rw.create(ops::MatMul{}, node.input(0), node.input(1));
  if (node.input(2)) sum = rw.create(ops::Add{}, sum, node.input(2));
  MO_ASSIGN(const Value y, activated(node, rw, sum, "FastGelu", {}));
  return y;
}

/// CDist(a [M, K], b [N, K]) -> distances [M, N], squared or not
Replacement distances(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const std::string metric = node.attr("metric", "sqeuclidean");
  if (metric != "sqeuclidean" && metric != "euclidean")
    return node.error("MO-ONNX-0444", "metric is \"{}\"", metric).hint("distances are euclidean or sqeuclidean");
  const Value a = rw.create(ops::Unsqueeze{}, node.input(0), rw.integers({1}));
  const Value b = rw.create(ops::Unsqueeze{}, node.input(1), rw.integers({0}));
  const Value squares = rw.create(ops::ReduceSum{}, rw.create(ops::SquaredDifference{}, a, b), rw.integers({2}));
  return metric == "sqeuclidean" ? squares : rw.create(ops::Sqrt{}, squares);
}

/// Complex numbers as a last dimension of 2: (a + bi) * (c + di) = (ac - bd) + (ad + bc)i; `conjugate`: d is negated.
Translator complex_multiply(bool conjugate) {
  return [conjugate](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_TRY(node.expect_inputs(2));
    const auto part = [&](std::size_t input, std::int64_t i) {
      return term(rw, rw.create(ops::Gather{}, node.input(input), rw.integers({i}), rw.scalar<std::int64_t>(-1)));
    };
    const Term a = part(0, 0);
    const Term b = part(0, 1);
    const Term c = part(1, 0);
    const Term d = part(1, 1);
    const Term real = conjugate ? a * c + b * d : a * c - b * d;
    const Term imaginary = conjugate ? b * c - a * d : a * d + b * c;
    return rw.create(ops::Concat{.axis = -1}, real.value(), imaginary.value());
  };
}

/// ExpandDims(x, axis) -> Unsqueeze(x, axis)
Replacement expand_dims(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  return rw.create(ops::Unsqueeze{}, node.input(0), as_length(rw, as_i64(rw, node.input(1))));
}

/// Pad(x, pads, value), whose pads may be a row
Replacement microsoft_pad(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value pads = flattened(rw, as_i64(rw, node.input(1)));
  return pad_tensor(node, rw, node.input(0), pads, node.input(2), {}, node.attr("mode", "constant"));
}

/// Range(start, limit, delta): by default steps of 1
Replacement microsoft_range(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value delta = node.input(2) ? node.input(2) : number_like(rw, node.input(0), 1);
  return make_range(rw, node.input(0), node.input(1), delta);
}

/// Rfft(x) -> RDFT(x) over the last signal_ndim axes; Irfft(x) -> IRDFT(x) of complex numbers as a last dimension of 2
Translator fourier(bool inverse) {
  return [inverse](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_TRY(node.expect_inputs(1));
    const auto count = node.required<std::int64_t>("signal_ndim");
    if (node.failure()) return *node.failure();
    if (count < 1 || count > 3)
      return node.error("MO-ONNX-0449", "signal_ndim is {}", count).hint("signals have 1 to 3 dimensions");
    if (node.attr("normalized", false) || !node.attr("onesided", true))
      return node.error("MO-ONNX-0444", "the transform is normalized or has both sides")
          .hint("export it with normalized=0 and onesided=1");
    std::vector<std::int64_t> axes;
    for (std::int64_t i = -count; i < 0; ++i) axes.push_back(i);
    return inverse ? rw.create(ops::IRDFT{}, node.input(0), rw.integers(axes))
                   : rw.create(ops::RDFT{}, node.input(0), rw.integers(axes));
  };
}

/// Unique(x) -> what is different in the order of its first places, the place of each element's equal, how often each
/// is there
Replacement microsoft_unique(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const ops::Unique op{.sorted = false, .index_element_type = ElementType::i64, .count_element_type = ElementType::i64};
  const Node made = rw.create_node(op, {node.input(0)}, 4);
  Outputs outputs = {made.output(0), made.output(2), made.output(3)};
  outputs.resize(node.output_count());
  return outputs;
}

}  // namespace

/// Products and what else has no better place (domain com.microsoft).
void register_microsoft_matrix(OperatorTable& table) {
  table.translate("com.microsoft::FusedMatMul", since(1), fused_matmul);
  table.translate("com.microsoft::TransposeMatMul", since(1), fused_matmul);
  table.translate("com.microsoft::FusedMatMulActivation", since(1), fused_matmul_activation);
  table.translate("com.microsoft::FusedGemm", since(1), fused_gemm);
  table.translate("com.microsoft::GemmFastGelu", since(1), gemm_fast_gelu);
  table.translate("com.microsoft::CDist", since(1), distances);
  table.translate("com.microsoft::ComplexMul", since(1), complex_multiply(false));
  table.translate("com.microsoft::ComplexMulConj", since(1), complex_multiply(true));
  table.translate("com.microsoft::ExpandDims", since(1), expand_dims);
  table.translate("com.microsoft::Pad", since(1), microsoft_pad);
  table.translate("com.microsoft::Range", since(1), microsoft_range);
  table.translate("com.microsoft::Rfft", since(1), fourier(false));
  table.translate("com.microsoft::Irfft", since(1), fourier(true));
  table.translate("com.microsoft::Unique", since(1), microsoft_unique);
  table.extract("com.microsoft::GatherND", since(1),
                [](const FrameworkNode&) -> Expected<Op> { return ops::GatherND{}; });
}

}  // namespace mo::onnx
