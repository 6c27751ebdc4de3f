#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "frontends/onnx/ops/support/constant_tensor.hpp"
#include "frontends/onnx/ops/support/packed_matrix.hpp"
#include "frontends/onnx/ops/support/required_inputs.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/activations.hpp"
#include "ops/build/term.hpp"
#include "ops/clamp.hpp"
#include "ops/gather.hpp"
#include "ops/gather_elements.hpp"
#include "ops/mat_mul.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/scatter.hpp"
#include "ops/slice.hpp"
#include "ops/soft_max.hpp"
#include "ops/split.hpp"
#include "ops/top_k.hpp"
#include "ops/transpose.hpp"

// Mixtures of experts. All experts compute all tokens, and what a token does not choose counts 0 times: an IR has no
// product with weights that are chosen for each row. MoE has one product for all experts; QMoE has one for each, as
// runtimes keep packed weights packed in products of two dimensions only (2023.3 compiles no others).
namespace mo::onnx {
namespace {

/// Weights [outputs, inputs] and bias [outputs] of an expert, or [experts, outputs, inputs] and [experts, 1, outputs]
/// of all. The bias may be empty; the weights are empty when the node does not have the layer.
struct Layer {
  Value weights;
  Value bias;
};
struct Layers {
  Layer first;
  Layer second;
  Layer gate;  ///< beside the first one
};

/// What swiglu_fusion says: gate and values are two layers, alternate in the first layer, or are its halves.
enum class Fusion { none, alternating, halves };

struct Activation {
  std::string name;
  Fusion fusion = Fusion::none;
  double alpha = 1;
  double beta = 0;
  std::optional<double> limit;
  bool limits_after = false;

