#include <fmt/format.h>

#include <vector>

#include "core/graph/runtime_info.hpp"
#include "core/graph/shape_computations.hpp"
#include "ops/build/half_precision.hpp"
#include "ops/convert.hpp"
#include "phases/back/finish.hpp"

namespace mo::phases {

Pass compress_to_fp16() {
  return graph_pass("CompressToFp16")
      .phase(Phase::finish)
      .when([](const Graph&, const PassContext& context) { return context.settings.compress_to_fp16; })
      .run([](Graph& graph, PassContext& context) -> Expected<bool> {
        const bool everything = context.settings.ir_version == 10;
        const std::vector<std::uint8_t> shapes = shape_computations(graph);
        const auto is_wide = [](ElementType type) { return type == ElementType::f32 || type == ElementType::f64; };
        const std::uint32_t end = graph.node_capacity();
        Rewriter rewriter(graph);
        bool changed = false;
        for (std::uint32_t i = 0; i < end; ++i) {
          const Node node = graph.node(NodeId{i});
          if (!node.alive() || shapes[i]) continue;
          if (const auto* constant = node.as<Const>(); constant && is_wide(constant->value.element_type())) {
            const ElementType before = constant->value.element_type();
            MO_ASSIGN(build::HalfConstant half, build::compressed_to_f16(node, constant->value, context.diagnostics));
            const Node replacement = graph.create_constant(std::move(half.tensor), node.name());
            if (half.clipped > 0) replacement.set_rt_info(kClippedAttribute, {{"elements", half.clipped}});
            replacement.add_sources_of(node);
            Value value = replacement.output();
            if (!everything) {
              if (!node.name().empty()) replacement.set_name(fmt::format("{}_compressed", node.name()));
              const Node convert = rewriter.create_node(ops::Convert{.destination_type = before}, {value});
              convert.set_name(node.name());
              convert.set_rt_info("decompression");
              value = convert.output();
            }
            MO_TRY(node.output().get_connection().set_source(value));
            graph.erase(node);
            changed = true;
          } else if (everything) {
            if (auto* parameter = node.as<Parameter>(); parameter && is_wide(parameter->element_type)) {
              parameter->element_type = ElementType::f16;
              changed = true;
            } else if (auto* convert = node.as<ops::Convert>(); convert && is_wide(convert->destination_type)) {
              convert->destination_type = ElementType::f16;
              changed = true;
            }
          }
        }
        return changed;
      });
}

}  // namespace mo::phases
