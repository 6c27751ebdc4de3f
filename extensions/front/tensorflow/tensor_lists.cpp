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

Value zero_axis(Rewriter& rw) { return rw.scalar<std::int64_t>(0); }
Value as_element(Rewriter& rw, const Value& value) { return rw.create(ops::Unsqueeze{}, value, rw.integers({0})); }

// -- lists of which each element is known -----------------------------------------------------------------------------

constexpr std::size_t kMostElements = 4096;

/// The elements of a list that was made and filled by single writes; nothing when one of them is not known.
std::optional<std::vector<Value>> known_elements(const Value& list) {
  std::vector<Value> pushed;
  std::vector<std::pair<std::int64_t, Value>> written;
  Value at = plain(list);
  for (std::size_t step = 0; at && step < kMostElements; ++step) {
    const Node node = at.node();
    if (node.is(kListPush) && written.empty()) {
      pushed.push_back(node.input(1));
    } else if (node.is(kListWrite) && pushed.empty()) {
      const auto place = constant_integer(node.input(1));
      if (!place || *place < 0) return std::nullopt;
      written.emplace_back(*place, node.input(2));
    } else if (node.is(kListEmpty) && written.empty()) {
      return std::vector<Value>(pushed.rbegin(), pushed.rend());
    } else if (node.is(kListReserve) && pushed.empty()) {
      auto size = constant_integer(node.input(1)).value_or(-1);
      for (const auto& [place, value] : written) size = std::max(size, place + 1);
      if (size < 0 || size > static_cast<std::int64_t>(written.size())) return std::nullopt;
      std::vector<Value> elements(static_cast<std::size_t>(size));
      // The last write of an element counts; it is met first.
      for (const auto& [place, value] : written)
        if (Value& element = elements[static_cast<std::size_t>(place)]; !element) element = value;
      const bool all =
          std::all_of(elements.begin(), elements.end(), [](const Value& v) { return static_cast<bool>(v); });
      return all ? std::optional(std::move(elements)) : std::nullopt;
    } else {
      return std::nullopt;
    }
    at = plain(node.input(0));
  }
  return std::nullopt;
}

Value stacked(Rewriter& rw, const std::vector<Value>& elements) {
  std::vector<Value> parts;
  for (const Value& element : elements) parts.push_back(as_element(rw, element));
  return parts.size() == 1 ? parts.front() : rw.create(ops::Concat{.axis = 0}, parts);
}

/// `list` as a tensor whose elements have the sizes that input `i` of the reader says: inference may not find those
/// that only arithmetic in a loop fixes, as the number of boxes that are padded or cut to a hundred.
Value with_element_shape(Rewriter& rw, const Value& list, const Node& reader, std::size_t i) {
  const auto sizes =
      reader.input(i) && constant_type(reader.input(i)).rank() == 1 ? constant_integers(reader.input(i)) : std::nullopt;
  if (!sizes || std::none_of(sizes->begin(), sizes->end(), [](std::int64_t d) { return d >= 0; })) return list;
  std::vector<Dimension> dimensions(1);
  for (const std::int64_t size : *sizes) dimensions.push_back(size < 0 ? Dimension() : Dimension(size));
  AttributeMap attributes;
  attributes.set("shape", PartialShape(std::move(dimensions)));
  return rw.create(Op("tf::EnsureShape", std::move(attributes)), list);
}

Replacement stack_known(const Node& node, Rewriter& rw) {
  const auto elements = known_elements(node.input(0));
  return elements && !elements->empty() ? Replacement(with_element_shape(rw, stacked(rw, *elements), node, 1))
                                        : Replacement::declined();
}

/// Elements of different lengths are fine here.
Replacement concat_known(const Node& node, Rewriter& rw) {
  const auto elements = known_elements(node.input(0));
  if (!elements || elements->empty()) return Replacement::declined();
  std::vector<Value> lengths;
  for (const Value& element : *elements) lengths.push_back(length_along(rw, element, 0));
  if (elements->size() == 1) return Outputs{elements->front(), lengths.front()};
  return Outputs{rw.create(ops::Concat{.axis = 0}, *elements), join(rw, lengths)};
}

/// Read(Write(list, k, x), k) -> x, also through writes of other elements.
Replacement read_known(const Node& node, Rewriter&) {
  const auto wanted = constant_integer(node.input(1));
  Value at = plain(node.input(0));
  for (std::size_t step = 0; at && step < kMostElements && at.node().is(kListWrite); ++step) {
    const auto place = constant_integer(at.node().input(1));
    if (same_numbers(at.node().input(1), node.input(1)) || (wanted && place == wanted)) return at.node().input(2);
    if (!wanted || !place) break;
    at = plain(at.node().input(0));
  }
  if (const auto elements = known_elements(node.input(0));
      elements && wanted && *wanted >= 0 && *wanted < static_cast<std::int64_t>(elements->size()))
    return (*elements)[static_cast<std::size_t>(*wanted)];
  return Replacement::declined();
}