  bool is_gated() const { return name == "swiglu" || name == "geglu"; }
};

/// Errors: MO-ONNX-0446 for an unknown activation, MO-ONNX-0444 for layers that it does not have.
Expected<Activation> activation_of(const FrameworkNode& node, bool has_gate) {
  Activation a{.name = node.attr("activation_type", "relu")};
  if (a.name == "swiglu") {
    a.alpha = node.attr("activation_alpha", 1.0);
    a.beta = node.attr("activation_beta", 0.0);
    a.limit = node.optional_attr<double>("swiglu_limit");
    a.limits_after = node.attr("swiglu_limit_after_activation", false);
  } else {
    node.ignore({"activation_alpha", "activation_beta", "swiglu_limit", "swiglu_limit_after_activation"},
                "they are parameters of swiglu: kernels of other activations do not read them");
  }
  const auto fusion = node.attr<std::int64_t>("swiglu_fusion", 0);
  constexpr std::array<std::string_view, 7> kNames{"relu", "relu2", "gelu", "silu", "identity", "swiglu", "geglu"};
  if (std::find(kNames.begin(), kNames.end(), a.name) == kNames.end())
    return node.error("MO-ONNX-0446", "the activation \"{}\" is not one of experts", a.name)
        .hint("activations are relu, relu2, gelu, silu, identity, swiglu and geglu");
  if (fusion < 0 || fusion > 2)
    return node.error("MO-ONNX-0449", "swiglu_fusion is {}", fusion)
        .hint("it is 0 (two layers), 1 (gate and values alternate) or 2 (halves)");
  if (a.is_gated()) a.fusion = static_cast<Fusion>(fusion);
  if ((a.is_gated() && a.fusion == Fusion::none) != has_gate)
    return node
        .error("MO-ONNX-0444", "{} {} a third layer (fc3), swiglu_fusion is {}", a.name,
               has_gate ? "does not have" : "lacks", fusion)
        .hint("swiglu and geglu take gate and values from fc1 and fc3, or from fc1 with swiglu_fusion 1 or 2");
  return a;
}

/// x [.., tokens, inputs] -> [.., tokens, outputs]
Term through(Rewriter& rw, const Value& x, const Layer& layer, ElementType type) {
  const Term y(rw, rw.create(ops::MatMul{.transpose_b = true}, x, layer.weights), type);
  return layer.bias ? y + Term(rw, layer.bias, type) : y;
}

/// Every second element of the last axis, from `first` on.
Term every_second(Rewriter& rw, const Term& x, std::int64_t first) {
  constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
  return {rw,
          rw.create(ops::Slice{}, x, rw.integers({first}), rw.integers({kEnd}), rw.integers({2}), rw.integers({-1})),
          x.type()};
}

Term swish(const Term& x, double alpha) {
  return alpha == 1 ? x.apply(ops::Swish{}) : x.apply(ops::Swish{}, x.number(alpha));
}

Term gated(const Term& gate, const Term& values, const Activation& a) {
  if (a.name == "geglu") return gate.apply(ops::v7::Gelu{.approximation_mode = ops::GeluMode::tanh}) * values;
  Term open = gate;
  Term y = values;
  if (a.limit && !a.limits_after) open = smaller(open, *a.limit);
  open = swish(open, a.alpha);
  if (a.limit && a.limits_after) open = smaller(open, *a.limit);
  if (a.limit) y = y.apply(ops::Clamp{.min = -*a.limit, .max = *a.limit});
  return open * (a.beta == 0 ? y : y + a.beta);
}

Term hidden(Rewriter& rw, const Value& rows, const Layers& layers, const Activation& a, ElementType type) {
  const Term x = through(rw, rows, layers.first, type);
  if (a.name == "relu") return x.apply(ops::ReLU{});
  if (a.name == "gelu") return x.apply(ops::v7::Gelu{.approximation_mode = ops::GeluMode::tanh});
  if (a.name == "silu") return x.apply(ops::Swish{});
  if (a.name == "identity") return x;
  if (a.name == "relu2") {
    const Term positive = x.apply(ops::ReLU{});
    return positive * positive;
  }
  if (a.fusion == Fusion::none) return gated(x, through(rw, rows, layers.gate, type), a);
  if (a.fusion == Fusion::alternating) return gated(every_second(rw, x, 0), every_second(rw, x, 1), a);
  const Node halves = rw.create_node(ops::Split{.num_splits = 2}, {x, rw.scalar<std::int64_t>(-1)}, 2);
  return gated({rw, halves.output(0), type}, {rw, halves.output(1), type}, a);
}

/// How often the result of each expert counts, [tokens, experts], by the router's numbers of that shape. MoE without
/// normalize_routing_weights: as often as a softmax of all says; QMoE always takes one of the chosen ones, as ONNX
/// Runtime 1.32 does on the CPU, or the numbers of `mixing` [tokens, experts] when there are some.
Expected<Value> shares(const FrameworkNode& node, Rewriter& rw, bool quantized, const Value& mixing) {
  const auto count = node.attr<std::int64_t>("k", 1);
  const bool normalized = node.attr("normalize_routing_weights", false);
  if (count < 1) return node.error("MO-ONNX-0449", "k is {}", count).hint("each token chooses at least one expert");
  if (node.attr("use_sparse_mixer", false))
    return node.error("MO-ONNX-0444", "use_sparse_mixer is set: the choice depends on noise thresholds of one device")
        .hint("export the model without the sparse mixer");
  const Value logits = as_type(rw, node.input(1), ElementType::f32);
  const bool of_all = !quantized && !normalized;
  const Value ranked = of_all ? rw.create(ops::SoftMax{.axis = 1}, logits) : logits;
  const Node best = rw.create_node(ops::TopK{.axis = 1}, {ranked, rw.scalar(count)});
  Value weights = best.output(0);
  if (mixing) {
    weights = rw.create(ops::GatherElements{.axis = 1}, as_type(rw, mixing, ElementType::f32), best.output(1));
    if (normalized)
      weights =
          rw.create(ops::Divide{}, weights, rw.create(ops::ReduceSum{.keep_dims = true}, weights, rw.integers({1})));
  } else if (!of_all) {
    weights = rw.create(ops::SoftMax{.axis = 1}, weights);
  }
  const Value none = repeat(rw, rw.scalar(0.0F), shape_of(rw, logits));
  const Value all =
      rw.create(ops::v3::ScatterElementsUpdate{}, none, best.output(1), weights, rw.scalar<std::int64_t>(1));
  return as_type_of(rw, all, node.input(0));
}

bool has_rows(const Value& x) { return x.type().shape.has_rank() && x.type().shape.size() == 2; }

/// x [tokens, hidden] or [batch, length, hidden] as [tokens, hidden], and the other way.
Value as_rows(Rewriter& rw, const Value& x) {
  return has_rows(x) ? x : rw.create(ops::Reshape{}, x, join(rw, {rw.integers({-1}), length_along(rw, x, -1)}));
}
Value shaped_like(Rewriter& rw, const Value& rows, const Value& x) {
  return has_rows(x) ? rows : rw.create(ops::Reshape{}, rows, shape_of(rw, x));
}

/// MoE(x, router's numbers [tokens, experts], weights [experts, outputs, inputs] and bias [experts, outputs] of fc1,
/// fc2 and fc3) -> like x
Replacement experts(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(require_inputs(node, {0, 1, 2, 4}));
  MO_ASSIGN(const Activation activation, activation_of(node, node.has_input(6)));
  MO_ASSIGN(const Value share, shares(node, rw, false, Value()));
  const auto layer = [&](std::size_t i) {
    const Value bias = node.input(i + 1);
    return Layer{node.input(i), bias ? rw.create(ops::Unsqueeze{}, bias, rw.integers({1})) : bias};
  };
  const Layers layers{.first = layer(2), .second = layer(4), .gate = layer(6)};
  const ElementType type = node.input(0).type().element_type;
  const Value rows = rw.create(ops::Unsqueeze{}, as_rows(rw, node.input(0)), rw.integers({0}));
  const Term results = through(rw, hidden(rw, rows, layers, activation, type), layers.second, type);
  // [tokens, experts] -> [experts, tokens, 1]
  const Value by_expert = rw.create(ops::Transpose{}, share, rw.integers({1, 0}));
  const Term counts(rw, rw.create(ops::Unsqueeze{}, by_expert, rw.integers({2})), type);
  return shaped_like(rw, rw.create(ops::ReduceSum{}, results * counts, rw.integers({0})), node.input(0));
}

/// Number `i` of `count` equal parts of a constant, one after the other, as a vector; what is not a constant, as it is.
Expected<Value> part_of(Rewriter& rw, const Value& value, std::int64_t i, std::int64_t count) {
  const auto tensor = constant_tensor(value);
  if (!tensor || tensor->element_count() % count != 0) return value;
  const Shape shape{tensor->element_count() / count};
  const std::uint64_t bytes = tensor->byte_size() / static_cast<std::uint64_t>(count);
  MO_ASSIGN(Tensor part, Tensor::from_buffer(tensor->element_type(), shape, tensor->buffer(),
                                             tensor->offset() + static_cast<std::uint64_t>(i) * bytes));
  return rw.constant(std::move(part));
}

/// The experts of one layer of QMoE: packed weights [experts, outputs, bytes] at `input`, scales and bias after it.
struct PackedLayer {
  std::size_t input;
  std::size_t zero_points;
  std::int64_t experts;
  Packing packing;  ///< of each expert
};

/// The layer at `input`; nothing when the node does not have it. `width` is the attribute with the bits of its weights.
Expected<std::optional<PackedLayer>> packed_layer(const FrameworkNode& node, std::size_t input, std::size_t zero_points,
                                                  std::string_view width) {
  if (!node.has_input(input)) return std::optional<PackedLayer>();
  MO_TRY(require_inputs(node, {input + 1}));
  const auto bits = node.attr<std::int64_t>(width, node.attr<std::int64_t>("expert_weight_bits", 4));
  const auto block = node.attr<std::int64_t>("block_size", 0);
  const PartialShape& shape = node.input(input).type().shape;
  if (bits != 4 && bits != 8)
    return node.error("MO-ONNX-0444", "weights have {} bits", bits)
        .hint("constants of an IR have 4 or 8: quantise the model to one of them");
  if (!shape.is_static() || shape.size() != 3 || shape[0].value() < 1 || shape[1].value() < 1)
    return node.error("MO-ONNX-0445", "the weights of input {} have shape {}", input, shape.to_string())
        .hint("they are [experts, outputs, bytes]: make them initializers of the model");
  const std::int64_t inputs = shape[2].value() * 8 / bits;
  if (block < 0 || inputs < 1 || (block > 0 && (block % 2 != 0 || inputs % block != 0)))
    return node.error("MO-ONNX-0445", "{} inputs are not cut into blocks of {}", inputs, block)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  return PackedLayer{.input = input,
                     .zero_points = zero_points,
                     .experts = shape[0].value(),
                     .packing = {.bits = bits,
                                 .rows = shape[1].value(),
                                 .columns = inputs,
                                 .block = block > 0 ? block : inputs,
                                 .zero_point_runs = block > 0 ? 0 : 1}};
}

/// The layer of expert `i`.
Expected<Layer> layer_of(const FrameworkNode& node, Rewriter& rw, const PackedLayer& layer, std::int64_t i) {
  PackedMatrix matrix;
  MO_ASSIGN(matrix.weights, part_of(rw, node.input(layer.input), i, layer.experts));
  MO_ASSIGN(matrix.scales, part_of(rw, node.input(layer.input + 1), i, layer.experts));
  MO_ASSIGN(matrix.zero_points, part_of(rw, node.input(layer.zero_points), i, layer.experts));
  MO_ASSIGN(const Value weights, matrix_of_bits(node, rw, layer.packing, matrix));
  Value bias = node.input(layer.input + 2);
  if (bias) bias = rw.create(ops::Gather{}, bias, rw.scalar(i), rw.scalar<std::int64_t>(0));
  return Layer{as_type_of(rw, weights, node.input(0)), bias};
}

/// QMoE: as MoE, with packed weights, scales and bias of each layer (inputs 2 to 10), zero points (11 to 13), and the
/// numbers with which chosen experts count (14).
Replacement quantized_experts(const FrameworkNode& node, Rewriter& rw) {
  constexpr std::int64_t kMostExperts = 4096;
  MO_TRY(require_inputs(node, {0, 1, 2, 5}));
  node.ignore({"accuracy_level"}, "it allows kernels to round the data; without it they compute as exactly as the IR");
  if (const std::string type = node.attr("quant_type", "int"); type != "int")
    return node.error("MO-ONNX-0444", "the weights are of type {}", type)
        .hint("quantise the experts to integers of 4 or 8 bits (quant_type=int)");
  if (const auto order = node.attr<std::int64_t>("weights_prepacked", -1); order == 1)
    return node.error("MO-ONNX-0444", "weights_prepacked is 1: the weights are in the order of one kind of device")
        .hint("export the model without prepacking (weights_prepacked=0)");
  MO_ASSIGN(const auto first, packed_layer(node, 2, 11, "fc1_expert_weight_bits"));
  MO_ASSIGN(const auto second, packed_layer(node, 5, 12, "fc2_expert_weight_bits"));
  MO_ASSIGN(const auto gate, packed_layer(node, 8, 13, "fc3_expert_weight_bits"));
  const std::int64_t count = first->experts;
  if (count > kMostExperts || second->experts != count || (gate && gate->experts != count))
    return node
        .error("MO-ONNX-0445", "the layers have {} and {} experts{}", count, second->experts,
               gate ? fmt::format(", fc3 has {}", gate->experts) : "")
        .hint("all layers have the same number of experts, at most {}", kMostExperts);
  MO_ASSIGN(const Activation activation, activation_of(node, gate.has_value()));
  MO_ASSIGN(const Value share, shares(node, rw, true, node.input(14)));
  const ElementType type = node.input(0).type().element_type;
  const Value rows = as_rows(rw, node.input(0));
  std::optional<Term> sum;
  for (std::int64_t i = 0; i < count; ++i) {
    Layers layers;
    MO_ASSIGN(layers.first, layer_of(node, rw, *first, i));
    MO_ASSIGN(layers.second, layer_of(node, rw, *second, i));
    if (gate) { MO_ASSIGN(layers.gate, layer_of(node, rw, *gate, i)); }
    const Term result = through(rw, hidden(rw, rows, layers, activation, type), layers.second, type);
    const Term part = result * Term(rw, slice_along(rw, share, 1, i, i + 1), type);
    sum = sum ? *sum + part : part;
  }
  return shaped_like(rw, *sum, node.input(0));
}

}  // namespace

void register_microsoft_experts(OperatorTable& table) {
  table.translate("com.microsoft::MoE", since(1), experts);
  table.translate("com.microsoft::QMoE", since(1), quantized_experts);
}

}  // namespace mo::onnx
