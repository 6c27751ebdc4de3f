#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <random>

#include "core/graph/graph.hpp"
#include "core/inference/infer.hpp"
#include "ops/activations.hpp"
#include "ops/batch_to_space.hpp"
#include "ops/broadcast.hpp"
#include "ops/clamp.hpp"
#include "ops/comparison.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/convolution.hpp"
#include "ops/cum_sum.hpp"
#include "ops/depth_to_space.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/fake_quantize.hpp"
#include "ops/gather.hpp"
#include "ops/gather_elements.hpp"
#include "ops/interpolate.hpp"
#include "ops/lrn.hpp"
#include "ops/mat_mul.hpp"
#include "ops/mvn.hpp"
#include "ops/normalize_l2.hpp"
#include "ops/pad.hpp"
#include "ops/pooling.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/reverse.hpp"
#include "ops/reverse_sequence.hpp"
#include "ops/roll.hpp"
#include "ops/scatter.hpp"
#include "ops/select.hpp"
#include "ops/shape_of.hpp"
#include "ops/shuffle_channels.hpp"
#include "ops/slice.hpp"
#include "ops/soft_max.hpp"
#include "ops/space_to_batch.hpp"
#include "ops/split.hpp"
#include "ops/squeeze.hpp"
#include "ops/strided_slice.hpp"
#include "ops/tile.hpp"
#include "ops/top_k.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::test {

/// Random models with channels-last ops among everything that has, and has no, layout rule.
class RandomImages {
 public:
  explicit RandomImages(std::uint32_t seed) : random_(seed), graph_(std::make_unique<Graph>()) {
    graph_->set_has_types(true);
    const int inputs = pick(1, 3);
    for (int i = 0; i < inputs; ++i) {
      const std::size_t rank =
          i == 0 || chance(80) ? static_cast<std::size_t>(pick(4, 5)) : static_cast<std::size_t>(pick(1, 3));
      Shape shape = {pick(1, 2)};
      while (shape.size() < rank) shape.push_back(pick(1, 4));
      const Node parameter = graph_->create_parameter({ElementType::f32, PartialShape(shape)});
      (void)infer_node(parameter);
      keep(parameter.output());
    }
    const int steps = pick(4, 14);
    for (int i = 0; i < steps; ++i) step(pick(0, kKinds - 1));
    for (int i = 0; i < 20 && !has_channels_last_; ++i) channels_last(some_image());
    std::vector<Value> results;
    for (const Value& value : pool_)
      if (value.disconnected() || chance(10)) results.push_back(value);
    for (const Value& value : results) graph_->create_result(value);
  }

  std::unique_ptr<Graph> take() { return has_channels_last_ ? std::move(graph_) : nullptr; }

