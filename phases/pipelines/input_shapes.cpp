#include "core/inference/infer.hpp"
#include "core/registry/pass_registry.hpp"

namespace mo::transformations {
namespace {

/// Where the shape of an input waits to come back.
constexpr std::string_view kHiddenShape = "hidden_shape";

Expected<bool> hide(Graph& graph, PassContext& context) {
  bool changed = false;
  for (const Node& node : graph.parameters()) {
    PartialShape& shape = node.as<Parameter>()->shape;
    const PartialShape hidden = shape.has_rank() ? PartialShape::of_rank(shape.size()) : PartialShape::unknown_rank();
    const AttributeMap* const info = node.rt_info();
    if ((info && info->find(kHiddenShape)) || shape == hidden || context.skips(node)) continue;
    node.set_rt_info(kHiddenShape, {{"shape", shape}});
    shape = hidden;
    changed = true;
  }
  if (changed) MO_TRY(infer_graph(graph));
  return changed;
}

Expected<bool> restore(Graph& graph, PassContext&) {
  bool changed = false;
  for (const Node& node : graph.parameters()) {
    const AttributeMap* const info = node.rt_info();
    const AttributeValue* const entry = info ? info->find(kHiddenShape) : nullptr;
    const AttributeValue* const value = entry && entry->map() ? entry->map()->find("shape") : nullptr;
    const PartialShape* const shape = value ? value->get_if<PartialShape>() : nullptr;
    if (!shape) continue;
    node.as<Parameter>()->shape = *shape;
    node.erase_rt_info(kHiddenShape);
    changed = true;
  }
  if (changed) MO_TRY(infer_graph(graph));
  return changed;
}

}  // namespace

/// What passes do between these two holds for any size of the inputs.
void register_input_shapes(PassRegistry& passes) {
  passes.offer(graph_pass("HideInputShapes")
                   .described("Parameter of a known shape", "the same with unknown dimensions, its shape remembered",
                              "first step of MOCTransformations")
                   .only_top_level()
                   .asks_nodes()
                   .run(hide));
  passes.offer(
      graph_pass("RestoreInputShapes")
          .described("the result of HideInputShapes", "the Parameter with its shape", "last step of MOCTransformations")
          .only_top_level()
          .whole_graph("takes back all that HideInputShapes did")
          .run(restore));
}

}  // namespace mo::transformations
