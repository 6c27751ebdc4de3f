#include <algorithm>
#include <numeric>
#include <set>

#include "ops/einsum.hpp"
#include "ops/gather.hpp"
#include "ops/reshape.hpp"
#include "ops/squeeze.hpp"
#include "ops/support/einsum_equation.hpp"
#include "ops/transpose.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Gives the labels that stand for an ellipsis letters that the equation does not have; says whether there are enough.
bool name_labels(ops::EinsumEquation& equation) {
  std::set<int> used(equation.output.begin(), equation.output.end());
  for (const ops::EinsumLabels& labels : equation.inputs) used.insert(labels.begin(), labels.end());
  std::vector<int> letters;
  for (const char* const range : {"az", "AZ"})
    for (int letter = range[0]; letter <= range[1]; ++letter)
      if (!used.contains(letter)) letters.push_back(letter);
  const auto unnamed = static_cast<std::size_t>(std::distance(used.lower_bound(ops::kFirstBroadcast), used.end()));
  if (unnamed > letters.size()) return false;
  const auto name = [&](int& label) {
    if (label >= ops::kFirstBroadcast)
      label = letters[unnamed - 1 - static_cast<std::size_t>(label - ops::kFirstBroadcast)];
  };
  for (ops::EinsumLabels& labels : equation.inputs) std::for_each(labels.begin(), labels.end(), name);
  std::for_each(equation.output.begin(), equation.output.end(), name);
  return true;
}

/// Takes the dimensions of input `i` away that an ellipsis stretches: letters stand for equal sizes.
Value without_stretched(Rewriter& rw, const std::vector<Value>& inputs, std::vector<ops::EinsumLabels>& labels,
                        std::size_t i) {
  const auto is_stretched = [&](int label) {
    for (std::size_t k = 0; k < inputs.size(); ++k)
      for (std::size_t axis = 0; axis < labels[k].size(); ++axis)
        if (labels[k][axis] == label && inputs[k].type().shape[axis] != Dimension(1)) return true;
    return false;
  };
  ops::EinsumLabels left;
  std::vector<std::int64_t> axes;
  for (std::size_t axis = 0; axis < labels[i].size(); ++axis) {
    const int label = labels[i][axis];
    if (label >= ops::kFirstBroadcast && inputs[i].type().shape[axis] == Dimension(1) && is_stretched(label))
      axes.push_back(static_cast<std::int64_t>(axis));
    else
      left.push_back(label);
  }
  if (axes.empty()) return inputs[i];
  labels[i] = std::move(left);
  return rw.create(ops::Squeeze{}, inputs[i], rw.integers(axes));
}

bool is_repeated(const ops::EinsumLabels& labels, int label) {
  return std::count(labels.begin(), labels.end(), label) > 1;
}

/// Whether a Reshape with numbers can put the dimensions of each label together.
bool can_take_diagonals(const ops::EinsumLabels& labels, const PartialShape& shape) {
  if (std::set<int>(labels.begin(), labels.end()).size() == labels.size()) return true;
  std::size_t unknown = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (shape[i] == Dimension(0) || (is_repeated(labels, labels[i]) && !shape[i].is_known())) return false;
    unknown += shape[i].is_known() ? 0 : 1;
  }
  return unknown <= 1;
}

/// The dimensions of `x` with the label at place `first` become one, that of the elements whose indices along them are
/// equal.
Value diagonal_of(Rewriter& rw, Value x, ops::EinsumLabels& labels, std::size_t first) {
  const int label = labels[first];
  const auto count = static_cast<std::size_t>(std::count(labels.begin(), labels.end(), label));
  std::vector<std::int64_t> order(labels.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_partition(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(),
                        [&](std::int64_t axis) { return labels[static_cast<std::size_t>(axis)] == label; });
  if (!std::is_sorted(order.begin(), order.end())) x = rw.create(ops::Transpose{}, x, rw.integers(order));
  const std::vector<Dimension> sizes = x.type().shape.dims();
  const std::int64_t size = sizes[first].value();
  std::vector<std::int64_t> target;
  std::int64_t step = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool joins = i > first && i < first + count;
    if (!joins) target.push_back(sizes[i].is_known() ? sizes[i].value() : -1);
    if (joins) target.back() *= size;
    if (joins || i == first) step = step * size + 1;
  }
  std::vector<std::int64_t> places(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::int64_t>(i) * step;
  labels.erase(std::remove(labels.begin() + static_cast<std::ptrdiff_t>(first) + 1, labels.end(), label), labels.end());
  return rw.create(ops::v1::Gather{}, rw.create(ops::Reshape{}, x, rw.integers(target)), rw.integers(places),
                   rw.scalar(static_cast<std::int64_t>(first)));
}

/// Einsum of named labels, each of them once for each input.
Replacement einsum_of_plain_labels(const Node& node, Rewriter& rw) {
  MO_ASSIGN(const ops::EinsumEquation parsed, ops::parse_einsum(node.as<ops::Einsum>()->equation));
  const auto is_plain = [](const ops::EinsumLabels& labels) {
    return std::set<int>(labels.begin(), labels.end()).size() == labels.size() &&
           std::find(labels.begin(), labels.end(), ops::kEllipsis) == labels.end();
  };
  if (std::all_of(parsed.inputs.begin(), parsed.inputs.end(), is_plain) && is_plain(parsed.output))
    return Replacement::declined();
  std::vector<Value> inputs;
  std::vector<PartialShape> shapes;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) {
    inputs.push_back(node.input(i));
    shapes.push_back(node.input_type(i).shape);
    if (!shapes.back().has_rank()) return declined("the rank of an input is unknown");
  }
  MO_ASSIGN(ops::EinsumEquation labels, ops::expand_ellipses(parsed, shapes));
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!can_take_diagonals(labels.inputs[i], shapes[i]))
      return declined("the sizes along a diagonal, or several others, are unknown");
  ops::EinsumEquation named = labels;
  if (!name_labels(named)) return declined("more dimensions than letters");
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = without_stretched(rw, inputs, labels.inputs, i);
  name_labels(labels);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (std::size_t axis = 0; axis < labels.inputs[i].size(); ++axis)
      if (is_repeated(labels.inputs[i], labels.inputs[i][axis]))
        inputs[i] = diagonal_of(rw, inputs[i], labels.inputs[i], axis);
  if (inputs.size() == 1 && labels.inputs[0] == labels.output) return inputs[0];
  std::string equation;
  for (const ops::EinsumLabels& input : labels.inputs)
    equation += (equation.empty() ? "" : ",") + ops::label_text(input);
  return rw.create(ops::Einsum{.equation = equation + "->" + ops::label_text(labels.output)}, inputs);
}

}  // namespace

void register_einsum_ellipsis_and_diagonals(PassRegistry& passes) {
  passes.add(
      avoid_fault("EinsumEllipsisAndDiagonals",
                  {.form = "Einsum with an ellipsis, or with a label twice for one input",
                   .symptom = "the model is not compiled",
                   .first = "2021.4",
                   .last = "2024.6",
                   .replacement = "Einsum with letters instead of the ellipsis; Reshape and Gather of the diagonal"})
          .add(lowering<ops::Einsum>("EinsumOfPlainLabels", einsum_of_plain_labels)));
}

}  // namespace mo::transformations