 private:
  static constexpr int kKinds = 49;
  using Numbers = std::vector<std::int64_t>;
  std::int64_t pick(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(most - least + 1));
  }
  bool chance(int percent) { return pick(0, 99) < percent; }
  Value some() { return pool_[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(pool_.size()) - 1))]; }
  Value some_image() {
    for (int i = 0; i < 8; ++i)
      if (const Value value = some(); rank(value) >= 4) return value;
    return pool_.front();
  }
  static Shape shape(const Value& value) { return *value.type().shape.to_shape(); }
  static std::int64_t rank(const Value& value) { return static_cast<std::int64_t>(shape(value).size()); }
  void keep(const Value& value) {
    if (value.type().element_type == ElementType::f32) pool_.push_back(value);
  }

  Value constant(const Shape& dims) {
    Tensor tensor = *Tensor::allocate(ElementType::f32, dims);
    for (float& v : tensor.mutable_values<float>()) v = static_cast<float>(pick(-100, 100)) / 50.0F;
    return graph_->create_constant(std::move(tensor)).output();
  }
  Value numbers(const Numbers& values) { return graph_->create_constant(Tensor::vector(values)).output(); }
  Value number(std::int64_t value) { return graph_->create_constant(Tensor::scalar(value)).output(); }

  /// The node when it infers to something of a sensible size; otherwise nothing, and the graph is as before.
  std::optional<Node> make(Op op, const std::vector<Value>& inputs, std::size_t outputs = 1) {
    const Node node = graph_->create_node(std::move(op), inputs, outputs);
    bool good = static_cast<bool>(infer_node(node));
    for (const OutPort& port : node.out_ports()) {
      const auto count = port.type().shape.element_count();
      good = good && count && *count > 0 && *count <= 3000 && port.type().shape.size() <= 6;
    }
    if (good) return node;
    graph_->erase(node);
    return std::nullopt;
  }
  Value create(Op op, const std::vector<Value>& inputs) {
    const auto node = make(std::move(op), inputs);
    return node ? node->output() : Value();
  }
  void add(Op op, const std::vector<Value>& inputs, std::size_t outputs = 1, std::size_t used = 8) {
    for (const Value& input : inputs)
      if (!input) return;
    if (const auto node = make(std::move(op), inputs, outputs))
      for (std::size_t i = 0; i < outputs && i < used; ++i) keep(node->output(i));
  }

  std::int64_t axis_of(const Value& x) {
    const std::int64_t axis = pick(0, rank(x) - 1);
    return chance(30) ? axis - rank(x) : axis;
  }
  Numbers axes_of(const Value& x) {
    Numbers all(static_cast<std::size_t>(rank(x)));
    std::iota(all.begin(), all.end(), 0);
    std::shuffle(all.begin(), all.end(), random_);
    all.resize(static_cast<std::size_t>(pick(1, std::max<std::int64_t>(1, rank(x) - 1))));
    if (chance(60)) std::sort(all.begin(), all.end());
    return all;
  }
  Numbers margins(const Value& x, std::int64_t most) {
    Numbers list(static_cast<std::size_t>(rank(x)));
    for (std::int64_t& n : list) n = pick(0, most);
    return list;
  }
  /// Something that broadcasts to `x`: of its rank or lower, constant or computed.
  Value partner(const Value& x) {
    if (chance(35)) {
      for (int i = 0; i < 5; ++i) {
        const Value other = some();
        const auto both = broadcast(x.type().shape, other.type().shape);
        if (both && *both == x.type().shape) return other;
      }
    }
    Shape dims = shape(x);
    dims.erase(dims.begin(), dims.begin() + pick(0, rank(x)));
    for (std::int64_t& d : dims)
      if (chance(30)) d = 1;
    const Value made = constant(dims);
    // An op that is not folded by itself: the engine must handle it as computed.
    return chance(25) && !dims.empty() ? create(ops::Sigmoid{}, {made}) : made;
  }
  /// Axes that are known, but computed.
  Value computed(const Numbers& list, const Value& x) {
    const Value shape_of = create(ops::ShapeOf{}, {x});
    const Value zero =
        create(ops::Multiply{}, {create(ops::v8::Gather{}, {shape_of, number(0), number(0)}), number(0)});
    return create(ops::Add{}, {numbers(list), zero});
  }
  Value list(const Numbers& values, const Value& x) { return chance(20) ? computed(values, x) : numbers(values); }

  void channels_last(const Value& x) {
    if (rank(x) < 4) return;
    const auto spatial = static_cast<std::size_t>(rank(x) - 2);
    const Numbers ones(spatial, 1);
    const Numbers kernel(spatial, chance(50) ? 1 : 3);
    const Numbers pads(spatial, kernel[0] / 2);
    const Numbers strides(spatial, pick(1, 2));
    const std::int64_t channels = shape(x).back();
    Shape filters = {pick(1, 4), channels};
    filters.insert(filters.end(), kernel.begin(), kernel.end());
    const auto last = DataLayout::channels_last;
    std::optional<Node> node;
    switch (pick(0, 6)) {
      case 0:
      case 1:
        node = make(
            ops::Convolution{
                .strides = strides, .pads_begin = pads, .pads_end = pads, .dilations = ones, .layout = last},
            {x, constant(filters)});
        break;
      case 2: {
        Shape grouped = {channels, pick(1, 2), 1};
        grouped.insert(grouped.end(), kernel.begin(), kernel.end());
        node = make(
            ops::GroupConvolution{
                .strides = strides, .pads_begin = pads, .pads_end = pads, .dilations = ones, .layout = last},
            {x, constant(grouped)});
        break;
      }
      case 3:
        std::swap(filters[0], filters[1]);
        node = make(
            ops::ConvolutionBackpropData{
                .strides = strides, .pads_begin = pads, .pads_end = pads, .dilations = ones, .layout = last},
            {x, constant(filters)});
        break;
      case 4:
        node = make(ops::v1::MaxPool{{.kernel = kernel, .strides = strides, .pads_begin = pads, .pads_end = pads},
                                     ops::RoundingType::floor,
                                     last},
                    {x});
        break;
      case 5: node = make(ops::DepthToSpace{.block_size = 2, .layout = last}, {x}); break;
      default:
        node = make(ops::v1::AvgPool{{.kernel = kernel, .strides = strides, .pads_begin = pads, .pads_end = pads},
                                     true,
                                     ops::RoundingType::floor,
                                     last},
                    {x});
    }
    if (!node) return;
    has_channels_last_ = true;
    keep(node->output());
  }

  void strided_slice(const Value& x) {
    const auto n = static_cast<std::size_t>(chance(70) ? rank(x) : pick(1, rank(x)));
    ops::StridedSlice op;
    Numbers begin;
    Numbers end;
    Numbers by;
    op.new_axis_mask = op.shrink_axis_mask = op.ellipsis_mask = Numbers(n);
    const bool ellipsis = chance(15);
    for (std::size_t i = 0; i < n; ++i) {
      begin.push_back(pick(0, 1));
      end.push_back(pick(1, 4));
      by.push_back(pick(1, 2));
      op.begin_mask.push_back(chance(50));
      op.end_mask.push_back(chance(50));
      op.shrink_axis_mask[i] = chance(15);
      op.new_axis_mask[i] = chance(4);
    }
    if (ellipsis) op.ellipsis_mask[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(n) - 1))] = 1;
    add(op, {x, numbers(begin), numbers(end), numbers(by)});
  }

  void shape_path(const Value& x) {
    const Value dims = create(ops::ShapeOf{}, {x});
    if (!dims) return;
    switch (pick(0, 4)) {
      case 0: return add(ops::Broadcast{}, {constant({shape(x).back()}), dims});
      case 1: return add(ops::Reshape{}, {create(ops::Sigmoid{}, {x}), dims});
      case 2: return add(ops::Convert{.destination_type = ElementType::f32}, {dims});  // as a value: its order shows
      case 3: {                                                                        // computed pads
        const Value pads = create(ops::Subtract{}, {dims, numbers(shape(x))});
        return add(ops::v1::Pad{}, {x, pads, create(ops::Add{}, {pads, numbers(margins(x, 1))})});
      }
      default: {
        const Value channels = create(ops::v8::Gather{}, {dims, numbers({rank(x) - 1}), number(0)});
        if (!channels) return;
        return add(ops::Reshape{}, {x, create(ops::Concat{.axis = 0}, {numbers({-1}), channels})});
      }
    }
  }

  void reshape(const Value& x) {
    Shape dims = shape(x);
    switch (pick(0, 3)) {
      case 0: return add(ops::Reshape{.special_zero = true}, {x, numbers({0, -1})});
      case 1: std::reverse(dims.begin(), dims.end()); return add(ops::Reshape{}, {x, numbers(dims)});
      case 2: return add(ops::Reshape{}, {x, numbers({-1, dims.back()})});
      default: {
        const std::int64_t total = *element_count(dims);
        Shape made(static_cast<std::size_t>(pick(3, 5)), 1);
        made[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(made.size()) - 1))] = total;
        return add(ops::Reshape{}, {x, numbers(made)});
      }
    }
  }

  /// [N, H, W, C] -> flattened -> times constant weights.
  void dense(const Value& x) {
    const Value flat = create(ops::Reshape{.special_zero = true}, {x, numbers({0, -1})});
    if (!flat) return;
    const std::int64_t width = shape(flat).back();
    const bool transposed = chance(50);
    add(ops::MatMul{.transpose_b = transposed}, {flat, constant(transposed ? Shape{3, width} : Shape{width, 3})});
  }

  void step(int kind) {
    const Value x = chance(75) ? some_image() : some();
    if (rank(x) == 0) return;
    switch (kind) {
      case 0: return chance(50) ? add(ops::ReLU{}, {x}) : add(ops::Clamp{.min = -0.5, .max = 0.7}, {x});
      case 2: return add(ops::Add{}, {x, partner(x)});
      case 3: return add(ops::Multiply{}, {partner(x), x});
      case 4: return add(ops::Maximum{}, {x, partner(x)});
      case 5: {
        std::vector<Value> inputs = {x, create(ops::Negative{}, {x})};
        for (const Value& other : pool_)
          if (inputs.size() < 3 && shape(other) == shape(x)) inputs.push_back(other);
        return add(ops::Concat{.axis = axis_of(x)}, inputs);
      }
      case 6:
        return add(ops::v12::Pad{.pad_mode = chance(50) ? ops::PadMode::constant : ops::PadMode::edge},
                   {x, list(margins(x, 1), x), list(margins(x, 2), x)});
      case 7: return add(ops::Split{.num_splits = 2}, {x, number(axis_of(x))}, 2);
      case 8: return add(ops::VariadicSplit{}, {x, number(axis_of(x)), numbers({1, -1})}, 2);
      case 10: return strided_slice(x);
      case 11: {
        const Numbers axes = axes_of(x);
        return add(ops::Slice{}, {x, numbers(Numbers(axes.size(), 0)), numbers(Numbers(axes.size(), pick(1, 3))),
                                  numbers(Numbers(axes.size(), 1)), list(axes, x)});
      }
      case 12:
        return add(ops::Slice{}, {x, numbers(margins(x, 1)), numbers(shape(x)), numbers(Numbers(shape(x).size(), 1))});
      case 13: return add(ops::ReduceMean{.keep_dims = chance(50)}, {x, list(axes_of(x), x)});
      case 14: return add(ops::ReduceMax{.keep_dims = chance(50)}, {x, list(axes_of(x), x)});
      case 15: return add(ops::ReduceSum{.keep_dims = chance(50)}, {x, list(axes_of(x), x)});
      case 16: return add(ops::v8::SoftMax{.axis = axis_of(x)}, {x});
      case 17: return add(ops::LogSoftmax{.axis = axis_of(x)}, {x});
      case 18: {
        Numbers repeats = margins(x, 1);
        for (std::int64_t& r : repeats) ++r;
        return add(ops::Tile{}, {x, list(repeats, x)});
      }
      case 19: {
        const Numbers axes = axes_of(x);
        Numbers sizes;
        for (std::size_t i = 0; i < axes.size(); ++i) sizes.push_back(pick(1, 5));
        const auto mode =
            chance(50) ? ops::reference::InterpolateMode::nearest : ops::reference::InterpolateMode::linear;
        return add(ops::v11::Interpolate{{.mode = mode, .pads_begin = chance(20) ? margins(x, 1) : Numbers{0}}},
                   {x, numbers(sizes), list(axes, x)});
      }
      case 20: return add(ops::v6::MVN{.eps = 1e-3}, {x, list(axes_of(x), x)});
      case 21: return add(ops::NormalizeL2{.eps = 1e-3}, {x, list(axes_of(x), x)});
      case 22: return add(ops::CumSum{.exclusive = chance(50)}, {x, number(axis_of(x))});
      case 23: return add(ops::Roll{}, {x, numbers({1}), list(axes_of(x), x)});
      case 24:
        return add(ops::ReverseSequence{.batch_axis = 0, .seq_axis = pick(1, std::max<std::int64_t>(1, rank(x) - 1))},
                   {x, numbers(Numbers(static_cast<std::size_t>(shape(x)[0]), 1))});
      case 25: return add(ops::TopK{.axis = axis_of(x)}, {x, number(1)}, 2, 1);
      case 26:
      case 28: {
        Numbers order(static_cast<std::size_t>(rank(x)));
        std::iota(order.begin(), order.end(), 0);
        if (chance(50) || order.size() < 4)
          std::shuffle(order.begin(), order.end(), random_);
        else if (chance(50))
          std::rotate(order.begin() + 1, order.end() - 1, order.end());
        else
          std::rotate(order.begin() + 1, order.begin() + 2, order.end());
        return add(ops::Transpose{}, {x, numbers(order)});
      }
      case 29: return reshape(x);
      case 30: return add(ops::Unsqueeze{}, {x, numbers(chance(50) ? Numbers{pick(0, rank(x))} : Numbers{1, 2})});
      case 31: {
        Numbers axes;
        for (std::int64_t i = 0; i < rank(x); ++i)
          if (shape(x)[static_cast<std::size_t>(i)] == 1 && chance(70)) axes.push_back(i);
        return axes.empty() ? void() : add(ops::Squeeze{}, {x, numbers(axes)});
      }
      case 33: return shape_path(x);
      case 34: return add(ops::v8::Gather{}, {x, chance(60) ? numbers({0, 0, 0}) : number(0), number(axis_of(x))});
      case 35: return add(ops::MatMul{}, {x, constant({shape(x).back(), 2})});
      case 36: {
        Tensor indices = *Tensor::allocate(ElementType::i64, shape(x));
        const Value where = graph_->create_constant(std::move(indices)).output();
        if (chance(50)) return add(ops::GatherElements{.axis = axis_of(x)}, {x, where});
        return add(ops::v3::ScatterElementsUpdate{}, {x, where, constant(shape(x)), number(axis_of(x))});
      }
      case 37: {
        Numbers blocks(shape(x).size(), 1);
        if (blocks.size() < 4) return;
        blocks[static_cast<std::size_t>(pick(1, rank(x) - 1))] = 2;
        blocks[1] = 2;
        const Numbers none(blocks.size());
        if (chance(50)) return add(ops::SpaceToBatch{}, {x, numbers(blocks), numbers(none), numbers(none)});
        const Value batches = create(ops::Concat{.axis = 0}, {x, x, x, x});
        return add(ops::BatchToSpace{}, {batches, numbers(blocks), numbers(none), numbers(none)});
      }
      case 38: return add(ops::Select{}, {create(ops::Greater{}, {x, constant({})}), x, partner(x)});
      case 39: {
        Shape channels(shape(x).size(), 1);
        channels.back() = shape(x).back();
        const Value low = constant(chance(50) ? channels : Shape{});
        const Value high = create(ops::Add{}, {create(ops::Abs{}, {low}), constant({})});
        return add(ops::FakeQuantize{.levels = 5},
                   {x, low, create(ops::Maximum{}, {high, create(ops::Add{}, {low, constant({})})}), low, high});
      }
      case 40: return add(ops::PReLU{}, {x, constant(chance(50) ? Shape{1} : Shape{shape(x).back()})});
      case 41: return add(ops::ShuffleChannels{.axis = axis_of(x), .group = 2}, {x});
      case 42: return add(ops::LRN{.size = 3}, {x, numbers(chance(50) ? Numbers{rank(x) - 1} : axes_of(x))});
      case 43: return dense(x);
      case 44: return add(ops::Reverse{.mode = ops::ReverseMode::index}, {x, list(axes_of(x), x)});
      case 45: return add(ops::ConvertLike{}, {x, some_image()});
      case 46: {
        const Numbers axes = axes_of(x);
        const Numbers zeros(axes.size(), 0);
        const Numbers ones(axes.size(), 1);
        const Value part = create(ops::Slice{}, {x, numbers(zeros), numbers(ones), numbers(ones), numbers(axes)});
        return part ? add(ops::SliceScatter{}, {x, create(ops::Negative{}, {part}), numbers(zeros), numbers(ones),
                                                numbers(ones), numbers(axes)})
                    : void();
      }
      default: return channels_last(x);
    }
  }

  std::mt19937 random_;
  std::unique_ptr<Graph> graph_;
  std::vector<Value> pool_;
  bool has_channels_last_ = false;
};

}  // namespace mo::test
