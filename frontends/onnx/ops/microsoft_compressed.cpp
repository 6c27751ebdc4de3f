#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/graph/values.hpp"
#include "frontends/onnx/ops/support/normalized.hpp"
#include "frontends/onnx/ops/support/packed_matrix.hpp"
#include "frontends/onnx/ops/support/required_inputs.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/activations.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/mat_mul.hpp"

namespace mo::onnx {
namespace {

/// `rows`: the attribute with their number. Errors: MO-ONNX-0444 for what cannot stay packed, MO-ONNX-0445 for
/// impossible sizes.
Expected<Packing> packing_of(const FrameworkNode& node, std::string_view rows) {
  node.ignore({"accuracy_level"}, "it allows kernels to round the data; without it they compute as exactly as the IR");
  if (const auto prepacked = node.attr<std::int64_t>("weight_prepacked", 0))
    return node
        .error("MO-ONNX-0444", "weight_prepacked is {}: the weights are in the order of one kind of device", prepacked)
        .hint("export the model without prepacking (weight_prepacked=0)");
  const Packing p{.bits = node.attr<std::int64_t>("bits", 4),
                  .rows = node.required<std::int64_t>(rows),
                  .columns = node.required<std::int64_t>("K"),
                  .block = node.required<std::int64_t>("block_size")};
  if (node.failure()) return *node.failure();
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  constexpr std::int64_t kLargestBlock = 1 << 16;
  if (p.bits != 4 && p.bits != 8)
    return node.error("MO-ONNX-0444", "weights have {} bits", p.bits)
        .hint("constants of an IR have 4 or 8: quantise the model to one of them");
  if (p.rows < 1 || p.rows > kMost || p.columns < 1 || p.columns > kMost || p.block < 2 || p.block > kLargestBlock ||
      p.block % 2 != 0)
    return node.error("MO-ONNX-0445", "{} is {}, K is {}, block_size is {}", rows, p.rows, p.columns, p.block)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  return p;
}

/// The order in which columns of the same group are next to each other, by `groups`: the block of each column, whose
/// scale and zero point it has. Errors: MO-ONNX-0445 for what is not a group for each column, MO-ONNX-0444 for groups
/// that do not have as many columns as a block.
Expected<ColumnOrder> order_by_groups(const FrameworkNode& node, const Packing& p, const Value& groups) {
  if (!groups) return ColumnOrder{};
  const auto group = integers_of(groups, p.blocks() * p.block);
  const auto columns = static_cast<std::size_t>(p.columns);
  if (!group || group->size() < columns)
    return node.error("MO-ONNX-0445", "g_idx is not a constant with a group for each of {} columns", p.columns)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  ColumnOrder order(static_cast<std::size_t>(p.blocks() * p.block));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.begin() + p.columns, [&](std::int64_t a, std::int64_t b) {
    return group->at(std::size_t(a)) < group->at(std::size_t(b));
  });
  for (std::int64_t i = 0; i < p.columns; ++i)
    if (group->at(static_cast<std::size_t>(order[static_cast<std::size_t>(i)])) != i / p.block)
      return node
          .error("MO-ONNX-0444", "group {} of g_idx has not {} columns", i / p.block,
                 std::min(p.block, p.columns - i / p.block * p.block))
          .hint("quantise the model so that each block of columns has a scale of its own");
  return std::is_sorted(order.begin(), order.end()) ? ColumnOrder{} : order;
}

/// x [.., K] * b^T + bias, which may be empty.
Value product(Rewriter& rw, const Value& x, const Value& b, const Value& bias) {
  const Value y = rw.create(ops::MatMul{.transpose_b = true}, x, as_type_of(rw, b, x));
  return bias ? rw.create(ops::Add{}, y, bias) : y;
}

/// MatMulNBits: a [.., K] * b^T. Inputs: a, b, scales, zero points, the block of each column (g_idx), bias [N]. b stays
/// packed in the file. Where the columns of a block are not next to each other, those of a and b change places.
Replacement matmul_of_bits(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const Packing p, packing_of(node, "N"));
  MO_ASSIGN(ColumnOrder order, order_by_groups(node, p, node.input(4)));
  if (!order.empty() && node.has_input(3) && node.input(3).type().element_type == ElementType::u8)
    return node.error("MO-ONNX-0444", "the columns are reordered (g_idx), and there are packed zero points")
        .hint(
            "ONNX Runtime does not read such zero points on every device: quantise the model symmetrically, or without "
            "reordering (act_order, desc_act)");
  MO_ASSIGN(const Value b, matrix_of_bits(node, rw, p, {node.input(1), node.input(2), node.input(3)}, order));
  if (!order.empty()) order.resize(static_cast<std::size_t>(p.columns));
  return product(rw, ordered(rw, node.input(0), order), b, node.input(5));
}

