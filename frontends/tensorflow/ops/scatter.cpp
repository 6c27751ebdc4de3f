#include "ops/scatter.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/broadcast.hpp"
#include "ops/comparison.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/gather_nd.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/slice.hpp"

namespace mo::tensorflow {
namespace {

/// Constant indices of which each describes another place.
bool are_distinct(const Value& indices) {
  const auto numbers = constant_integers_of(indices);
  const PartialShape& shape = type_of(indices).shape;
  if (!numbers || !shape.has_rank() || shape.size() == 0) return false;
  const Dimension& depth = shape[shape.size() - 1];
  if (!depth.is_known() || depth.value() < 1) return false;
  std::set<Integers> seen;
  for (auto at = numbers->begin(); at != numbers->end(); at += depth.value())
    if (!seen.emplace(at, at + depth.value()).second) return false;
  return true;
}

Value combine_updates(Rewriter& rw, ops::v15::NDReduction reduction, const Value& old, const Value& update) {
  switch (reduction) {
    case ops::v15::NDReduction::sum: return rw.create(ops::Add{}, old, update);
    case ops::v15::NDReduction::sub: return rw.create(ops::Subtract{}, old, update);
    case ops::v15::NDReduction::min: return rw.create(ops::Minimum{}, old, update);
    default: return rw.create(ops::Maximum{}, old, update);
  }
}

/// TensorScatterAdd(data, indices, updates) and its like. TensorFlow applies every update, also several of one place.
/// Without duplicate places, old and new elements are combined outside of the op, which older op sets can do, too.
Translator tensor_scatter(ops::v15::NDReduction reduction) {
  return [reduction](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_TRY(expect_checked_indices(node));
    MO_TRY(expect_real(node));
    MO_TRY(node.expect_inputs(3));
    const Value data = node.input(0);
    const Value indices = node.input(1);
    if (!are_distinct(indices))
      return rw.create(ops::v15::ScatterNDUpdate{.reduction = reduction}, data, indices, node.input(2));
    const Value old = rw.create(ops::GatherND{}, data, indices);
    return rw.create(ops::ScatterNDUpdate{}, data, indices, combine_updates(rw, reduction, old, node.input(2)));
  };
}

/// ScatterNd(indices, updates, shape): updates of one place are added.
Replacement scatter_nd(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_checked_indices(node));
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(3));
  const Value zeros = rw.create(ops::Broadcast{}, number_like(rw, node.input(1), 0), node.input(2));
  if (are_distinct(node.input(0))) return rw.create(ops::ScatterNDUpdate{}, zeros, node.input(0), node.input(1));
  return rw.create(ops::v15::ScatterNDUpdate{.reduction = ops::v15::NDReduction::sum}, zeros, node.input(0),
                   node.input(1));
}

/// SparseToDense(indices, shape, values, default). The indices are one number, a vector for a vector, or a matrix
/// [count, rank]; the value may be one for all.
Replacement sparse_to_dense(const FrameworkNode& node, Rewriter& rw) {
  node.ignore({"validate_indices"}, "whether indices are checked; wrong ones have no defined result");
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(4));
  Value indices = node.input(0);
  const Value shape = node.input(1);
  const Value values = node.input(2);
  if (type_of(indices).rank() != 2)
    indices = rw.create(ops::Reshape{}, indices, join(rw, {rw.integers({-1}), as_length(rw, list_length(rw, shape))}));
  const Value updates =
      type_of(values).rank() == 1 ? values : rw.create(ops::Broadcast{}, values, length_along(rw, indices, 0));
  const Value dense = rw.create(ops::Broadcast{}, as_scalar(rw, node.input(3)), shape);
  return rw.create(ops::ScatterNDUpdate{}, dense, indices, updates);
}

/// Indices as one vector, and data as one row for each of them.
struct Stitches {
  Value indices;
  Value rows;
  Value row_shape;
};

