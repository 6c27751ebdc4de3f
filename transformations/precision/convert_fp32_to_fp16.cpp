#include "core/registry/pass_registry.hpp"
#include "transformations/support/precision.hpp"

namespace mo::transformations {

void register_convert_fp32_to_fp16(PassRegistry& passes) {
  passes.offer(graph_pass("ConvertFP32ToFP16")
                   .described("tensors of type f32", "tensors of type f16", "as ConvertPrecision with f32->f16")
                   .only_top_level()
                   .whole_graph("neighbours of a tensor have its type")
                   .run([](Graph& graph, PassContext& context) {
                     constexpr TypeChange kChange{ElementType::f32, ElementType::f16};
                     return change_types(graph, {&kChange, 1}, context);
                   }));
}

}  // namespace mo::transformations
