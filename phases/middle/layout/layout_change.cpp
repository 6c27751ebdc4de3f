#include "phases/middle/layout/layout_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/graph/bodies.hpp"
#include "core/tensor/permute.hpp"
#include "phases/middle/layout/apply.hpp"
#include "phases/middle/layout/slices.hpp"

namespace mo::phases {
namespace {

using namespace layout;

/// How a runtime shows inputs and outputs to programs written for IR v10, where they were channels-first: a Parameter
/// says how that becomes the model's layout, a Result how the model's layout becomes that.
void remember_old_interface(const std::vector<Node>& images) {
  for (const Node& node : images) {
    const bool result = node.is<Result>();
    const std::size_t rank = (result ? node.input_type(0) : node.output_type(0)).shape.size();
    const auto order = result ? order_to_channels_first(rank) : order_to_channels_last(rank);
    node.set_rt_info("old_api_map_order", {{"value", fmt::format("{}", fmt::join(order, ","))}});
  }
}

Expected<void> change(Graph& graph, Interface interface, Extent extent, int ir_version, bool remember) {
  Rewriter rewriter(graph);
  if (extent == Extent::region) MO_TRY(expand_slices(rewriter));
  MO_ASSIGN(const Plan plan, make_plan(graph, interface, extent, ir_version));
  MO_TRY(apply_plan(rewriter, plan));
  if (remember) remember_old_interface(plan.images);
  return {};
}

/// Frameworks whose images are channels-first: the inputs and outputs of their models stay what they are.
bool is_of_channels_first_framework(const Node& node) {
  const std::string_view framework = node.origin().framework;
  return framework == "ONNX" || framework == "Caffe";
}

/// The first node that asks for channels-first images though it has no layout of its own (LRN, Interpolate).
std::optional<Node> first_that_asks(const Graph& graph, int ir_version) {
  if (!graph.has_op_type([&](const OpType& type) { return type.layout_rule.asks_up_to >= ir_version; }))
    return std::nullopt;
  for (const Node node : graph.nodes())
    if (asks_for_channels_first(node, ir_version)) return node;
  return std::nullopt;
}

}  // namespace

bool has_channels_last_ops(const Graph& graph) {
  if (!graph.has_op_type([](const OpType& type) { return type.data_layout != nullptr; })) return false;
  for (const Node node : graph.nodes())
    if (node.op_type().is_channels_last(node.payload())) return true;
  return false;
}

Pass layout_change() {
  return graph_pass("LayoutChange")
      .run_after({"Preprocessing"})
      .run_before({"ConstantFolding", "TransposeFusion", "ReverseChannelsFusion", "LinearOperationFusion"})
      .only_top_level()
      .run([](Graph& graph, PassContext& context) -> Expected<bool> {
        std::vector<Graph*> graphs = with_bodies(graph);
        const int ir_version = context.settings.ir_version;
        const bool v10 = ir_version == 10;
        bool is_channels_last = false;  // the model, so that its inputs and outputs are images as well
        std::vector<bool> concerned;
        for (const Graph* one : graphs) {
          const bool has_layout = has_channels_last_ops(*one);
          const std::optional<Node> asking = has_layout ? std::nullopt : first_that_asks(*one, ir_version);
          is_channels_last = is_channels_last || has_layout || (asking && !is_of_channels_first_framework(*asking));
          concerned.push_back(has_layout || asking);
        }
        if (std::find(concerned.begin(), concerned.end(), true) == concerned.end()) return false;
        const Extent extent = context.settings.disable_nhwc_to_nchw ? Extent::op_by_op : Extent::region;
        // What is inside of a body stays inside: its inputs and outputs keep their layout.
        for (std::size_t i = graphs.size(); i-- > 1;)
          if (concerned[i]) MO_TRY(change(*graphs[i], Interface::original, extent, ir_version, false));
        const bool remember = extent == Extent::region && !v10 && is_channels_last;
        MO_TRY(change(graph, v10 && is_channels_last ? Interface::channels_first : Interface::original, extent,
                      ir_version, remember));
        return true;
      });
}

}  // namespace mo::phases
