#include "frontends/tensorflow/ops/support/complex_numbers.hpp"
#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/convert.hpp"

namespace mo::tensorflow {
namespace {

/// TensorFlow Cast: reals to integers truncate, anything but 0 is true, as in the IR. With `Truncate`, so do longer to
/// shorter reals. A complex number loses its imaginary part when it becomes a real one.
Replacement cast(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const bool from_complex = is_complex(node, "SrcT");
  const bool to_complex = is_complex(node, "DstT");
  if (!from_complex) MO_TRY(number_type(node, "SrcT"));
  ElementType type = to_complex ? part_type(node, "DstT") : ElementType::dynamic;
  if (!to_complex) { MO_ASSIGN(type, number_type(node, "DstT")); }
  if (type == ElementType::dynamic)
    return node.error("MO-FRONT-0004", "attribute DstT is missing")
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  const ElementType from = from_complex ? part_type(node, "SrcT") : node.input_type(0).element_type;
  if (node.attr("Truncate", false) && is_real(from) && is_real(type) && bit_width(type) < bit_width(from))
    return node.error("MO-TF-0519", "Truncate is set for a shorter real type")
        .hint("an IR rounds to the nearest number; export the model without Truncate");
  const Value x = from_complex && !to_complex ? part_of_complex(rw, node.input(0), 0) : node.input(0);
  const Value converted = rw.create(ops::Convert{.destination_type = type}, x);
  return to_complex && !from_complex ? complex_of_real(rw, converted) : converted;
}

/// Bitcast(x): the same bits as another type of the same width. The IR has no such op, but a known tensor can be
/// relabelled.
Replacement bitcast(const FrameworkNode& node, Rewriter& rw) {
  const Value x = node.input(0);
  const ElementType from = x.type().element_type;
  MO_ASSIGN(const ElementType to, number_type(node, "type"));
  if (from == to && to != ElementType::dynamic) return x;
  if (const Tensor* known = x.data().value();
      known && bit_width(to) != 0 && bit_width(known->element_type()) == bit_width(to))
    return rw.constant(known->reinterpreted(to));
  return node.error("MO-TF-0505", "the bits of {} cannot be read as {}", to_string(from), to_string(to))
      .hint("the IR has no op for it: cut the model around this node with --input and --output");
}

}  // namespace

void register_cast(OperatorTable& table) {
  table.translate("Cast", cast);
  table.translate("Bitcast", of_numbers(1, bitcast));
}

}  // namespace mo::tensorflow