/// The node that created the list, found through writes, which change no length unless the list grows.
Node maker_of(const Value& list) {
  Value at = plain(list);
  for (std::size_t step = 0; at && step < kMostElements; ++step) {
    const Node node = at.node();
    // TensorListScatterIntoExisting makes room for all indices; the attribute is there when it was an operator on an
    // array.
    const bool scatters = node.is(kListScatter);
    if ((!node.is(kListWrite) && !scatters) || FrameworkNode(node).attr(kGrows, scatters)) return node;
    at = plain(node.input(0));
  }
  return at ? at.node() : Node();
}

/// The length of a list that was made with a given one: an integer scalar.
Value reserved_length(const Value& list) {
  const Node maker = maker_of(list);
  return maker && maker.is(kListReserve) ? maker.input(1) : Value();
}

bool is_length_of(const Value& limit, const Value& list) {
  const Value source = plain(limit);
  if (source && source.node().is(kListSize)) {
    const Value measured = plain(source.node().input(0));
    if (measured && (measured == plain(list) || maker_of(measured) == maker_of(list))) return true;
  }
  const Value length = reserved_length(list);
  return length && limit &&
         (same_numbers(length, limit) ||
          (constant_integer(length) && constant_integer(length) == constant_integer(limit)));
}

/// Gather of all elements is the list as a tensor.
Replacement gather_all(const Node& node, Rewriter& rw) {
  if (const auto elements = known_elements(node.input(0)); elements && !elements->empty()) {
    const Value all = with_element_shape(rw, stacked(rw, *elements), node, 2);
    const Value limit = range_limit(rw, node.input(1));
    if (limit && constant_integer(limit) == static_cast<std::int64_t>(elements->size())) return all;
    return rw.create(ops::Gather{}, all, node.input(1), zero_axis(rw));
  }
  const Value limit = range_limit(rw, node.input(1));
  if (!limit || !is_length_of(limit, node.input(0))) return Replacement::declined();
  return rw.create(Op(kListStack, {}), node.input(0), node.input(2));
}

Replacement size_known(const Node& node, Rewriter& rw) {
  if (const auto elements = known_elements(node.input(0)))
    return rw.scalar(static_cast<std::int32_t>(elements->size()));
  const Value length = reserved_length(node.input(0));
  return length ? Replacement(as_type(rw, length, ElementType::i32)) : Replacement::declined();
}

/// Pop(Push(list, x)) -> list, x
Replacement pop_pushed(const Node& node, Rewriter&) {
  const Node push = plain(node.input(0)).node();
  return push.is(kListPush) ? Replacement(Outputs{push.input(0), push.input(1)}) : Replacement::declined();
}

// -- lists as tensors -------------------------------------------------------------------------------------------------

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

RewriteRule rule(std::initializer_list<std::string_view> ops, std::size_t inputs,
                 Replacement (*replace)(const Node&, Rewriter&)) {
  return structural_rule({ops.begin(), ops.end()}, inputs, [replace](const Node& node, Rewriter& rw) -> Replacement {
    const FrameworkNode view(node);
    view.optional_attr<ElementType>("element_dtype");
    if (view.failure()) return *view.failure();  // lists of lists
    return replace(node, rw);
  });
}

std::vector<RewriteRule> rules_for_tensors() {
  return {rule({kListReserve, kListEmpty}, 0, make_list),
          rule({kListRead}, 2, read),
          rule({kListWrite}, 3, write),
          rule({kListGather}, 2, gather),
          rule({kListScatter}, 3, scatter),
          rule({kArrayUnpack}, 2, scatter_all),
          rule({"tf::TensorListScatter", "tf::TensorListScatterV2"}, 2, from_scattered),
          rule({kListStack}, 1, stack),
          rule({kListFromTensor}, 1, as_it_is),
          rule({kListSize}, 1, size),
          rule({kListConcat, kListConcatV2}, 1, concat),
          rule({kListSplit}, 1, split),
          rule({kListPush}, 2, push),
          rule({kListPop}, 1, pop),
          rule({kListResize}, 2, resize),
          rule({kListJoin}, 2, join_lists),
          rule({"tf::TensorListElementShape"}, 1, shape_of_elements)};
}

bool has_lists(const Graph& graph) {
  return graph.has_op_type([](const OpType& type) {
    return type.name.starts_with("tf::TensorList") || type.name == kListEmpty || type.name == kArrayUnpack;
  });
}

}  // namespace

void register_tensor_lists(PassRegistry& passes) {
  // First what reads lists that are filled in straight-line code: no tensor of the whole list is needed.
  passes.add(graph_rewrite("TfListUses")
                 .phase(Phase::extraction)
                 .run_after({"TfWhile", "TfIf", "TfCase"})
                 .add(rule({kListStack}, 1, stack_known))
                 .add(rule({kListConcat, kListConcatV2}, 1, concat_known))
                 .add(rule({kListRead}, 2, read_known))
                 .add(rule({kListGather}, 2, gather_all))
                 .add(rule({kListSize}, 1, size_known))
                 .add(rule({kListPop}, 1, pop_pushed)));
  // Then all others.
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
