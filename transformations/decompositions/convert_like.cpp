#include "core/rewrite.hpp"
#include "ops/convert.hpp"

namespace mo::transformations {
namespace {

/// x as `type`: itself when it is of that type already.
Value converted(Rewriter& rw, const Value& x, ElementType type) {
  return x.type().element_type == type ? x : rw.create(ops::Convert{.destination_type = type}, x);
}

}  // namespace

/// Conversions to a type that another tensor tells, once it is known: front replacers make them.
void register_convert_like(PassRegistry& passes) {
  // ConvertLike(x, like) -> Convert(x), or x
  passes.add(front_replacement_op("ConvertLike")
                 .named("ConvertLikeFusion")
                 .phase(Phase::middle)
                 .run_before({"ConstantFolding"})
                 .replace_op([](const Node& node, Rewriter& rw) -> Replacement {
                   const ElementType type = node.input_type(1).element_type;
                   if (!node.input(0) || type == ElementType::dynamic ||
                       node.input_type(0).element_type == ElementType::dynamic)
                     return Replacement::declined();
                   return converted(rw, node.input(0), type);
                 }));
  // ConvertPromoteTypes(a, b) -> Convert(a), Convert(b)
  passes.add(front_replacement_op("ConvertPromoteTypes")
                 .named("ConvertPromoteTypesDecomposition")
                 .phase(Phase::middle)
                 .run_before({"ConstantFolding"})
                 .replace_op([](const Node& node, Rewriter& rw) -> Replacement {
                   const ElementType type = node.output_type().element_type;
                   if (!node.input(0) || !node.input(1) || type == ElementType::dynamic)
                     return declined("an input is missing, or the target type is unknown");
                   if (node.input_type(0).element_type == ElementType::dynamic ||
                       node.input_type(1).element_type == ElementType::dynamic)
                     return Replacement::declined();
                   return Outputs{converted(rw, node.input(0), type), converted(rw, node.input(1), type)};
                 }));
}

}  // namespace mo::transformations
