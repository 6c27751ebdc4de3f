#include "transformations/fusions/support/recurrent_gates.hpp"

#include <algorithm>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "ops/broadcast.hpp"
#include "ops/clamp.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/mat_mul.hpp"
#include "ops/slice.hpp"
#include "ops/split.hpp"
#include "ops/strided_slice.hpp"
#include "ops/transpose.hpp"
#include "transformations/support/matching.hpp"
#include "transformations/support/slice_plans.hpp"

namespace mo::transformations {
namespace {

/// Bounds of the search: real cells need a few.
constexpr int kMostSlices = 8;
constexpr int kMostSummands = 64;

bool is_last_axis(const Value& axis, std::int64_t rank) {
  const auto known = known_axes(axis, rank);
  return known && known->size() == 1 && known->front() == rank - 1;
}

std::int64_t entry(const std::vector<std::int64_t>& mask, std::size_t i) { return i < mask.size() ? mask[i] : 0; }
bool all_ones(const Value& steps) {
  const auto known = steps ? integers_of(steps) : std::optional(std::vector<std::int64_t>());
  return known && std::all_of(known->begin(), known->end(), [](std::int64_t v) { return v == 1; });
}

/// Where a slice of columns starts, by Python's rules.
std::optional<std::int64_t> start_of(std::int64_t begin, std::int64_t width) {
  const std::int64_t start = begin < 0 ? begin + width : begin;
  return start >= 0 && start < width ? std::optional(start) : std::nullopt;
}

std::optional<std::int64_t> start_of_strided_slice(const Node& node, std::int64_t width) {
  const auto& op = *node.as<ops::StridedSlice>();
  const auto begin = integers_of(node.input(1));
  if (!begin || begin->size() > 2 || !all_ones(node.input(3)) || any_set(op.new_axis_mask) ||
      any_set(op.shrink_axis_mask) || any_set(op.ellipsis_mask))
    return std::nullopt;
  if (begin->size() < 2 || entry(op.begin_mask, 1) != 0) return 0;
  return start_of(begin->back(), width);
}

std::optional<std::int64_t> start_of_slice(const Node& node, std::int64_t width) {
  const auto begin = integers_of(node.input(1));
  if (!begin || begin->size() != 1 || !all_ones(node.input(3)) || !node.input(4) || !is_last_axis(node.input(4), 2))
    return std::nullopt;
  return start_of(begin->front(), width);
}

/// The first column of `value` in the first input of its node, when that is a slice along the last dimension.
std::optional<std::int64_t> first_column(const Value& value, const KnownShapes& shapes) {
  const Node node = value.node();
  const bool splits = node.is<ops::Split>() || node.is<ops::VariadicSplit>();
  if (!splits && !node.is<ops::StridedSlice>() && !node.is<ops::Slice>()) return std::nullopt;
  const auto width = node.input(0) ? width_of(node.input(0)) : std::nullopt;
  const auto own = width_of(value);
  if (!width || !own || !shapes.same_batch(value, node.input(0))) return std::nullopt;
  std::optional<std::int64_t> first;
  if (splits) {
    if (!is_last_axis(node.input(1), 2)) return std::nullopt;
    first = 0;
    for (std::size_t i = 0; i < value.index(); ++i) {
      const auto size = width_of(node.output(i));
      if (!size) return std::nullopt;
      *first += *size;
    }
  } else {
    first = node.is<ops::Slice>() ? start_of_slice(node, *width) : start_of_strided_slice(node, *width);
  }
  return first && *first <= *width - *own ? first : std::nullopt;
}

/// clamp(alpha * x + beta, 0, 1)
std::optional<CellActivation> hard_sigmoid(const Node& node, std::vector<Node>& inner, Value& x) {
  const auto* clamp = node.as<ops::Clamp>();
  if (!clamp || clamp->min != 0 || clamp->max != 1) return std::nullopt;
  const Node sum = node.input(0).node();
  const auto shifted = sum.is<ops::Add>() ? tensor_and_constant(sum) : std::nullopt;
  const auto beta = shifted ? number_of(shifted->constant) : std::nullopt;
  const Node product = shifted ? shifted->tensor.node() : Node();
  const auto scaled = product && product.is<ops::Multiply>() ? tensor_and_constant(product) : std::nullopt;
  const auto alpha = scaled ? number_of(scaled->constant) : std::nullopt;
  if (!beta || !alpha || !width_of(scaled->tensor)) return std::nullopt;
  inner.push_back(sum);
  inner.push_back(product);
  x = scaled->tensor;
  return CellActivation{"hardsigmoid", *alpha, *beta};
}

std::optional<CellActivation> activation_of(const Node& node, std::vector<Node>& inner, Value& x) {
  if (node.in_port_count() == 0 || !node.input(0)) return std::nullopt;
  x = node.input(0);
  std::optional<CellActivation> found;
  if (node.is<ops::Sigmoid>()) found = CellActivation{"sigmoid"};
  if (node.is<ops::Tanh>()) found = CellActivation{"tanh"};
  if (node.is<ops::ReLU>()) found = CellActivation{"relu"};
  if (node.is<ops::Clamp>()) found = hard_sigmoid(node, inner, x);
  if (found) inner.push_back(node);
  return found;
}

/// The parts of the left side of a product: what a Concat puts side by side, or the tensor itself. False when a width
/// is not known.
bool factors_of(const Value& left, std::vector<GateProduct>& factors) {
  const Node node = left.node();
  const auto* concat = node.as<ops::Concat>();
  std::vector<Value> tensors = {left};
  if (concat && (concat->axis == 1 || concat->axis == -1)) {
    tensors.clear();
    for (std::size_t i = 0; i < node.in_port_count(); ++i) tensors.push_back(node.input(i));
  }
  std::int64_t row = 0;
  for (const Value& tensor : tensors) {
    const auto width = tensor ? width_of(tensor) : std::nullopt;
    if (!width) return false;
    factors.push_back(
        {.tensor = tensor, .concat = tensors.size() > 1 ? node : Node(), .first_row = row, .rows = *width});
    row += *width;
  }
  return true;
}

/// MatMul(left, constant weights)
bool products_of(const Node& node, const Columns& columns, std::vector<GateProduct>& products) {
  const auto& op = *node.as<ops::MatMul>();
  const Value weights = node.input(1);
  const auto shape = weights.type().shape.to_shape();
  if (op.transpose_a || !weights.node().is<Const>() || !shape || shape->size() != 2) return false;
  std::vector<GateProduct> factors;
  if (!factors_of(node.input(0), factors)) return false;
  const std::int64_t rows = (*shape)[op.transpose_b ? 1 : 0];
  if (factors.back().first_row + factors.back().rows != rows ||
      columns.count > (*shape)[op.transpose_b ? 0 : 1] - columns.first)
    return false;
  for (GateProduct& factor : factors) {
    factor.weights = weights;
    factor.transposed = op.transpose_b;
    factor.first_column = columns.first;
    products.push_back(factor);
  }
  return true;
}

/// A constant that is added to the columns of every row: a count of 1 stretches.
std::optional<Columns> bias_of(const Columns& columns) {
  const auto shape = columns.tensor.type().shape.to_shape();
  if (!is_real(columns.tensor.type().element_type) || !shape || shape->size() > 2 ||
      (shape->size() == 2 && shape->front() != 1))
    return std::nullopt;
  const std::int64_t count = shape->empty() ? 1 : shape->back();
  if (count == 1) return Columns{columns.tensor, 0, columns.count};
  return columns.first <= count - columns.count ? std::optional(columns) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> width_of(const Value& value) {
  const PartialShape& shape = value.type().shape;
  if (!is_real(value.type().element_type) || !shape.has_rank() || shape.size() != 2 || !shape[1].is_known() ||
      shape[1].value() < 1)
    return std::nullopt;
  return shape[1].value();
}

bool may_be_gate(const Value& value) {
  const KnownShapes by_type;
  return GateReader(by_type).gate(value).has_value();
}

Value side_by_side(Rewriter& rw, const std::vector<Value>& tensors) {
  return tensors.size() == 1 ? tensors.front() : rw.create(ops::Concat{.axis = 1}, tensors);
}

std::vector<double> activation_numbers(const std::vector<CellActivation>& activations, double CellActivation::*number) {
  std::vector<double> numbers;
  for (const CellActivation& activation : activations) numbers.push_back(activation.*number);
  // Functions without numbers ignore theirs; trailing ones need not be written.
  while (!numbers.empty() && activations[numbers.size() - 1].name != "hardsigmoid") numbers.pop_back();
  return numbers;
}

std::vector<std::string> activation_names(const std::vector<CellActivation>& activations) {
  std::vector<std::string> names;
  for (const CellActivation& activation : activations) names.push_back(activation.name);
  return names;
}

Columns GateReader::before_slices(Columns columns) {
  for (int step = 0; step < kMostSlices; ++step) {
    const auto first = first_column(columns.tensor, *shapes_);
    if (!first) break;
    columns.first += *first;
    inner_.push_back(columns.tensor.node());
    columns.tensor = columns.tensor.node().input(0);
  }
  return columns;
}

std::optional<Gate> GateReader::gate(const Value& value) {
  const auto width = width_of(value);
  if (!width) return std::nullopt;
  const Columns columns = before_slices({value, 0, *width});
  Value x;
  auto activation = activation_of(columns.tensor.node(), inner_, x);
  if (!activation || !width_of(x) || width_of(x) != width_of(columns.tensor)) return std::nullopt;
  return Gate{*std::move(activation), {x, columns.first, columns.count}};
}

std::optional<GateSum> GateReader::sum(const Columns& columns) {
  GateSum found;
  std::vector<Columns> open = {columns};
  for (int step = 0; !open.empty(); ++step) {
    if (step == kMostSummands) return std::nullopt;
    Columns next = open.back();
    open.pop_back();
    if (!next.tensor) return std::nullopt;
    if (next.tensor.node().is<Const>()) {
      const auto bias = bias_of(next);
      if (!bias) return std::nullopt;
      found.biases.push_back(*bias);
      continue;
    }
    const auto own = width_of(next.tensor);
    if (!own || next.first > *own - next.count) return std::nullopt;
    next = before_slices(next);
    const Node node = next.tensor.node();
    const bool is_sum = node.is<ops::Add>() && node.input(0) && node.input(1);
    if (is_sum) {
      const auto width = width_of(next.tensor);
      bool fits = width.has_value();
      for (const std::size_t side : {1, 0}) {
        const Value summand = node.input(side);
        // A matrix of one row or one column would stretch.
        fits = fits && (summand.node().is<Const>() ||
                        (width_of(summand) == width && shapes_->same_batch(summand, next.tensor)));
        open.push_back({summand, next.first, next.count});
      }
      if (!fits) return std::nullopt;
      inner_.push_back(node);
    } else if (node.is<ops::MatMul>() && node.input(0) && node.input(1)) {
      if (!products_of(node, next, found.products)) return std::nullopt;
      inner_.push_back(node);
    } else {
      if (next.first != 0 || width_of(next.tensor) != next.count) return std::nullopt;
      found.others.push_back(next.tensor);
    }
  }
  return found;
}

bool GateReader::is_closed(const std::vector<Node>& results) const {
  const auto is_one_of = [](const std::vector<Node>& nodes, const Node& node) {
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
  };
  return std::all_of(inner_.begin(), inner_.end(), [&](const Node& node) {
    if (is_one_of(results, node)) return true;
    for (const OutPort& port : node.out_ports())
      for (const InPort& reader : port.get_destinations())
        if (!is_one_of(inner_, reader.node())) return false;
    return true;
  });
}

std::optional<std::vector<Value>> common_tensors(const std::vector<const GateSum*>& gates) {
  std::vector<Value> tensors;
  for (const GateProduct& product : gates.front()->products) tensors.push_back(product.tensor);
  for (const GateSum* gate : gates) {
    const bool same =
        gate->others.empty() &&
        std::equal(gate->products.begin(), gate->products.end(), tensors.begin(), tensors.end(),
                   [](const GateProduct& product, const Value& tensor) { return product.tensor == tensor; });
    if (!same) return std::nullopt;
  }
  return tensors;
}

Value CellWeights::known(const Key& key) const {
  const auto found = made_.find(key);
  return found != made_.end() && found->second.node().alive() ? found->second : Value();
}

/// Constants one after the other.
Value CellWeights::concat(const std::vector<Value>& parts, std::int64_t axis) {
  Value whole = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) whole = rw_->fold(ops::Concat{.axis = axis}, whole, parts[i]);
  return whole;
}

Value CellWeights::matrix(const std::vector<std::vector<GateProduct>>& gates, std::int64_t hidden) {
  Key key = {hidden};
  for (const auto& gate : gates)
    for (const GateProduct& p : gate)
      key.insert(key.end(), {static_cast<std::int64_t>(p.weights.id().index), p.transposed ? 1 : 0, p.first_row, p.rows,
                             p.first_column});
  if (const Value made = known(key)) return made;
  std::vector<Value> rows;
  for (const auto& gate : gates) {
    std::vector<Value> blocks;
    for (const GateProduct& p : gate) {
      const std::int64_t row = p.transposed ? p.first_column : p.first_row;
      const std::int64_t column = p.transposed ? p.first_row : p.first_column;
      const std::int64_t last_row = row + (p.transposed ? hidden : p.rows);
      const std::int64_t last_column = column + (p.transposed ? p.rows : hidden);
      const Value block =
          rw_->fold(ops::Slice{}, p.weights, rw_->integers({row, column}), rw_->integers({last_row, last_column}),
                    rw_->integers({1, 1}), rw_->integers({0, 1}));
      blocks.push_back(p.transposed ? block : rw_->fold(ops::Transpose{}, block, rw_->integers({1, 0})));
    }
    rows.push_back(concat(blocks, 1));
  }
  return made_[key] = concat(rows, 0);
}

Value CellWeights::bias(const std::vector<std::vector<Columns>>& gates, std::int64_t hidden, ElementType type) {
  Key key = {-hidden, static_cast<std::int64_t>(type)};
  for (const auto& gate : gates) {
    key.push_back(-1);
    for (const Columns& c : gate)
      key.insert(key.end(), {static_cast<std::int64_t>(c.tensor.id().index), c.first, c.count});
  }
  if (const Value made = known(key)) return made;
  std::vector<Value> parts;
  for (const auto& gate : gates) {
    Value sum;
    for (const Columns& c : gate) {
      Value summand = reshaped(*rw_, c.tensor, {-1});
      summand = c.tensor.type().shape.element_count() == 1
                    ? rw_->fold(ops::Broadcast{}, summand, rw_->integers({hidden}))
                    : rw_->fold(ops::Slice{}, summand, rw_->integers({c.first}), rw_->integers({c.first + c.count}),
                                rw_->integers({1}), rw_->integers({0}));
      sum = sum ? rw_->fold(ops::Add{}, sum, summand) : summand;
    }
    if (!sum) {
      auto zeros = Tensor::allocate(type, {hidden});
      if (!zeros) {
        rw_->fail(std::move(zeros).error());
        return rw_->scalar<float>(0);
      }
      sum = rw_->constant(*std::move(zeros));
    }
    parts.push_back(sum);
  }
  return made_[key] = concat(parts, 0);
}

}  // namespace mo::transformations
