#include <cmath>

#include "frontends/onnx/ops/support/data_type_attribute.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/term.hpp"

namespace mo::onnx {
namespace {

/// An integer in the other type of the same width. Runtimes differ in what Convert does with a number that does not fit, so that it is made to
/// fit first: x - 2^bits above the largest signed number, x + 2^bits below 0.
Value reread(Rewriter& rw, const Value& x, ElementType type, bool to_signed) {
  const double period = std::ldexp(1.0, static_cast<int>(bit_width(type)));
  const Term wide = term(rw, x).as(ElementType::i64);
  const Term moved = to_signed ? choose(greater_equal(wide, period / 2), wide - period, wide) : choose(less(wide, 0), wide + period, wide);
  return moved.as(type).value();
}

/// BitCast-26: the same bits as another type of the same width. The IR has no such operation: integers are moved into the other range, constants
/// are read again; bits of real numbers cannot be reached.
Replacement bit_cast(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  const ElementType from = x.type().element_type;
  MO_ASSIGN(const ElementType to, data_type_of_number(node, "to", node.required<std::int64_t>("to")));
  if (from == to) return x;
  if (from != ElementType::dynamic && bit_width(from) != bit_width(to) && !(from == ElementType::boolean && bit_width(to) == 8))
    return node.error("MO-ONNX-0476", "{} has other bits than {}", to_string(from), to_string(to)).hint("BitCast takes a type of the same width");
  if (from == ElementType::boolean && is_integral(to)) return rw.create(ops::Convert{.destination_type = to}, x);
  if (is_integral(from) && is_integral(to) && bit_width(to) <= 32) return reread(rw, x, to, is_signed(to));
  if (const Tensor* known = x.data().value(); known && from != ElementType::string) return rw.constant(known->reinterpreted(to));
  return node.error("MO-ONNX-0476", "the bits of {} are read as {}, for which an IR has no operation", to_string(from), to_string(to))
      .hint("cut the model in front of this node with --output, or make its input a constant");
}

}  // namespace

void register_bit_cast(OperatorTable& table) { table.translate("BitCast", since(26), bit_cast); }

}  // namespace mo::onnx
