#include <algorithm>
#include <map>

#include "core/graph/values.hpp"
#include "core/pass/library.hpp"
#include "core/rewrite.hpp"
#include "extensions/middle/support/sliding_window.hpp"
#include "ops/convolution.hpp"
#include "ops/pooling.hpp"

namespace mo::library::fusions {
namespace {

using Strides = std::vector<std::int64_t>;

bool are_all(const Strides& numbers, std::int64_t value) {
  return std::all_of(numbers.begin(), numbers.end(), [&](std::int64_t n) { return n == value; });
}

bool follows_size(const ops::Convolution& op) { return op.auto_pad == ops::AutoPad::same_upper || op.auto_pad == ops::AutoPad::same_lower; }

/// Moves strides of convolutions of single pixels towards the inputs: what reads only every second pixel needs no others computed. A stride
/// that waits at an input port ends in a convolution further up, or in a MaxPool of single pixels.
class StrideMove {
 public:
  explicit StrideMove(Graph& graph) : graph_(graph) {}

  Expected<bool> run() {
    MO_ASSIGN(const std::vector<Node> order, graph_.topological_order());
    for (auto node = order.rbegin(); node != order.rend(); ++node) visit(*node);
    return changed_;
  }

 private:
  void visit(const Node& node) {
    if (auto* convolution = node.as<ops::Convolution>(); convolution && convolution->layout == DataLayout::channels_first)
      visit_convolution(node, *convolution);
    else if (node.op_type().traits.elementwise && node.in_port_count() <= 2 && node.out_port_count() == 1)
      visit_elementwise(node);
    else
      settle(node);
  }

  /// Takes the stride that all readers wait for, and hands on its own where its window is one pixel.
  void visit_convolution(const Node& node, ops::Convolution& op) {
    const auto wanted = common_stride(node);
    if (wanted && wanted->size() == op.strides.size() && !follows_size(op)) {
      for (std::size_t i = 0; i < op.strides.size(); ++i) op.strides[i] *= (*wanted)[i];
      changed_ = changed_ || !are_all(*wanted, 1);
    } else {
      settle(node);
    }
    const auto kernel = middle::kernel_of(node.input(1), false);
    const bool has_pads = op.auto_pad == ops::AutoPad::explicit_pads && (!are_all(op.pads_begin, 0) || !are_all(op.pads_end, 0));
    Strides waiting(op.strides.size(), 1);
    if (kernel && are_all(*kernel, 1) && !has_pads) std::swap(waiting, op.strides);
    changed_ = changed_ || !are_all(waiting, 1);
    waiting_[node.in_port(0).id()] = std::move(waiting);
  }

  void visit_elementwise(const Node& node) {
    const auto wanted = common_stride(node);
    if (!wanted || !passes_through(node, wanted->size())) return settle(node);
    for (const InPort& port : node.in_ports())
      if (!is_one_pixel(port.get_source().type().shape, wanted->size())) waiting_[port.id()] = *wanted;
  }

  /// Each input has the pixels of the result, or the same value for all of them.
  static bool passes_through(const Node& node, std::size_t spatial) {
    const PartialShape& result = node.output_type().shape;
    if (!result.has_rank() || result.size() != spatial + 2) return false;
    for (const InPort& port : node.in_ports()) {
      const PartialShape& shape = port.get_source().type().shape;
      if (!shape.has_rank()) return false;
      if (is_one_pixel(shape, spatial)) continue;
      if (shape.size() != result.size()) return false;
      for (std::size_t i = 2; i < result.size(); ++i)
        if (!shape[i].same_value(result[i])) return false;
    }
    return true;
  }

  static bool is_one_pixel(const PartialShape& shape, std::size_t spatial) {
    if (!shape.has_rank()) return false;
    for (std::size_t i = 0; i < std::min(spatial, shape.size()); ++i)
      if (shape[shape.size() - 1 - i] != Dimension(1)) return false;
    return true;
  }

  /// The stride that waits at all readers; nothing when one has none, or they differ.
  std::optional<Strides> common_stride(const Node& node) const {
    std::optional<Strides> common;
    for (const InPort& reader : node.output().get_destinations()) {
      const auto found = waiting_.find(reader.id());
      if (found == waiting_.end() || (common && *common != found->second)) return std::nullopt;
      common = found->second;
    }
    return common;
  }

  /// What waits at readers of this node goes no further.
  void settle(const Node& node) {
    for (const OutPort& output : node.out_ports())
      for (const InPort& reader : output.get_destinations()) {
        const auto found = waiting_.find(reader.id());
        if (found == waiting_.end() || are_all(found->second, 1)) continue;
        if (auto* convolution = reader.node().as<ops::Convolution>())
          convolution->strides = found->second;
        else
          pool(output, reader, found->second);
        waiting_.erase(found);
      }
  }

  void pool(const Value& value, const InPort& reader, const Strides& strides) {
    ops::v1::MaxPool op;
    op.kernel.assign(strides.size(), 1);
    op.strides = strides;
    op.pads_begin.assign(strides.size(), 0);
    op.pads_end = op.pads_begin;
    // Types follow when the whole graph is inferred: on the way, only some of the tensors have become smaller.
    const Node made = graph_.create_node(std::move(op), {value});
    (void)reader.connect(made.output());
  }

  struct ById {
    bool operator()(UseId a, UseId b) const { return a.index < b.index; }
  };
  Graph& graph_;
  std::map<UseId, Strides, ById> waiting_;  ///< at input ports
  bool changed_ = false;
};

}  // namespace

void register_strides_optimization(PassLibrary& library) {
  library.add(graph_pass("StridesOptimization")
                  .also_called({"ConvStridesPropagation", "SupportedNodesStridesPropagation", "UnsupportedNodesStridesPropagation"})
                  .described("Convolution {strides=1} -> elementwise ops -> Convolution of 1x1 {strides=s}", "the stride in the first Convolution",
                             "all readers want the same stride; what no convolution takes becomes a MaxPool of 1x1")
                  .looks_for<ops::Convolution>()
                  .run([](Graph& graph, PassContext&) { return StrideMove(graph).run(); }));
}

}  // namespace mo::library::fusions
