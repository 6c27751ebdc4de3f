#include <algorithm>

#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/interpolate.hpp"
#include "ops/reshape.hpp"
#include "ops/tile.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

/// A dimension of the tensor while it is followed from x to the last Reshape.
struct Item {
  std::size_t dimension;    ///< of x: this one, or the one before when inserted
  bool inserted = false;    ///< of size 1 at first
  std::int64_t factor = 1;  ///< of an inserted one: its size
};

using Items = std::vector<Item>;

/// Whether every element of the constant is 1.
bool is_ones(const Value& value) { return Matcher(pattern::constant(1)).match(value).has_value(); }

/// Items after a Reshape that inserts dimensions of size 1 and nothing else.
bool insert_ones(Items& items, const PartialShape& before, const PartialShape& after) {
  if (!before.has_rank() || !after.has_rank() || before.size() != items.size()) return false;
  Items made;
  std::size_t from = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    // As few as possible are new: a 1 that is there stays.
    const bool same = from < before.size() &&
                      (before[from].same_value(after[i]) || (!before[from].is_known() && !after[i].is_known()));
    if (same) {
      made.push_back(items[from++]);
    } else if (after[i] == Dimension(1)) {
      if (made.empty()) return false;  // before the batch
      made.push_back({made.back().dimension, true, 1});
    } else {
      return false;
    }
  }
  items = std::move(made);
  return from == before.size();
}

bool unsqueeze(Items& items, const Node& node) {
  const auto rank = node.output_type().rank();
  const auto axes = rank ? known_axes(node.input(1), *rank) : std::nullopt;
  if (!axes) return false;
  for (const std::int64_t axis : *axes) {
    if (axis == 0 || axis > static_cast<std::int64_t>(items.size())) return false;
    items.insert(items.begin() + axis, {items[static_cast<std::size_t>(axis - 1)].dimension, true, 1});
  }
  return true;
}

/// Items after an op that repeats: only inserted dimensions may become longer.
bool repeat(Items& items, const PartialShape& before, const PartialShape& after) {
  if (!before.has_rank() || !after.has_rank() || before.size() != items.size() || after.size() != items.size())
    return false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (before[i].same_value(after[i]) || (!before[i].is_known() && !after[i].is_known() && !items[i].inserted))
      continue;
    if (!items[i].inserted || !after[i].is_known() || before[i] != Dimension(items[i].factor) || before[i].value() != 1)
      return false;
    items[i].factor = after[i].value();
  }
  return true;
}

/// The tensor that `node` repeats or inserts dimensions into; empty for other
/// ops.
Value source_of(const Node& node) {
  if (node.is<ops::Reshape>() || node.is<ops::Unsqueeze>() || node.is<ops::Tile>() || node.is<ops::v1::Broadcast>() ||
      node.is<ops::v3::Broadcast>())
    return node.input(0);
  if (node.is<ops::Multiply>()) {
    const auto operands = tensor_and_constant(node);
    return operands && is_ones(operands->constant) ? operands->tensor : Value();
  }
  if (node.is<ops::Concat>()) {  // of the same tensor
    for (std::size_t i = 1; i < node.in_port_count(); ++i)
      if (node.input(i) != node.input(0)) return {};
    return node.input(0);
  }
  return {};
}

/// Only `reader` reads the tensor.
bool is_only_read_by(const Value& value, const Node& reader) {
  const std::vector<InPort> readers = value.get_destinations();
  return std::all_of(readers.begin(), readers.end(), [&](const InPort& port) { return port.node() == reader; });
}

bool is_broadcast_in_place(const Node& node) {
  // Explicit and pdpd broadcasts put dimensions elsewhere.
  if (const auto* op = node.as<ops::v3::Broadcast>())
    return op->mode == ops::v3::BroadcastMode::numpy || op->mode == ops::v3::BroadcastMode::bidirectional;
  if (const auto* op = node.as<ops::v1::Broadcast>()) return op->mode == ops::v1::BroadcastMode::numpy;
  return true;
}

/// x and the ops between it and the last Reshape, first one first: as far up as
/// dimensions only come in or repeat.
struct Path {
  Value x;
  std::vector<Node> ops;
};

