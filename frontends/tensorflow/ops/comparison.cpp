#include "ops/comparison.hpp"

#include "frontends/tensorflow/ops/support/number_type.hpp"

namespace mo::tensorflow {
namespace {

/// Equal and NotEqual compare strings as well. Shapes that do not broadcast would give a single truth value with
/// incompatible_shape_error=false; inference refuses them.
template <class T>
Expected<Op> equality(const FrameworkNode& node) {
  node.ignore({"incompatible_shape_error"});
  if (node.attr<AttributeValue>("T", {}) != AttributeValue(ElementType::string)) MO_TRY(number_type(node));
  return T{};
}

}  // namespace

void register_comparison(OperatorTable& table) {
  table.extract("Equal", equality<ops::Equal>);
  table.extract("NotEqual", equality<ops::NotEqual>);
  table.extract("Greater", plain<ops::Greater>());
  table.extract("GreaterEqual", plain<ops::GreaterEqual>());
  table.extract("Less", plain<ops::Less>());
  table.extract("LessEqual", plain<ops::LessEqual>());
  table.extract("ApproximateEqual", [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const ElementType type, number_type(node));
    return front_op("TfApproximateEqual", {{"T", type}, {"tolerance", node.attr("tolerance", 1e-5)}});
  });
}

}  // namespace mo::tensorflow
