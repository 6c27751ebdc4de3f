#include <algorithm>
#include <map>

#include "core/graph/values.hpp"
#include "ops/slice.hpp"
#include "ops/split.hpp"
#include "ops/squeeze.hpp"
#include "ops/strided_slice.hpp"
#include "transformations/support/matching.hpp"
#include "transformations/support/slice_plans.hpp"

namespace mo::transformations {
namespace {

/// A slice along one axis.
struct Piece {
  Node node;
  std::int64_t axis = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  bool shrinks = false;  ///< the axis, of which one element is taken, disappears
};

std::int64_t entry(const std::vector<std::int64_t>& mask, std::size_t i) { return i < mask.size() ? mask[i] : 0; }

/// begin or end as Python counts, cut to the dimension.
std::int64_t place(std::int64_t number, std::int64_t length) {
  return std::clamp<std::int64_t>(number < 0 ? number + length : number, 0, length);
}

/// A StridedSlice that takes everything but along one axis; nothing for others.
std::optional<Piece> piece_of_strided_slice(const Node& node, const Shape& shape) {
  const auto& op = *node.as<ops::StridedSlice>();
  const auto begin = integers_of(node.input(1));
  const auto end = integers_of(node.input(2));
  const auto strides = node.input(3) ? integers_of(node.input(3)) : std::optional(std::vector<std::int64_t>());
  if (!begin || !end || !strides || begin->size() > shape.size() || end->size() != begin->size()) return std::nullopt;
  if (any_set(op.new_axis_mask) || any_set(op.ellipsis_mask)) return std::nullopt;
  std::optional<Piece> found;
  for (std::size_t i = 0; i < begin->size(); ++i) {
    const std::int64_t length = shape[i];
    if (i < strides->size() && (*strides)[i] != 1) return std::nullopt;
    Piece piece{node, static_cast<std::int64_t>(i), entry(op.begin_mask, i) ? 0 : place((*begin)[i], length),
                entry(op.end_mask, i) ? length : place((*end)[i], length), entry(op.shrink_axis_mask, i) != 0};
    if (piece.shrinks) {
      const std::int64_t at = (*begin)[i] < 0 ? (*begin)[i] + length : (*begin)[i];
      if (at < 0 || at >= length || entry(op.begin_mask, i)) return std::nullopt;
      piece.end = piece.begin + 1;
    }
    if (piece.begin == 0 && piece.end == length && !piece.shrinks) continue;
    if (found || piece.end <= piece.begin) return std::nullopt;
    found = piece;
  }
  return found;
}

std::optional<Piece> piece_of_slice(const Node& node, const Shape& shape) {
  const auto rank = static_cast<std::int64_t>(shape.size());
  const auto begin = integers_of(node.input(1));
  const auto end = integers_of(node.input(2));
  const auto step = integers_of(node.input(3));
  const auto axes = node.input(4) ? known_axes(node.input(4), rank) : std::optional(std::vector<std::int64_t>{0});
  if (!begin || !end || !step || !axes || begin->size() != 1 || end->size() != 1 || axes->size() != 1 ||
      *step != std::vector<std::int64_t>{1})
    return std::nullopt;
  if (shape.empty()) return std::nullopt;
  const std::int64_t length = shape[static_cast<std::size_t>(axes->front())];
  const Piece piece{node, axes->front(), place(begin->front(), length), place(end->front(), length)};
  return piece.end > piece.begin ? std::optional(piece) : std::nullopt;
}

/// All slices of `x` along one axis that fill it without gaps, in order; equal
/// ones are next to each other. Empty when there are none.
std::vector<Piece> pieces_of(const Value& x, const Shape& shape) {
  std::map<std::int64_t, std::vector<Piece>> by_axis;
  for (const InPort& reader : x.get_destinations()) {
    const Node node = reader.node();
    if (reader.index() != 0) continue;
    std::optional<Piece> piece;
    if (node.is<ops::StridedSlice>()) piece = piece_of_strided_slice(node, shape);
    if (node.is<ops::Slice>()) piece = piece_of_slice(node, shape);
    // An output of the model keeps its own name.
    if (piece && !is_model_output(node.output())) by_axis[piece->axis].push_back(*piece);
  }
  for (auto& [axis, pieces] : by_axis) {
    std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
      return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    std::int64_t filled = 0;
    std::int64_t last_begin = 0;
    std::size_t different = 0;
    const bool whole = std::all_of(pieces.begin(), pieces.end(), [&](const Piece& p) {
      if (different > 0 && p.begin == last_begin && p.end == filled) return true;
      if (p.begin != filled) return false;
      last_begin = p.begin;
      filled = p.end;
      ++different;
      return true;
    });
    if (whole && different > 1 && filled == shape[static_cast<std::size_t>(axis)]) return pieces;
  }
  return {};
}

void replace_by_split(Rewriter& rw, const Value& x, const std::vector<Piece>& pieces) {
  std::vector<std::int64_t> lengths;
  std::vector<std::size_t> part_of;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i == 0 || pieces[i].begin != pieces[i - 1].begin) lengths.push_back(pieces[i].end - pieces[i].begin);
    part_of.push_back(lengths.size() - 1);
  }
  const std::int64_t axis = pieces.front().axis;
  const Node split = rw.create_node(ops::VariadicSplit{}, {x, rw.scalar(axis), rw.integers(lengths)}, lengths.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    Value part = split.output(part_of[i]);
    if (pieces[i].shrinks) part = rw.create(ops::Squeeze{}, part, rw.integers({axis}));
    rw.replace(pieces[i].node, {part});
  }
}

}  // namespace

/// StridedSlices or Slices that cut a tensor along one axis without gaps ->
/// VariadicSplit.
void register_slices_to_split(PassRegistry& passes) {
  passes.add(graph_pass("SlicesToSplit")
                 .run_after({"CommonSubexpressions", "LayoutChange"})
                 .looks_for<ops::StridedSlice, ops::Slice>()
                 .run([](Graph& graph, PassContext&) -> Expected<bool> {
                   Rewriter rw(graph);
                   bool changed = false;
                   for (const Node node : graph.nodes()) {
                     if (node.is<Const>()) continue;
                     for (const OutPort& x : node.out_ports()) {
                       // Vectors are mostly shapes, whose elements are taken
                       // one by one.
                       const auto shape = x.destination_count() > 1 ? x.type().shape.to_shape() : std::nullopt;
                       if (!shape || shape->size() < 2) continue;
                       const std::vector<Piece> pieces = pieces_of(x, *shape);
                       if (pieces.empty()) continue;
                       replace_by_split(rw, x, pieces);
                       changed = true;
                     }
                   }
                   if (rw.error()) return *rw.error();
                   return changed;
                 }));
}

}  // namespace mo::transformations