/// What the products of a fused operator read, and the sum that it is made of: x, or x + skip by its root mean square *
/// scale; inputs 0 to 2.
struct FusedInput {
  Value normalised;
  Value sum;
};
Expected<FusedInput> fused_input(const FrameworkNode& node, Rewriter& rw, double epsilon) {
  FusedInput x{.normalised = node.input(0), .sum = node.input(0)};
  if (const Value skip = node.input(1)) {
    MO_TRY(require_inputs(node, {2}));
    x.sum = rw.create(ops::Add{}, x.sum, skip);
  }
  if (const Value scale = node.input(2))
    x.normalised = last_axis_normalized(rw, x.sum, scale, Value(), node.attr("epsilon", epsilon), true);
  else
    node.ignore({"epsilon"}, "of a normalisation that there is not");
  return x;
}

/// The packed matrix at input `i`, its scales and its bias after it, times x.
Expected<Value> fused_product(const FrameworkNode& node, Rewriter& rw, const Value& x, std::string_view rows,
                              std::size_t i) {
  MO_ASSIGN(const Packing p, packing_of(node, rows));
  MO_ASSIGN(const Value b, matrix_of_bits(node, rw, p, {node.input(i), node.input(i + 1), {}}));
  return product(rw, x, b, node.input(i + 2));
}

/// MatMulNBitsMlp(x, skip, scale, gate's matrix, scales and bias, the same of up) -> silu(x * gate) * (x * up); the sum
/// of x and skip.
Replacement gated_products_of_bits(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(require_inputs(node, {0, 3, 4, 6, 7}));
  const std::string activation = node.attr("activation", "silu");
  if (activation != "silu" && activation != "swish")
    return node.error("MO-ONNX-0446", "the activation \"{}\" is not one of MatMulNBitsMlp", activation)
        .hint("the activation is silu");
  MO_ASSIGN(const FusedInput x, fused_input(node, rw, 1e-5));
  MO_ASSIGN(const Value gate, fused_product(node, rw, x.normalised, "N", 3));
  MO_ASSIGN(const Value up, fused_product(node, rw, x.normalised, "N", 6));
  Outputs outputs(node.output_count());
  outputs[0] = rw.create(ops::Multiply{}, rw.create(ops::Swish{}, gate), up);
  if (outputs.size() > 1) outputs[1] = x.sum;
  return outputs;
}

/// MatMulNBitsQkv(x, skip, scale, and matrix, scales and bias of queries, keys and values) -> their products; the sum
/// of x and skip.
Replacement attention_products_of_bits(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(require_inputs(node, {0, 2, 3, 4, 6, 7, 9, 10}));
  MO_ASSIGN(const FusedInput x, fused_input(node, rw, 1e-6));
  Outputs outputs(node.output_count());
  for (std::size_t i = 0; i < 3 && i < outputs.size(); ++i) {
    MO_ASSIGN(outputs[i], fused_product(node, rw, x.normalised, i == 0 ? "Nq" : "Nkv", 3 + 3 * i));
  }
  if (outputs.size() > 3) outputs[3] = x.sum;
  return outputs;
}

}  // namespace

void register_microsoft_compressed(OperatorTable& table) {
  table.translate("com.microsoft::MatMulNBits", since(1), matmul_of_bits);
  table.translate("com.microsoft::MatMulNBitsMlp", since(1), gated_products_of_bits);
  table.translate("com.microsoft::MatMulNBitsQkv", since(1), attention_products_of_bits);
}

}  // namespace mo::onnx
