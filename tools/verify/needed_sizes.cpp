#include "tools/verify/needed_sizes.hpp"

#include <algorithm>
#include <map>

#include "core/graph/values.hpp"
#include "ops/convolution.hpp"
#include "ops/mat_mul.hpp"
#include "ops/reshape.hpp"

namespace mo::tools {
namespace {

/// The size of each unknown dimension of the model that a reader needs.
class Needs {
 public:
  explicit Needs(const Graph& graph) {
    for (const Node node : graph.nodes()) {
      if (const auto* op = node.as<ops::Convolution>()) channels(node, op->layout, 1, 1);
      if (const auto* op = node.as<ops::ConvolutionBackpropData>()) channels(node, op->layout, 0, 1);
      if (const auto* op = node.as<ops::GroupConvolution>()) channels(node, op->layout, 2, size_at(node, 1, 0));
      if (const auto* op = node.as<ops::GroupConvolutionBackpropData>())
        channels(node, op->layout, 1, size_at(node, 1, 0));
      if (const auto* product = node.as<ops::MatMul>()) contraction(node, *product);
      if (node.op_type().traits.elementwise && node.in_port_count() == 2) operands(node);
    }
  }

  void fill(PartialShape& shape) const {
    for (std::size_t i = 0; i < shape.size(); ++i)
      if (const auto known = sizes_.find(shape[i].symbol()); !shape[i].is_known() && known != sizes_.end())
        if (const auto both = shape[i].merge(known->second)) shape[i] = *both;
  }

 private:
  static std::int64_t size_at(const Node& node, std::size_t input, std::size_t axis) {
    const PartialShape& shape = type_of(node.input(input)).shape;
    return shape.has_rank() && axis < shape.size() && shape[axis].is_known() ? shape[axis].value() : 0;
  }

  void need(const Dimension& dimension, std::int64_t size) {
    if (!dimension.is_known() && dimension.symbol() != 0 && size > 0) sizes_.emplace(dimension.symbol(), size);
  }

  void channels(const Node& node, DataLayout layout, std::size_t axis_of_filters, std::int64_t groups) {
    const PartialShape& data = type_of(node.input(0)).shape;
    if (data.has_rank() && data.size() > 1)
      need(data[layout == DataLayout::channels_last ? data.size() - 1 : 1], size_at(node, 1, axis_of_filters) * groups);
  }

  void contraction(const Node& node, const ops::MatMul& product) {
    const PartialShape& data = type_of(node.input(0)).shape;
    const PartialShape& matrix = type_of(node.input(1)).shape;
    if (!data.has_rank() || !matrix.has_rank() || data.size() < 2 || matrix.size() < 2) return;
    need(data[data.size() - (product.transpose_a ? 2 : 1)],
         size_at(node, 1, matrix.size() - (product.transpose_b ? 1 : 2)));
  }

  void operands(const Node& node) {
    const PartialShape& a = type_of(node.input(0)).shape;
    const PartialShape& b = type_of(node.input(1)).shape;
    if (!a.has_rank() || !b.has_rank()) return;
    for (std::size_t back = 1; back <= std::min(a.size(), b.size()); ++back) {
      const Dimension& of_a = a[a.size() - back];
      const Dimension& of_b = b[b.size() - back];
      if (of_a.is_known() && of_a.value() > 1) need(of_b, of_a.value());
      if (of_b.is_known() && of_b.value() > 1) need(of_a, of_b.value());
    }
  }

  std::map<Dimension::Symbol, std::int64_t> sizes_;
};

/// What a Reshape makes of a tensor of unknown rank.
PartialShape reshaped(const Value& tensor) {
  for (const InPort& reader : tensor.get_destinations())
    if (reader.index() == 0 && reader.node().is<ops::Reshape>() && reader.node().output_type().shape.has_rank())
      return reader.node().output_type().shape;
  return {};
}

}  // namespace

std::vector<PartialShape> shapes_that_readers_need(const Graph& graph) {
  const Needs needs(graph);
  std::vector<PartialShape> made;
  for (const Node& parameter : graph.parameters()) {
    const PartialShape declared = parameter.output_type().shape;
    PartialShape shape = declared.has_rank() ? declared : reshaped(parameter.output());
    if (shape.has_rank()) needs.fill(shape);
    made.push_back(std::move(shape));
  }
  return made;
}

}  // namespace mo::tools
