#include <algorithm>
#include <unordered_set>

#include "core/rewrite.hpp"
#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/non_max_suppression.hpp"
#include "ops/reshape.hpp"
#include "ops/slice.hpp"
#include "ops/split.hpp"
#include "ops/squeeze.hpp"
#include "ops/strided_slice.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/support/gathers.hpp"

namespace mo::transformations {
namespace {

bool selects_boxes(const Node& node) {
  return node.is<ops::v3::NonMaxSuppression>() || node.is<ops::v4::NonMaxSuppression>() ||
         node.is<ops::v5::NonMaxSuppression>();
}

/// Its result is some of the numbers of its inputs.
bool hands_on(const Node& node) {
  return node.is<ops::Squeeze>() || node.is<ops::Unsqueeze>() || node.is<ops::Reshape>() ||
         node.is<ops::v1::Broadcast>() || node.is<ops::v3::Broadcast>() || node.is<ops::StridedSlice>() ||
         node.is<ops::Slice>() || node.is<ops::VariadicSplit>() || is_gather(node) || node.is<ops::Concat>() ||
         node.is<ops::Convert>();
}

class SelectedIndices {
 public:
  /// Follows the indices from node to node, inputs first.
  void visit(const Node& node) {
    if (selects_boxes(node)) known_.insert(node.output(0).id());
    if (!hands_on(node)) return;
    const std::vector<InPort> ports = node.in_ports();
    const std::size_t data = node.is<ops::Concat>() ? ports.size() : std::min<std::size_t>(ports.size(), 1);
    for (std::size_t i = 0; i < data; ++i)
      if (knows(node.input(i)))
        for (const OutPort& port : node.out_ports()) known_.insert(port.id());
  }
  bool knows(const Value& value) const { return value && known_.contains(value.id()); }

 private:
  std::unordered_set<ValueId> known_;
};

bool is_unsigned(ElementType type) { return type == ElementType::u32 || type == ElementType::u64; }

void make_unsigned(Rewriter& rw, const Node& gather) {
  const Value indices = gather.input(1);
  const ElementType wanted = indices.type().element_type == ElementType::i64 ? ElementType::u64 : ElementType::u32;
  gather.set_rt_info("dontReverseIndices");
  if (auto* convert = indices.node().as<ops::Convert>(); convert && indices.has_one_destination()) {
    convert->destination_type = wanted;
    rw.changed(indices.node());
    rw.changed(gather);
    return;
  }
  rw.set_input(gather, 1, rw.create(ops::Convert{.destination_type = wanted}, indices));
}

}  // namespace

void register_convert_nms_gather_path_to_unsigned(PassRegistry& passes) {
  passes.offer(graph_pass("ConvertNmsGatherPathToUnsigned")
                   .described("Gather(x, i), i from the indices of a NonMaxSuppression",
                              "Gather(x, Convert(i)), unsigned",
                              "classes 3, 4 and 5, through ops that hand the indices on; a -1, which fills up, is "
                              "outside of everything then")
                   .asks_nodes()
                   .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                     if (!graph.has_op("NonMaxSuppression")) return false;
                     MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
                     SelectedIndices selected;
                     Rewriter rw(graph);
                     for (const Node& node : order) {
                       selected.visit(node);
                       const bool wanted = is_gather(node) && selected.knows(node.input(1)) &&
                                           !is_unsigned(node.input_type(1).element_type);
                       if (wanted && !context.skips(node)) make_unsigned(rw, node);
                     }
                     if (rw.error()) return Error(*rw.error());
                     return rw.has_changed();
                   }));
}

}  // namespace mo::transformations
