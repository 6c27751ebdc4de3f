#include <algorithm>

#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "transformations/fusions/support/pixel_strides.hpp"

namespace mo::transformations {
namespace {

bool is_pixelwise(const Node& node) {
  const OpTraits& traits = node.op_type().traits;
  return traits.elementwise && !traits.stateful && node.in_port_count() <= 2 && node.out_port_count() == 1;
}

/// The same value for all pixels.
bool is_one_pixel(const PartialShape& shape, std::size_t spatial) {
  if (!shape.has_rank()) return false;
  for (std::size_t i = 0; i < std::min(spatial, shape.size()); ++i)
    if (shape[shape.size() - 1 - i] != Dimension(1)) return false;
  return true;
}

/// Each input has the pixels of the result, or one for all of them; runtimes have a MaxPool of real numbers only.
bool passes_through(const Node& node, std::size_t spatial) {
  const PartialShape& result = node.output_type().shape;
  if (!result.has_rank() || result.size() != spatial + 2) return false;
  for (const InPort& port : node.in_ports()) {
    const PartialShape& shape = port.get_source().type().shape;
    if (!shape.has_rank()) return false;
    if (is_one_pixel(shape, spatial)) continue;
    if (shape.size() < spatial || shape.size() > result.size() || !is_real(port.get_source().type().element_type))
      return false;
    const std::size_t missing = result.size() - shape.size();
    for (std::size_t i = 2; i < result.size(); ++i)
      if (!shape[i - missing].same_value(result[i])) return false;
  }
  return true;
}

}  // namespace

void register_supported_nodes_strides_propagation(PassRegistry& passes) {
  passes.offer(
      rewrite("SupportedNodesStridesPropagation")
          .order(RuleOrder::backward)
          .described("elementwise op(x, y) -> Convolution of 1x1 {strides=s}",
                     "op(MaxPool of 1x1 {strides=s}(x), the same of y) -> Convolution",
                     "all readers are such convolutions, or strides on their way, with the same s; x and y are "
                     "real and have the pixels of the "
                     "result, or have one that is left as it is")
          .match(pattern::any().where([](const Value& value) { return is_pixelwise(value.node()); }))
          .replace([](const Match& m, Rewriter& rw) -> Replacement {
            const Node node = m.root().node();
            const auto wanted = stride_of_readers(node);
            if (!wanted) return declined("readers need all pixels, or different ones");
            if (!passes_through(node, wanted->size()))
              return declined(
                  "an input is stretched, has no floating-point values, or its size is not that of the result");
            for (const InPort& port : node.in_ports())
              if (!is_one_pixel(port.get_source().type().shape, wanted->size()))
                if (auto added = add_moving_pool(rw, port, *wanted); !added) return std::move(added).error();
            rw.changed(node);
            relieve_readers(rw, node);
            return changed_in_place(node);
          }));
}

}  // namespace mo::transformations
