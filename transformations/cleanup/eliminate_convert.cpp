#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/convert.hpp"

namespace mo::transformations {

void register_eliminate_convert(PassRegistry& passes) {
  const Pat convert = pattern::op<ops::Convert>();
  passes.offer(rewrite("EliminateConvert")
                   .described("Convert(x)", "x", "x has the destination type")
                   .match(convert)
                   .replace([=](const Match& m, Rewriter&) -> Replacement {
                     const Node node = m.node(convert);
                     if (node.input_type(0).element_type != node.as<ops::Convert>()->destination_type)
                       return declined("it changes the type");
                     return bypass(node, node.input(0));
                   }));
}

}  // namespace mo::transformations
