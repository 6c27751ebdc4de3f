#include "extensions/front/tensorflow/support/trip_count.hpp"

#include <algorithm>
#include <unordered_set>

#include "core/pass/graph_copier.hpp"
#include "extensions/front/tensorflow/support/graphs.hpp"
#include "ops/build/lengths.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::front::tensorflow {
namespace {

/// counter < limit (step above 0), counter > limit (step below 0); or with equality.
struct Bound {
  std::size_t counter = 0;
  Value limit;
  bool inclusive = false;
};

std::optional<std::size_t> place_of(const std::vector<Value>& parameters, const Value& value) {
  const auto at = std::find(parameters.begin(), parameters.end(), plain(value));
  return at == parameters.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - parameters.begin()));
}

/// Whether a tensor is computed from variables that never change, and gives the same in each iteration.
bool is_fixed(const Value& value, const std::vector<Value>& parameters, const std::vector<bool>& fixed) {
  std::unordered_set<NodeId> seen;
  std::vector<Node> open = {value.node()};
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (!seen.insert(node.id()).second) continue;
    if (node.op_type().traits.stateful) return false;
    if (node.is<Parameter>()) {
      const auto place = place_of(parameters, node.output());
      if (!place || !fixed[*place]) return false;
    }
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (node.input(i)) open.push_back(node.input(i).node());
  }
  return true;
}

/// The parts of a conjunction, without those that always hold.
std::vector<Value> conjuncts(const Value& condition) {
  std::vector<Value> parts;
  std::vector<Value> open = {plain(condition)};
  while (!open.empty()) {
    const Value part = open.back();
    open.pop_back();
    if (const auto truth = constant_integer(part); truth && *truth != 0) continue;
    const Node node = part.node();
    if (is_operator(node, {"LogicalAnd"}) && node.input(0) && node.input(1)) {
      open.push_back(plain(node.input(1)));
      open.push_back(plain(node.input(0)));
    } else {
      parts.push_back(part);
    }
  }
  return parts;
}

std::optional<Bound> bound_of(const Value& part, const std::vector<Value>& parameters, const std::vector<bool>& fixed,
                              const std::vector<std::optional<LoopCounter>>& counters) {
  const Node node = part.node();
  const bool less = is_operator(node, {"Less", "LessEqual"});
  const bool greater = is_operator(node, {"Greater", "GreaterEqual"});
  if ((!less && !greater) || !node.input(0) || !node.input(1)) return std::nullopt;
  for (std::size_t side = 0; side < 2; ++side) {
    const auto place = place_of(parameters, node.input(side));
    if (!place || !counters[*place]) continue;
    const bool upwards = less == (side == 0);
    if (upwards != (counters[*place]->step > 0) || !is_fixed(node.input(1 - side), parameters, fixed)) continue;
    return Bound{*place, node.input(1 - side), is_operator(node, {"LessEqual", "GreaterEqual"})};
  }
  return std::nullopt;
}

/// min(x, max(x, y)) -> x, which is how dynamic_rnn limits its steps.
Value absorbed(const Value& limit) {
  const Node node = plain(limit).node();
  if (!is_operator(node, {"Minimum"})) return plain(limit);
  for (std::size_t side = 0; side < 2; ++side) {
    const Value x = node.input(side);
    const Value other = node.input(1 - side);
    if (!x || !other || !is_operator(plain(other).node(), {"Maximum"})) continue;
    const Node maximum = plain(other).node();
    if (same_numbers(maximum.input(0), x) || same_numbers(maximum.input(1), x)) return plain(x);
  }
  return plain(limit);
}

/// The tensor of which `value` is the maximum, or the maximum of that and a constant; empty when it is neither.
Value maximum_of(const Value& value) {
  const Node node = plain(value).node();
  if (is_operator(node, {"Max"})) return plain(node.input(0));
  if (!is_operator(node, {"Maximum"})) return {};
  for (std::size_t side = 0; side < 2; ++side) {
    const Value other = node.input(1 - side);
    if (node.input(side) && other && constant_integer(other) && is_operator(plain(node.input(side)).node(), {"Max"}))
      return plain(plain(node.input(side)).node().input(0));
  }
  return {};
}

/// min(size, max(lengths)) -> size, where steps beyond the lengths change nothing.
Value without_lengths(const Value& limit, std::size_t counter, const FinishedBeyond& finished_beyond) {
  const Node node = limit.node();
  if (!is_operator(node, {"Minimum"}) || !node.input(0) || !node.input(1)) return limit;
  for (std::size_t side = 0; side < 2; ++side)
    if (const Value lengths = maximum_of(node.input(1 - side)); lengths && finished_beyond(counter, lengths))
      return plain(node.input(side));
  return limit;
}

