#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "ops/convert.hpp"

namespace mo::tensorflow {

void register_cast(OperatorTable& table) {
  // TensorFlow Cast: reals to integers truncate, anything but 0 is true, as in the IR. `Truncate` is about the last bit of a shorter real
  // type.
  table.extract("Cast", [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"Truncate"});
    MO_TRY(number_type(node, "SrcT"));
    MO_ASSIGN(const ElementType type, number_type(node, "DstT"));
    if (type == ElementType::dynamic) return node.error("MO-FRONT-0004", "attribute DstT is missing").hint("check how the model was exported");
    return ops::Convert{.destination_type = type};
  });
  table.extract("Bitcast", [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const ElementType from, number_type(node));
    MO_ASSIGN(const ElementType to, number_type(node, "type"));
    return front_op("TfBitcast", {{"T", from}, {"type", to}});
  });
}

}  // namespace mo::tensorflow
