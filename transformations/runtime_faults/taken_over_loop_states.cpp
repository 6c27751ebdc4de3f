#include <algorithm>
#include <array>
#include <map>

#include "transformations/runtime_faults/support/copied.hpp"
#include "transformations/runtime_faults/support/remade.hpp"
#include "transformations/support/loop_parts.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Ops whose output a runtime may leave where input 0 is: it is a view, or the op changes nothing and is removed.
constexpr std::array<std::string_view, 14> kWholeViews{"Broadcast",  "Identity",  "Pad",       "ReduceL1", "ReduceMax",
                                                       "ReduceMean", "ReduceMin", "ReduceSum", "Reshape",  "ReduceProd",
                                                       "Squeeze",    "Tile",      "Transpose", "Unsqueeze"};
constexpr std::array<std::string_view, 5> kPartialViews{"Gather", "Slice", "Split", "StridedSlice", "VariadicSplit"};

template <std::size_t N>
bool is_one_of(const Node& node, const std::array<std::string_view, N>& types) {
  return std::find(types.begin(), types.end(), node.type()) != types.end();
}

/// Both sizes are known and differ: elements were really added or summed up.
bool has_other_size(const Node& node) {
  const auto before = node.input_type(0).shape.element_count();
  const auto after = node.output_type().shape.element_count();
  return before && after && *before != *after;
}

/// Runtimes compute in fewer types than the IR has, so that a Convert may become nothing.
bool may_keep_bits(const Node& convert) {
  return is_real(convert.input_type(0).element_type) == is_real(convert.output_type().element_type);
}

/// The number of the input in whose place a runtime may compute an elementwise op: the first one that is computed.
std::optional<std::size_t> place_of(const Node& node) {
  if (!node.op_type().traits.elementwise || is_copy(node.output())) return std::nullopt;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) {
    const Value input = node.input(i);
    if (!input || input.node().is<Const>()) continue;
    const bool fits = input.type().shape.element_count() == node.output_type().shape.element_count() &&
                      bit_width(input.type().element_type) == bit_width(node.output_type().element_type);
    // A Parameter itself stays; a view of it does not.
    return fits && !input.node().is<Parameter>() ? std::optional(i) : std::nullopt;
  }
  return std::nullopt;
}

/// Whose memory a tensor of a body may be in.
struct Memory {
  Node owner;
  bool is_part = false;
  bool is_computed = false;  ///< elementwise ops are between
};

Memory memory_of(const Value& value) {
  Memory memory{value.node()};
  while (memory.owner.in_port_count() > 0 && memory.owner.input(0)) {
    const Node& node = memory.owner;
    const bool is_whole = (is_one_of(node, kWholeViews) && !has_other_size(node)) ||
                          (node.is("Convert") && may_keep_bits(node)) ||
                          (node.is("Concat") && node.in_port_count() == 1);
    const bool is_part = !is_whole && is_one_of(node, kPartialViews);
    const auto place = is_whole || is_part ? std::optional<std::size_t>(0) : place_of(node);
    if (!place) break;
    memory.is_part = memory.is_part || is_part;
    memory.is_computed = memory.is_computed || (!is_whole && !is_part);
    memory.owner = node.input(*place).node();
  }
  return memory;
}

/// The Results of a body that hand the memory of a Parameter to another one in the next step.
std::vector<Node> taken_over(const LoopParts& parts) {
  const std::vector<Node> parameters = parts.body->parameters();
  const std::vector<Node> results = parts.body->results();
  std::vector<Node> found;
  for (const ops::BackEdge& edge : *parts.back_edges) {
    const Node& result = results[static_cast<std::size_t>(edge.result)];
    if (!result.input(0)) continue;
    const Memory memory = memory_of(result.input(0));
    if (!memory.owner.is<Parameter>()) continue;
    // A tensor that takes its own place is copied onto itself, which does no harm, unless it becomes smaller.
    const bool is_own = memory.owner == parameters[static_cast<std::size_t>(edge.parameter)];
    const bool shrinks = memory.is_part && !memory.is_computed && !result.input_type(0).shape.is_static();
    if (!is_own || shrinks) found.push_back(result);
  }
  return found;
}

Replacement copy_states(const Match& m, Rewriter& rw, PassContext&) {
  const Node node = m.root().node();
  const auto parts = loop_parts(node);
  if (!parts) return Replacement::declined();
  std::vector<Node> results = taken_over(*parts);
  std::erase_if(results, [](const Node& result) { return !can_be_copied(result.input_type(0).element_type); });
  if (results.empty()) return declined("each state is computed, or keeps its value");
  Rewriter inner(*parts->body);
  std::map<ValueId, Value> copies;
  for (const Node& result : results) {
    const Value state = result.input(0);
    const auto [copy, is_new] = copies.try_emplace(state.id());
    if (is_new) copy->second = copied(inner, state);
    inner.set_input(result, 0, copy->second);
  }
  if (inner.error()) return *inner.error();
  return remade(node, rw);
}

}  // namespace

void register_taken_over_loop_states(PassRegistry& passes) {
  passes.add(
      avoid_fault("TakenOverLoopStates",
                  {.form = "Loop or TensorIterator in which a state gets what another Parameter of the body held, or "
                           "what elementwise ops make of a view of it",
                   .symptom = "both share memory, so that the state may get a value of the next step",
                   .first = "2021.4",
                   .last = "latest",
                   .replacement = "Maximum(x, x) or LogicalOr(x, x) as a copy before the Result"})
          .add(RewriteRule("CopyOfState", {"Loop", "TensorIterator"}, std::nullopt, copy_states)));
}

}  // namespace mo::transformations
