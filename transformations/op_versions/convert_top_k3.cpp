#include "core/registry/pass_registry.hpp"
#include "ops/convert.hpp"
#include "ops/top_k.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_top_k3(PassRegistry& passes) {
  passes.offer(
      rewrite("ConvertTopK3")
          .described("TopK.v3(x, k)", "TopK.v1(x, k) with indices of i32, converted to i64 for readers that need it")
          .match(pattern::op<ops::v3::TopK>())
          .replace(of_op<ops::v3::TopK>([](const Node& node, const ops::v3::TopK& op, Rewriter& rw) -> Replacement {
            ops::v1::TopK older{op};
            older.index_element_type = ElementType::i32;
            Value k = node.input(1);
            // Runtimes take no other integers in this class.
            if (const ElementType type = k.type().element_type;
                is_integral(type) && type != ElementType::i32 && type != ElementType::i64)
              k = rw.fold(ops::Convert{.destination_type = ElementType::i64}, k);
            const Node made = rw.create_node(std::move(older), {node.input(0), k}, 2);
            Value indices = made.output(1);
            if (node.output(1).disconnected())
              indices = {};
            else if (op.index_element_type != ElementType::i32)
              indices = rw.create(ops::Convert{.destination_type = op.index_element_type}, indices);
            return Outputs{made.output(0), indices};
          })));
}

}  // namespace mo::transformations
