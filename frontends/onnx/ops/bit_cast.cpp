#include "frontends/onnx/ops/support/data_type_attribute.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/convert.hpp"

namespace mo::onnx {
namespace {

/// BitCast-26: the same bits as another type of the same width. The IR has no such operation, but Convert keeps the
/// bits of integers; constants are read again, and bits of real numbers cannot be reached.
Replacement bit_cast(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  const ElementType from = x.type().element_type;
  MO_ASSIGN(const ElementType to, data_type_of_number(node, "to", node.required<std::int64_t>("to")));
  if (from == to) return x;
  if (from != ElementType::dynamic && bit_width(from) != bit_width(to) &&
      !(from == ElementType::boolean && bit_width(to) == 8))
    return node.error("MO-ONNX-0476", "{} has other bits than {}", to_string(from), to_string(to))
        .hint("BitCast takes a type of the same width");
  const bool is_boolean = from == ElementType::boolean;
  if (is_integral(to) && (is_boolean || (is_integral(from) && bit_width(to) <= 32)))
    return rw.create(ops::Convert{.destination_type = to}, x);
  if (const Tensor* known = x.data().value(); known && from != ElementType::string)
    return rw.constant(known->reinterpreted(to));
  return node
      .error("MO-ONNX-0476", "the bits of {} are read as {}, for which an IR has no operation", to_string(from),
             to_string(to))
      .hint("cut the model before this node with --output, or make its input a constant");
}

}  // namespace

void register_bit_cast(OperatorTable& table) { table.translate("BitCast", since(26), bit_cast); }

}  // namespace mo::onnx
