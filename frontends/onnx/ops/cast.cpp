#include "frontends/onnx/ops/support/data_type_attribute.hpp"
#include "ops/convert.hpp"

namespace mo::onnx {
namespace {

Expected<Op> convert_to(const FrameworkNode& node, ElementType type) {
  if (type == ElementType::string)
    return node.error("MO-ONNX-0204", "numbers cannot be cast to strings").hint("cut the model in front of this node with --output");
  return ops::Convert{.destination_type = type};
}

Expected<Op> extract_cast(const FrameworkNode& node) {
  MO_ASSIGN(const ElementType type, data_type_of_number(node, "to", node.required<std::int64_t>("to")));
  return convert_to(node, type);
}

}  // namespace

void register_cast(OperatorTable& table) {
  // ONNX Cast-1 names the type, Cast-6 and later give its number.
  table.extract("Cast", versions(1, 5), [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const ElementType type, data_type_of_name(node, "to", node.required<std::string>("to")));
    return convert_to(node, type);
  });
  table.extract("Cast", versions(6, 18), extract_cast);
  // `saturate` is about 8-bit floats, `round_mode` about their scales; the IR has neither type.
  table.extract("Cast", since(19), [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"saturate", "round_mode"});
    return extract_cast(node);
  });
  table.extract("CastLike", since(15), [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"saturate", "round_mode"});
    return ops::ConvertLike{};
  });
}

}  // namespace mo::onnx
