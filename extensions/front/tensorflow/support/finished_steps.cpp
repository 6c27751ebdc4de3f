#include "extensions/front/tensorflow/support/finished_steps.hpp"

#include <algorithm>

#include "extensions/front/tensorflow/support/graphs.hpp"
#include "extensions/front/tensorflow/support/lists.hpp"

namespace mo::front::tensorflow {
namespace {

/// Constants of more elements are not searched for zeros.
constexpr std::int64_t kMostZeros = 1 << 20;

class Finished {
 public:
  Finished(const LoopVariables& variables, const LoopCounter& counter, const Value& lengths)
      : variables_(variables), counter_(counter), lengths_(lengths) {}

  bool keeps(std::size_t i) const {
    const Value& next = variables_.next[i];
    if (next == variables_.parameters[i]) return true;
    // weights that enter the loop
    if (next.node().is<Const>() && same_tensor(next, plain(variables_.first[i]))) return true;
    if (variables_.counters[i]) return !variables_.read[i];
    const Node writer = next.node();
    if (!writer.is(kListWrite)) return plain(old_value(next)) == variables_.parameters[i];
    return plain(writer.input(0)) == variables_.parameters[i] && is_counter(writer.input(1)) &&
           is_zero(old_value(plain(writer.input(2)))) && is_fresh_list(variables_.first[i]);
  }

 private:
  /// select(counter >= lengths, old, new) -> old; empty for anything else.
  Value old_value(const Value& value) const {
    const Node select = plain(value).node();
    if (!is_operator(select, {"Select", "SelectV2"}) || !select.input(0)) return {};
    Node mask = plain(select.input(0)).node();
    while (is_operator(mask, {"BroadcastTo", "ExpandDims", "Reshape", "Tile"}) && mask.input(0))
      mask = plain(mask.input(0)).node();
    const bool is_after = is_operator(mask, {"GreaterEqual"}) && is_counter(mask.input(0)) && is_lengths(mask.input(1));
    const bool is_before = is_operator(mask, {"LessEqual"}) && is_lengths(mask.input(0)) && is_counter(mask.input(1));
    return is_after || is_before ? select.input(1) : Value();
  }

  std::optional<std::size_t> variable(const Value& value) const {
    const auto at = std::find(variables_.parameters.begin(), variables_.parameters.end(), plain(value));
    if (at == variables_.parameters.end()) return std::nullopt;
    return static_cast<std::size_t>(at - variables_.parameters.begin());
  }

  /// A value of the body that never changes, outside of it.
  Value outside(const Value& value) const {
    const auto place = variable(value);
    return place && variables_.next[*place] == variables_.parameters[*place] ? plain(variables_.first[*place])
                                                                             : Value();
  }

  bool is_counter(const Value& value) const {
    const auto place = variable(value);
    if (!place || !variables_.counters[*place]) return false;
    const LoopCounter& counter = *variables_.counters[*place];
    return counter.step == counter_.step && counter.start && counter.start == counter_.start;
  }

  bool is_lengths(const Value& value) const {
    const Value source = outside(value);
    return source && same_numbers(source, lengths_);
  }

  bool is_zero(const Value& value) const {
    if (!value) return false;
    const Value source = outside(value) ? outside(value) : plain(value);
    const Node node = source.node();
    if (is_operator(node, {"ZerosLike"})) return true;
    const auto numbers = reals_of(is_operator(node, {"Fill"}) ? plain(node.input(1)) : source, kMostZeros);
    return numbers && std::all_of(numbers->begin(), numbers->end(), [](double x) { return x == 0; });
  }

  const LoopVariables& variables_;
  const LoopCounter& counter_;
  const Value& lengths_;
};

}  // namespace

bool changes_nothing_beyond(const LoopVariables& variables, std::size_t counter, const Value& lengths) {
  if (!variables.counters[counter] || variables.counters[counter]->step <= 0) return false;
  const Finished finished(variables, *variables.counters[counter], lengths);
  for (std::size_t i = 0; i < variables.parameters.size(); ++i)
    if (!finished.keeps(i)) return false;
  return true;
}

}  // namespace mo::front::tensorflow
