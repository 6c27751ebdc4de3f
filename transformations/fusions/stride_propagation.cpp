#include <algorithm>

#include "core/graph/graph.hpp"
#include "ops/convolution.hpp"
#include "ops/pooling.hpp"
#include "transformations/support/sliding_window.hpp"

namespace mo::transformations {
namespace {

using Strides = std::vector<std::int64_t>;

/// A residual block is much smaller.
constexpr std::size_t kMostNodes = 64;

/// What both kinds of convolution have, to be read and changed.
struct ConvolutionView {
  Strides* strides;
  ops::AutoPad* auto_pad;
  const Strides* pads_begin;
  const Strides* pads_end;
  bool grouped;
};
template <class Op>
std::optional<ConvolutionView> view_of(const Node& node, bool grouped) {
  auto* op = node.as<Op>();
  if (!op || op->layout != DataLayout::channels_first) return std::nullopt;
  return ConvolutionView{&op->strides, &op->auto_pad, &op->pads_begin, &op->pads_end, grouped};
}
std::optional<ConvolutionView> convolution(const Node& node) {
  const auto plain = view_of<ops::Convolution>(node, false);
  return plain ? plain : view_of<ops::GroupConvolution>(node, true);
}

bool is_ones(const Strides& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](std::int64_t n) { return n == 1; });
}

/// Whether the window is one pixel: it takes every stride-th one of them, and no others. (Pads that follow from the
/// size are none then.)
bool takes_single_pixels(const Node& node, const ConvolutionView& view) {
  const auto kernel = kernel_of(node.input(1), view.grouped);
  const auto is_zeros = [](const Strides& pads) {
    return std::all_of(pads.begin(), pads.end(), [](std::int64_t n) { return n == 0; });
  };
  return kernel && is_ones(*kernel) &&
         (*view.auto_pad != ops::AutoPad::explicit_pads || (is_zeros(*view.pads_begin) && is_zeros(*view.pads_end)));
}

/// The stride with which all readers of the tensor take single pixels of it; nothing when they differ, or read all of
/// it.
std::optional<Strides> common_stride(const Value& tensor) {
  std::optional<Strides> common;
  for (const InPort& reader : tensor.get_destinations()) {
    const Node node = reader.node();
    const auto view = convolution(node);
    if (!view || reader.index() != 0 || !takes_single_pixels(node, *view)) return std::nullopt;
    if (common && *common != *view->strides) return std::nullopt;
    common = *view->strides;
  }
  return common && !is_ones(*common) ? common : std::nullopt;
}

/// Whether the tensor has one value for all pixels, whatever the others are.
bool has_no_pixels(const Value& tensor, std::size_t spatial) {
  const PartialShape& shape = tensor.type().shape;
  if (!shape.has_rank()) return false;
  const std::size_t count = std::min(spatial, shape.size());
  return std::all_of(shape.end() - static_cast<std::ptrdiff_t>(count), shape.end(),
                     [](const Dimension& d) { return d == Dimension(1); });
}

/// What computes a tensor of which only single pixels are needed: elementwise ops back to convolutions, which may leave
/// the others out, and to tensors that have to be thinned out themselves.
class Region {
 public:
  explicit Region(std::size_t spatial) : spatial_(spatial) {}

  /// Whether it pays: some convolution computes less.
  bool grow(const Value& from) {
    if (!add(from)) return false;
    for (std::size_t next = 0; next < elementwise_.size(); ++next) {
      const Node node = elementwise_[next];
      for (std::size_t i = 0; i < node.in_port_count(); ++i) {
        const Value input = node.input(i);
        if (!input || has_no_pixels(input, spatial_)) continue;
        if (input.type().rank() != static_cast<std::int64_t>(spatial_ + 2) || !is_real(input.type().element_type) ||
            elementwise_.size() > kMostNodes)
          return false;
        if (!input.has_one_destination() || !add(input)) thinned_.push_back(node.in_port(i));
      }
    }
    return !convolutions_.empty();
  }

  Expected<void> apply(Rewriter& rw, const Strides& strides) const {
    for (const Node& node : convolutions_) {
      const auto view = convolution(node);
      for (std::size_t i = 0; i < strides.size(); ++i) (*view->strides)[i] *= strides[i];
      rw.changed(node);
    }
    const Strides ones(spatial_, 1);
    const Strides zeros(spatial_, 0);
    for (const InPort& port : thinned_) {
      ops::v1::MaxPool pool;
      pool.kernel = ones;
      pool.strides = strides;
      pool.pads_begin = zeros;
      pool.pads_end = zeros;
      const Value source = port.get_source();
      const Value fewer = rw.create(std::move(pool), source);
      fewer.node().add_sources_of(port.node());
      MO_TRY(port.connect(fewer));  // inferred below, when all of its inputs are
    }
    // Each of them was found from its only reader.
    for (auto node = elementwise_.rbegin(); node != elementwise_.rend(); ++node) rw.changed(*node);
    return {};
  }

 private:
  bool add(const Value& tensor) {
    const Node node = tensor.node();
    if (const auto view = convolution(node)) {
      const auto kernel = kernel_of(node.input(1), view->grouped);
      const bool pads_stay = *view->auto_pad == ops::AutoPad::explicit_pads || *view->auto_pad == ops::AutoPad::valid ||
                             (kernel && is_ones(*kernel));
      if (!pads_stay || view->strides->size() != spatial_) return false;
      convolutions_.push_back(node);
      return true;
    }
    if (!node.op_type().traits.elementwise || node.op_type().traits.stateful || node.out_port_count() != 1)
      return false;
    elementwise_.push_back(node);
    return true;
  }

  std::size_t spatial_;
  std::vector<Node> convolutions_;
  std::vector<Node> elementwise_;
  std::vector<InPort> thinned_;
};

/// Readers come before what they read, so that a stride goes up as far as it can.
Expected<bool> move_strides(Graph& graph, PassContext&) {
  const auto is_convolution = [](const OpType& type) {
    return type.same_op(OpType::of<ops::Convolution>()) || type.same_op(OpType::of<ops::GroupConvolution>());
  };
  if (!graph.has_op_type(is_convolution)) return false;
  MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
  Rewriter rw(graph);
  bool changed = false;
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    const auto view = convolution(*node);
    const Value tensor = view && node->input(0) ? node->input(0) : Value();
    const auto strides = tensor && !is_ones(*view->strides) ? common_stride(tensor) : std::nullopt;
    if (!strides || !is_real(tensor.type().element_type)) continue;
    Region region(strides->size());
    if (!region.grow(tensor)) continue;
    const std::vector<InPort> readers = tensor.get_destinations();
    MO_TRY(region.apply(rw, *strides));
    for (const InPort& reader : readers) {
      convolution(reader.node())->strides->assign(strides->size(), 1);
      rw.changed(reader.node());
    }
    if (rw.error()) return Error(*rw.error());
    changed = true;
  }
  return changed;
}

}  // namespace

/// Convolutions that take every second pixel only: what they leave out need not be computed. Their stride moves to the
/// convolutions before them, through elementwise ops; another operand of these is thinned out by a MaxPool of one
/// pixel. Down-sampling blocks of residual networks then compute on a quarter of the pixels, and the results are the
/// same bytes.
void register_stride_propagation(PassRegistry& passes) {
  passes.add(graph_pass("StridePropagation")
                 .run_after({"LayoutChange", "LinearOperationFusion", "MultiplyBeforeWeightsFusion",
                             "DilatedConvolutionFusion", "PadFusion"})
                 .run(move_strides));
}

}  // namespace mo::transformations
