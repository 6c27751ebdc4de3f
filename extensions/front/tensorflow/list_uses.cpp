#include <algorithm>

#include "extensions/front/tensorflow/support/graphs.hpp"
#include "extensions/front/tensorflow/support/lists.hpp"
#include "ops/build/lengths.hpp"
#include "ops/concat.hpp"
#include "ops/gather.hpp"

namespace mo::front::tensorflow {
namespace {

using namespace build;

/// The elements of a list that was made and filled by single writes; nothing when one of them is not known.
std::optional<std::vector<Value>> known_elements(const Value& list) {
  std::vector<Value> pushed;
  std::vector<std::pair<std::int64_t, Value>> written;
  Value at = plain(list);
  for (std::size_t step = 0; at && step < kMostListSteps; ++step) {
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
  for (std::size_t step = 0; at && step < kMostListSteps && at.node().is(kListWrite); ++step) {
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

}  // namespace

/// What reads lists that are filled in straight-line code: no tensor of the whole list is needed.
void register_list_uses(PassRegistry& passes) {
  passes.add(graph_rewrite("TfListUses")
                 .phase(Phase::extraction)
                 .run_after({"TfWhile", "TfIf", "TfCase"})
                 .add(list_rule({kListStack}, 1, stack_known))
                 .add(list_rule({kListConcat, kListConcatV2}, 1, concat_known))
                 .add(list_rule({kListRead}, 2, read_known))
                 .add(list_rule({kListGather}, 2, gather_all))
                 .add(list_rule({kListSize}, 1, size_known))
                 .add(list_rule({kListPop}, 1, pop_pushed)));
}

}  // namespace mo::front::tensorflow
