#include "ops/comparison.hpp"

#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/build/term.hpp"

namespace mo::tensorflow {
namespace {

/// Equal and NotEqual compare strings as well. Shapes that do not broadcast would give a single truth value with
/// incompatible_shape_error=false; inference refuses them.
template <class T>
Expected<Op> equality(const FrameworkNode& node) {
  node.ignore({"incompatible_shape_error"}, "of shapes that do not broadcast, which inference refuses");
  if (node.attr<AttributeValue>("T", {}) != AttributeValue(ElementType::string)) MO_TRY(number_type(node));
  return T{};
}

/// ApproximateEqual(x, y) -> |x - y| < tolerance
Replacement approximate_equal(const FrameworkNode& node, Rewriter& rw) {
  const Term x = term(rw, node.input(0));
  return less(absolute(x - term(rw, node.input(1))), node.attr("tolerance", 1e-5)).value();
}

}  // namespace

void register_comparison(OperatorTable& table) {
  table.extract("Equal", equality<ops::Equal>);
  table.extract("NotEqual", equality<ops::NotEqual>);
  table.extract("Greater", plain<ops::Greater>());
  table.extract("GreaterEqual", plain<ops::GreaterEqual>());
  table.extract("Less", plain<ops::Less>());
  table.extract("LessEqual", plain<ops::LessEqual>());
  table.translate("ApproximateEqual", of_numbers(2, approximate_equal));
}

}  // namespace mo::tensorflow
