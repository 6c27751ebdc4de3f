#include <algorithm>

#include "extensions/front/tensorflow/support/graphs.hpp"
#include "extensions/front/tensorflow/support/lists.hpp"
#include "ops/broadcast.hpp"
#include "ops/build/lengths.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/scatter.hpp"
#include "ops/slice.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::front::tensorflow {
namespace {

using namespace build;

/// Lists become tensors while control flow is put together, before types are inferred: a loop carries a tensor whose
/// shape must be there before the first round, and what is written to the list comes out of the loop that is inferred
/// by it.
Replacement no_shape(const Node& node) {
  return node.error("MO-TF-0760", "the shape or type of the elements of list '{}' is not known", node.name())
      .hint(
          "the element shape is unknown before the first element is written; give the list an element_shape, or cut "
          "the model");
}

/// A fresh list is zeros as soon as a node reads it as a tensor. What writes to it directly defines the elements
/// itself.
Replacement make_list(const Node& node, Rewriter& rw) {
  const auto readers = node.output().get_destinations();
  const bool only_written = std::all_of(readers.begin(), readers.end(), [](const InPort& reader) {
    const Node to = reader.node();
    return reader.index() == 0 && (to.is(kListWrite) || to.is(kListScatter) || to.is(kArrayUnpack) || to.is(kListPush));
  });
  if (only_written) return Replacement::declined();
  const ElementType type = list_element_type(node);
  const Value shape = element_shape(rw, node);
  if (!shape || type == ElementType::dynamic || type == ElementType::string) return no_shape(node);
  return zero_list(rw, type, list_length(rw, node), shape);
}

/// The list as a tensor; when it is fresh, zeros of this shape (an i64 vector). Empty when its element type is not
/// known.
Value tensor_of(Rewriter& rw, const Value& list, const Value& like, const Value& shape) {
  if (!is_fresh_list(list)) return list;
  const Node fresh = plain(list).node();
  const Value length = list_length(rw, fresh);
  const ElementType type = list_element_type(fresh);
  if (type != ElementType::dynamic && type != ElementType::string) return zero_list(rw, type, length, shape);
  return rw.create(ops::Broadcast{}, number_like(rw, like, 0), join(rw, {length, shape}));
}

Replacement read(const Node& node, Rewriter& rw) {
  return rw.create(ops::Gather{}, node.input(0), as_scalar(rw, node.input(1)), zero_axis(rw));
}

Replacement write(const Node& node, Rewriter& rw) {
  const Value value = node.input(2);
  const Value place = as_length(rw, as_i64(rw, node.input(1)));
  Value list = tensor_of(rw, node.input(0), value, shape_of(rw, value));
  if (FrameworkNode(node).attr(kGrows, false))
    list = padded_list(rw, list, rw.create(ops::Add{}, place, rw.integers({1})));
  return rw.create(ops::ScatterUpdate{}, list, place, as_element(rw, value), zero_axis(rw));
}

Replacement gather(const Node& node, Rewriter& rw) {
  return with_element_shape(rw, rw.create(ops::Gather{}, node.input(0), node.input(1), zero_axis(rw)), node, 2);
}

Replacement stack(const Node& node, Rewriter& rw) { return with_element_shape(rw, node.input(0), node, 1); }

/// A number of elements that holds all of these indices, a length.
Value length_for(Rewriter& rw, const Value& indices) {
  const Value largest = rw.create(ops::ReduceMax{.keep_dims = true}, as_i64(rw, indices), rw.integers({0}));
  return rw.create(ops::Add{}, largest, rw.integers({1}));
}

/// Elements 0, 1 … of `value` in a list of `length` (an i64 length); the rest is zeros.
Value scattered(Rewriter& rw, const Value& value, const Value& indices, const Value& length, bool all) {
  if (all) return value;
  if (range_limit(rw, indices)) return padded_list(rw, value, length);
  const Value zeros =
      rw.create(ops::Broadcast{}, number_like(rw, value, 0), join(rw, {length, shape_behind_first(rw, value)}));
  return rw.create(ops::ScatterUpdate{}, zeros, indices, value, zero_axis(rw));
}

Replacement scatter(const Node& node, Rewriter& rw) {
  const Value list = node.input(0);
  const Value value = node.input(1);
  const Value indices = node.input(2);
  const bool grows = FrameworkNode(node).attr(kGrows, false);
  if (!is_fresh_list(list)) {
    const Value target = grows ? padded_list(rw, list, length_for(rw, indices)) : list;
    return rw.create(ops::ScatterUpdate{}, target, indices, value, zero_axis(rw));
  }
  const Node fresh = plain(list).node();
  const Value limit = range_limit(rw, indices);
  Value length = list_length(rw, fresh);
  // A list that is made for what is scattered has as many elements, or none yet.
  const auto size = constant_integer(length);
  const bool all = limit && (is_length_of(limit, list) || (grows && size == 0));
  if (grows && !limit) length = rw.create(ops::Maximum{}, length, length_for(rw, indices));
  return scattered(rw, value, indices, length, all);
}

/// TensorArrayUnpack: element i of the tensor is element i of the array.
Replacement scatter_all(const Node& node, Rewriter& rw) {
  if (!is_fresh_list(node.input(0))) return node.input(1);
  const Node fresh = plain(node.input(0)).node();
  const auto size = constant_integer(fresh.input(1));
  const PartialShape& shape = constant_type(node.input(1)).shape;
  const auto rows = shape.rank().value_or(0) > 0 ? shape[0] : Dimension();
  if ((size && *size <= 0) || (size && rows.is_known() && rows.value() == *size)) return node.input(1);
  return padded_list(rw, node.input(1), list_length(rw, fresh));
}

/// Inputs: tensor, indices, element_shape, number of elements (-1 or absent: as many as the indices need).
Replacement from_scattered(const Node& node, Rewriter& rw) {
  const Value value = node.input(0);
  const Value indices = node.input(1);
  const Value count = node.input(3);
  const auto known = count ? constant_integer(count) : std::optional<std::int64_t>(-1);
  const bool as_needed = known && *known < 0;
  const Value limit = range_limit(rw, indices);
  const bool all = limit && (as_needed || same_numbers(limit, count) || (known && known == constant_integer(limit)));
  if (all) return value;
  const Value length = as_needed ? length_for(rw, indices) : as_length(rw, as_i64(rw, count));
  return scattered(rw, value, indices, length, false);
}

Replacement as_it_is(const Node& node, Rewriter&) { return node.input(0); }

Replacement size(const Node& node, Rewriter& rw) {
  const Value length = rw.create(ops::Gather{}, shape_of(rw, node.input(0)), zero_axis(rw), zero_axis(rw));
  return as_type(rw, length, ElementType::i32);
}

/// [n, d, …] -> [n * d, …], and n times d
Replacement concat(const Node& node, Rewriter& rw) {
  const Value list = node.input(0);
  constexpr std::int64_t kEnd = std::numeric_limits<std::int32_t>::max();
  const Value rest = slice_along(rw, shape_of(rw, list), 0, 2, kEnd);
  const Value together = rw.create(ops::Reshape{}, list, join(rw, {rw.integers({-1}), rest}));
  if (node.out_port_count() < 2) return together;
  return Outputs{together, rw.create(ops::Broadcast{}, length_along(rw, list, 1), length_along(rw, list, 0))};
}

/// Inputs: tensor, element_shape, lengths, of which all are the same.
Replacement split(const Node& node, Rewriter& rw) {
  const auto known = constant_integers(node.input(2));
  if (!known || known->empty() ||
      std::any_of(known->begin(), known->end(), [&](std::int64_t l) { return l != known->front() || l < 0; }))
    return node.error("MO-TF-0762", "the parts are not certainly of one length")
        .hint("a list in the IR is one tensor, so all parts have the same length");
  const Value front = rw.integers({static_cast<std::int64_t>(known->size()), known->front()});
  return rw.create(ops::Reshape{}, node.input(0), join(rw, {front, shape_behind_first(rw, node.input(0))}));
}

Replacement push(const Node& node, Rewriter& rw) {
  const Value value = node.input(1);
  const Node fresh = plain(node.input(0)).node();
  const Value element = as_element(rw, value);
  if (fresh.is(kListEmpty)) return element;
  return rw.create(ops::Concat{.axis = 0}, tensor_of(rw, node.input(0), value, shape_of(rw, value)), element);
}

Replacement pop(const Node& node, Rewriter& rw) {
  const Value list = node.input(0);
  const Value last = rw.create(ops::Gather{}, list, rw.scalar<std::int64_t>(-1), zero_axis(rw));
  return Outputs{slice_along(rw, list, 0, 0, -1), last};
}

Replacement resize(const Node& node, Rewriter& rw) {
  const Value length = as_length(rw, as_i64(rw, node.input(1)));
  const Value longer = padded_list(rw, node.input(0), length);
  return rw.create(ops::Slice{}, longer, rw.integers({0}), length, rw.integers({1}), rw.integers({0}));
}

Replacement join_lists(const Node& node, Rewriter& rw) {
  return rw.create(ops::Concat{.axis = 0}, node.input(0), node.input(1));
}

Replacement shape_of_elements(const Node& node, Rewriter& rw) {
  const ElementType type = FrameworkNode(node).attr("shape_type", ElementType::i64);
  return as_type(rw, shape_behind_first(rw, node.input(0)), type);
}

std::vector<RewriteRule> rules_for_tensors() {
  return {list_rule({kListReserve, kListEmpty}, 0, make_list),
          list_rule({kListRead}, 2, read),
          list_rule({kListWrite}, 3, write),
          list_rule({kListGather}, 2, gather),
          list_rule({kListScatter}, 3, scatter),
          list_rule({kArrayUnpack}, 2, scatter_all),
          list_rule({"tf::TensorListScatter", "tf::TensorListScatterV2"}, 2, from_scattered),
          list_rule({kListStack}, 1, stack),
          list_rule({kListFromTensor}, 1, as_it_is),
          list_rule({kListSize}, 1, size),
          list_rule({kListConcat, kListConcatV2}, 1, concat),
          list_rule({kListSplit}, 1, split),
          list_rule({kListPush}, 2, push),
          list_rule({kListPop}, 1, pop),
          list_rule({kListResize}, 2, resize),
          list_rule({kListJoin}, 2, join_lists),
          list_rule({"tf::TensorListElementShape"}, 1, shape_of_elements)};
}

bool has_lists(const Graph& graph) {
  return graph.has_op_type([](const OpType& type) {
    return type.name.starts_with("tf::TensorList") || type.name == kListEmpty || type.name == kArrayUnpack;
  });
}

}  // namespace

void register_tensor_lists(PassRegistry& passes) {
  passes.add(graph_pass("TfLists")
                 .phase(Phase::extraction)
                 .run_after({"TfListUses"})
                 .run([rules = rules_for_tensors()](Graph& graph, PassContext& context) -> Expected<bool> {
                   if (!has_lists(graph)) return false;
                   remove_unreachable(graph);
                   MO_TRY(run_rules(rules, graph, context));
                   remove_unreachable(graph);
                   return true;
                 }));
}

}  // namespace mo::front::tensorflow