std::optional<Path> path_before(const Node& reshape) {
  constexpr std::size_t kLongest = 12;  // three spatial dimensions, each unsqueezed, tiled and reshaped
  Path path{reshape.input(0), {}};
  Node reader = reshape;
  bool repeats = false;
  while (path.x && path.ops.size() < kLongest && is_only_read_by(path.x, reader)) {
    const Node node = path.x.node();
    const Value source = source_of(node);
    const bool inserts = node.is<ops::Reshape>() || node.is<ops::Unsqueeze>();
    if (!source || !is_broadcast_in_place(node)) break;
    const auto before = source.type().rank();
    const auto after = node.output_type().rank();
    // A Reshape that does not insert belongs to another pattern; what repeats
    // keeps the rank.
    if (!before || !after || (inserts ? *after <= *before : *after != *before)) break;
    repeats = repeats || !inserts;
    path.ops.push_back(node);
    path.x = source;
    reader = node;
  }
  if (!repeats) return std::nullopt;
  std::reverse(path.ops.begin(), path.ops.end());
  return path;
}

/// How many times each dimension of x is repeated, element by element; empty
/// when that is not what the path does.
std::vector<std::int64_t> factors_of(const Path& path, const PartialShape& result) {
  const PartialShape& shape = path.x.type().shape;
  Items items;
  for (std::size_t i = 0; i < shape.size(); ++i) items.push_back({i});
  for (const Node& node : path.ops) {
    const PartialShape& before = source_of(node).type().shape;
    const PartialShape& after = node.output_type().shape;
    const bool follows = node.is<ops::Unsqueeze>() ? unsqueeze(items, node)
                         : node.is<ops::Reshape>() ? insert_ones(items, before, after)
                                                   : repeat(items, before, after);
    if (!follows) return {};
  }
  std::vector<std::int64_t> factors(shape.size(), 1);
  for (const Item& item : items) {
    constexpr std::int64_t kMost = 1 << 16;
    if (item.factor < 1 || item.factor > kMost || factors[item.dimension] > kMost) return {};
    if (item.inserted) factors[item.dimension] *= item.factor;
  }
  // The result is x with longer dimensions; one unknown dimension, which
  // follows from the number of elements, may stay as it is.
  if (!result.has_rank() || result.size() != shape.size()) return {};
  std::size_t unknown = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!shape[i].is_known() && !result[i].is_known() && factors[i] == 1) {
      if (++unknown > 1) return {};
    } else if (!shape[i].is_known() || !result[i].is_known() || shape[i].value() * factors[i] != result[i].value()) {
      return {};
    }
  }
  return factors;
}

/// Runtimes resize the spatial dimensions: those after the channels, or all between batch and channels.
bool is_image_resize(const std::vector<std::int64_t>& axes, std::size_t rank) {
  if (axes.empty() || (rank != 4 && rank != 5)) return false;
  if (axes.front() >= 2) return true;
  return axes.front() == 1 && axes.size() == rank - 2 && axes.back() == static_cast<std::int64_t>(rank) - 2;
}

}  // namespace

/// Reshape to [N, H, 1, W, 1, C] -> Tile, Broadcast, Concat with itself or
/// multiplication by ones -> Reshape to [N, a * H, b * W, C]
/// -> Interpolate {nearest} by a and b.
void register_nearest_upsampling_fusion(PassRegistry& passes) {
  passes.add(front_replacement_op("Reshape")
                 .named("NearestUpsamplingFusion")
                 .phase(Phase::middle)
                 .run_after({"CommonSubexpressions"})
                 .run_before({"LayoutChange"})
                 .replace_op([](const Node& node, Rewriter& rw) -> Replacement {
                   const auto path = path_before(node);
                   if (!path || !path->x.type().shape.has_rank())
                     return declined("the data are not repeated like this");
                   const std::vector<std::int64_t> factors = factors_of(*path, node.output_type().shape);
                   std::vector<std::int64_t> axes;
                   std::vector<float> scales;
                   for (std::size_t i = 0; i < factors.size(); ++i) {
                     if (factors[i] == 1) continue;
                     axes.push_back(static_cast<std::int64_t>(i));
                     scales.push_back(static_cast<float>(factors[i]));
                   }
                   if (!is_image_resize(axes, factors.size())) return declined("the axes are not those of an image");
                   return rw.create(ops::v11::Interpolate{{.mode = ops::reference::InterpolateMode::nearest,
                                                           .shape_calculation_mode = ops::InterpolateShapeMode::scales,
                                                           .coordinate_transformation_mode =
                                                               ops::InterpolateCoordinateMode::asymmetric,
                                                           .nearest_mode = ops::InterpolateNearestMode::floor}},
                                    path->x, rw.constant(Tensor::vector(scales)), rw.integers(axes));
                 }));
}

}  // namespace mo::transformations
