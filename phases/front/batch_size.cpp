#include "phases/front/batch_size.hpp"

#include <algorithm>

#include "core/pass/subgraph_replacement.hpp"
#include "core/rewrite.hpp"
#include "phases/front/exported_shape.hpp"

namespace mo::phases {
namespace {

/// Where the batch of an input of `rank` dimensions is, if it has one.
std::optional<std::size_t> batch_axis(const InterfaceLayout* layout, std::size_t rank) {
  if (rank == 0) return std::nullopt;
  if (!layout || !layout->model.fits(rank)) return 0;
  if (const auto axis = layout->model.axis("N", rank)) return axis;
  return layout->model.names(rank).front().empty() ? std::optional<std::size_t>(0) : std::nullopt;
}

}  // namespace

Pass batch_size(std::int64_t batch, std::vector<LayoutRequest> layouts) {
  // Behind all that makes and removes inputs: layouts without names go by their position among those that are left.
  return graph_pass("BatchSize")
      .phase(Phase::extraction)
      .run_after({"FreezeInputs"})
      .run_before({std::string(kConfigReplacementStart)})
      .only_top_level()
      .run([batch, layouts = std::move(layouts)](Graph& graph, PassContext&) -> Expected<bool> {
        MO_ASSIGN(const std::vector<InterfaceLayout> found, find_interface_layouts(graph, layouts));
        for (const Node& parameter : graph.parameters()) {
          PartialShape shape = parameter.as<Parameter>()->shape;
          if (!shape.has_rank()) continue;
          const auto layout = std::find_if(found.begin(), found.end(),
                                           [&](const InterfaceLayout& one) { return one.end == parameter; });
          const auto axis = batch_axis(layout == found.end() ? nullptr : &*layout, shape.size());
          if (!axis) continue;
          shape[*axis] = batch;
          give_shape(parameter, shape);
        }
        return true;
      });
}

}  // namespace mo::phases