Stitches stitches_of(const FrameworkNode& node, Rewriter& rw, std::size_t count) {
  const Value first = node.input(count);
  const Value index_rank = rank_length(rw, node.input(0));
  const Value to_the_end = rw.integers({std::numeric_limits<std::int64_t>::max()});
  Stitches made;
  made.row_shape =
      rw.create(ops::Slice{}, shape_of(rw, first), index_rank, to_the_end, rw.integers({1}), rw.integers({0}));
  const Value target = join(rw, {rw.integers({-1}), made.row_shape});
  std::vector<Value> indices;
  std::vector<Value> rows;
  for (std::size_t i = 0; i < count; ++i) {
    indices.push_back(flattened(rw, node.input(i)));
    rows.push_back(rw.create(ops::Reshape{}, node.input(count + i), target));
  }
  made.indices = count == 1 ? indices.front() : join(rw, indices);
  made.rows = count == 1 ? rows.front() : join(rw, rows);
  return made;
}

/// For constant indices that leave nothing out: the row that ends up at each place. The last one of an index wins.
std::optional<Integers> order_of_rows(const FrameworkNode& node, std::size_t count) {
  Integers places;
  for (std::size_t i = 0; i < count; ++i) {
    const auto numbers = constant_integers_of(node.input(i));
    if (!numbers) return std::nullopt;
    places.insert(places.end(), numbers->begin(), numbers->end());
  }
  if (places.empty()) return std::nullopt;
  const std::int64_t largest = *std::max_element(places.begin(), places.end());
  if (largest < 0 || largest >= static_cast<std::int64_t>(places.size())) return std::nullopt;
  Integers order(static_cast<std::size_t>(largest) + 1, -1);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] < 0) return std::nullopt;
    order[static_cast<std::size_t>(places[i])] = static_cast<std::int64_t>(i);
  }
  if (std::find(order.begin(), order.end(), -1) != order.end()) return std::nullopt;
  return order;
}

/// DynamicStitch(indices…, data…): result[indices[i][j]] = data[i][j], as many rows as the largest index asks for.
Replacement dynamic_stitch(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_pieces(node, 2, 0));
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(node.input_count()));
  const std::size_t count = node.input_count() / 2;
  const Stitches stitches = stitches_of(node, rw, count);
  const Value first_axis = rw.scalar<std::int64_t>(0);
  if (const auto order = order_of_rows(node, count))
    return rw.create(ops::Gather{}, stitches.rows, rw.integers(*order), first_axis);
  const Value largest = as_i64(rw, rw.create(ops::ReduceMax{.keep_dims = true}, stitches.indices, rw.integers({0})));
  const Value length = rw.create(ops::Add{}, largest, rw.integers({1}));
  const Value zeros =
      rw.create(ops::Broadcast{}, number_like(rw, node.input(count), 0), join(rw, {length, stitches.row_shape}));
  return rw.create(ops::ScatterUpdate{}, zeros, stitches.indices, stitches.rows, first_axis);
}

/// DynamicPartition(data, partitions): part i has the slices of data where `partitions` is i.
Replacement dynamic_partition(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(2));
  MO_TRY(part_count(node, "num_partitions"));
  Outputs parts(node.output_count());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!node.output_used(i)) continue;
    const Value here = rw.create(ops::Equal{}, node.input(1), rw.scalar(static_cast<std::int32_t>(i)));
    parts[i] = rw.create(ops::GatherND{}, node.input(0), places_of(rw, here));
  }
  return parts;
}

}  // namespace

/// Slices put to indices, and their opposite, slices taken apart by the number of a partition.
void register_scatter(OperatorTable& table) {
  using ops::v15::NDReduction;
  table.extract("TensorScatterUpdate", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_tensor(node));
    MO_TRY(expect_checked_indices(node));
    return ops::ScatterNDUpdate{};
  });
  table.translate("TensorScatterAdd", tensor_scatter(NDReduction::sum));
  table.translate("TensorScatterSub", tensor_scatter(NDReduction::sub));
  table.translate("TensorScatterMin", tensor_scatter(NDReduction::min));
  table.translate("TensorScatterMax", tensor_scatter(NDReduction::max));
  table.translate("ScatterNdNonAliasingAdd", tensor_scatter(NDReduction::sum));
  table.translate("ScatterNd", scatter_nd);
  table.translate("SparseToDense", sparse_to_dense);
  table.translate("DynamicStitch", dynamic_stitch);
  table.translate("ParallelDynamicStitch", dynamic_stitch);
  table.translate("DynamicPartition", dynamic_partition, outputs_in("num_partitions"));
}

}  // namespace mo::tensorflow