/// ceil((limit - start) / step), at least 0.
Value count_of(Rewriter& rw, const Value& limit, const Value& start, const LoopCounter& counter, bool inclusive) {
  const bool upwards = counter.step > 0;
  const auto known = constant_integer(limit);
  // Numbers of 32 bits leave room for the arithmetic.
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const auto small = [](std::int64_t v) { return v >= -kMost && v <= kMost; };
  const std::int64_t width = upwards ? counter.step : -counter.step;
  if (known && counter.start && small(*known) && small(*counter.start)) {
    const std::int64_t span = (upwards ? *known - *counter.start : *counter.start - *known) + (inclusive ? 1 : 0);
    return rw.scalar<std::int64_t>(span <= 0 ? 0 : (span + width - 1) / width);
  }
  const Value high = upwards ? limit : start;
  const Value low = upwards ? start : limit;
  Value span = build::as_i64(rw, high);
  if (constant_integer(low) != 0) span = rw.create(ops::Subtract{}, span, build::as_i64(rw, low));
  const std::int64_t more = width - 1 + (inclusive ? 1 : 0);
  if (more > 0) span = rw.create(ops::Add{}, span, rw.scalar<std::int64_t>(more));
  if (width > 1) span = rw.create(ops::Divide{}, span, rw.scalar<std::int64_t>(width));
  return rw.create(ops::Maximum{}, span, rw.scalar<std::int64_t>(0));
}

}  // namespace

std::vector<std::optional<LoopCounter>> find_counters(const std::vector<Value>& parameters,
                                                      const std::vector<Value>& next, const std::vector<Value>& first) {
  constexpr std::int64_t kMostStep = 1'000'000;
  std::vector<std::optional<LoopCounter>> counters(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Node node = plain(next[i]).node();
    const bool subtracts = is_operator(node, {"Sub"});
    if (!subtracts && !is_operator(node, {"Add", "AddV2"})) continue;
    for (std::size_t side = 0; side < (subtracts ? 1U : 2U); ++side) {
      if (plain(node.input(side)) != parameters[i]) continue;
      const Value step_value = node.input(1 - side);
      const auto step = constant_integer(step_value);
      if (!step || *step == 0 || *step > kMostStep || *step < -kMostStep || constant_type(step_value).rank() != 0)
        continue;
      counters[i] = LoopCounter{subtracts ? -*step : *step, constant_integer(first[i])};
    }
  }
  return counters;
}

Expected<TripCount> trip_count(Rewriter& rw, const Value& condition, const std::vector<Value>& parameters,
                               const std::vector<Value>& first, const std::vector<bool>& fixed,
                               const std::vector<std::optional<LoopCounter>>& counters,
                               const FinishedBeyond& finished_beyond) {
  TripCount trips;
  GraphCopier copier(rw.graph());
  for (std::size_t i = 0; i < parameters.size(); ++i) copier.map(parameters[i], first[i]);
  struct Term {
    Value limit;
    Value start;
    LoopCounter counter;
    bool inclusive;
  };
  std::vector<Term> terms;
  for (const Value& part : conjuncts(condition)) {
    const auto bound = bound_of(part, parameters, fixed, counters);
    if (!bound) {
      trips.rest.push_back(part);
      continue;
    }
    MO_ASSIGN(const Value copied, copier.copy(bound->limit));
    const Value limit = without_lengths(absorbed(copied), bound->counter, finished_beyond);
    const Term term{limit, plain(first[bound->counter]), *counters[bound->counter], bound->inclusive};
    const bool is_known = std::any_of(terms.begin(), terms.end(), [&](const Term& t) {
      return t.counter.step == term.counter.step && t.inclusive == term.inclusive &&
             same_numbers(t.start, term.start) && same_numbers(t.limit, term.limit);
    });
    if (!is_known) terms.push_back(term);
  }
  for (const Term& term : terms) {
    const Value count = count_of(rw, term.limit, term.start, term.counter, term.inclusive);
    trips.count = trips.count ? rw.create(ops::Minimum{}, trips.count, count) : count;
  }
  if (terms.size() == 1 && terms.front().counter.is_iteration() && !terms.front().inclusive && trips.rest.empty())
    trips.limit = terms.front().limit;
  return trips;
}

}  // namespace mo::front::tensorflow
