#include "ops/build/scan.hpp"

#include <algorithm>

#include "ops/squeeze.hpp"
#include "ops/tensor_iterator.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::build {
namespace {

/// The number for sequence `i`; 0 when there is no list.
std::int64_t at(const std::vector<std::int64_t>& numbers, std::size_t i) { return numbers.empty() ? 0 : numbers[i]; }

/// The IR slices to dimensions of 1: the Parameter gets the axis, and what read it reads it without the axis.
void take_axis_off(Rewriter& inner, const Node& parameter, std::int64_t axis) {
  const std::vector<InPort> readers = parameter.out_port(0).get_destinations();
  auto& declared = *parameter.as<Parameter>();
  if (const auto rank = declared.shape.rank()) {
    const auto place = normalize_axis(axis, *rank + 1);
    if (place)
      declared.shape.dims().insert(declared.shape.dims().begin() + static_cast<std::ptrdiff_t>(*place), Dimension(1));
    else
      declared.shape = PartialShape::unknown_rank();
  }
  parameter.out_port(0).data().set_type({declared.element_type, declared.shape});
  const Value slice = without_axis(inner, parameter.output(), axis);
  for (const InPort& reader : readers)
    if (auto connected = reader.connect(slice); !connected) inner.fail(std::move(connected).error());
}

/// Lists of the model have one entry for each sequence, or are absent.
Expected<void> check_lists(const Node& origin, const ScanPlan& plan, std::size_t stacked) {
  const auto fits = [](const std::vector<std::int64_t>& list, std::size_t count) {
    return list.empty() || list.size() == count;
  };
  const auto directions = [](const std::vector<std::int64_t>& list) {
    return std::all_of(list.begin(), list.end(), [](std::int64_t d) { return d == 0 || d == 1; });
  };
  if (fits(plan.input_axes, plan.scans) && fits(plan.input_directions, plan.scans) && fits(plan.output_axes, stacked) &&
      fits(plan.output_directions, stacked) && directions(plan.input_directions) && directions(plan.output_directions))
    return {};
  return origin.error("MO-FRONT-0010", "axes or directions do not fit {} sequences and {} results", plan.scans, stacked)
      .hint("each sequence has one axis and one direction (0: forward, 1: backward)");
}

}  // namespace

ops::InputMap whole_input(std::int64_t input, std::int64_t parameter) {
  ops::InputMap map;
  map.input = input;
  map.parameter = parameter;
  return map;
}

ops::OutputMap last_output(std::int64_t output, std::int64_t result) {
  ops::OutputMap map;
  map.output = output;
  map.result = result;
  return map;
}

Value without_axis(Rewriter& rw, const Value& x, std::int64_t axis) {
  return rw.create(ops::Squeeze{}, x, rw.integers({axis}));
}

Expected<std::vector<ops::InputMap>> map_captures(const Node& origin, const Graph& body, std::size_t first,
                                                  const std::vector<std::string>& captures, std::int64_t first_port) {
  std::vector<ops::InputMap> maps;
  const std::vector<Node> parameters = body.parameters();
  for (std::size_t i = first; i < parameters.size(); ++i) {
    const auto found = std::find(captures.begin(), captures.end(), parameters[i].name());
    if (found == captures.end())
      return origin.error("MO-FRONT-0008", "the body has an input '{}' that nothing feeds", parameters[i].name())
          .hint("the inputs of the node and of its body belong together");
    maps.push_back(whole_input(first_port + (found - captures.begin()), static_cast<std::int64_t>(i)));
  }
  return maps;
}

Expected<Node> make_scan(Rewriter& rw, const Node& origin, ScanPlan plan, const std::vector<Value>& inputs,
                         std::size_t output_count) {
  ops::TensorIterator iterator;
  iterator.body = std::move(plan.body);
  Graph& body = iterator.body.graph();
  const std::vector<Node> parameters = body.parameters();
  const std::vector<Node> results = body.results();
  const std::size_t own = plan.states + plan.scans;
  if (parameters.size() < own || results.size() < plan.states || output_count > results.size() ||
      inputs.size() != own + plan.captures.size())
    return origin
        .error("MO-FRONT-0009",
               "the body has {} inputs and {} outputs for {} states, {} sequences and {} outputs of the node",
               parameters.size(), results.size(), plan.states, plan.scans, output_count)
        .hint(
            "the body takes the states and one slice of each sequence, and gives the states and slices of the results");
  MO_TRY(check_lists(origin, plan, results.size() - plan.states));
  Rewriter inner(body);
  for (std::size_t i = 0; i < own; ++i) {
    ops::InputMap map = whole_input(static_cast<std::int64_t>(i), static_cast<std::int64_t>(i));
    if (i < plan.states) {
      iterator.back_edges.push_back({.result = map.parameter, .parameter = map.parameter});
    } else {
      map.axis = at(plan.input_axes, i - plan.states);
      if (at(plan.input_directions, i - plan.states) == 1)
        std::tie(map.start, map.end, map.stride) = std::tuple(-1, 0, -1);
      take_axis_off(inner, parameters[i], *map.axis);
    }
    iterator.input_map.push_back(map);
  }
  MO_ASSIGN(const std::vector<ops::InputMap> captured,
            map_captures(origin, body, own, plan.captures, static_cast<std::int64_t>(own)));
  iterator.input_map.insert(iterator.input_map.end(), captured.begin(), captured.end());
  for (std::size_t i = 0; i < output_count; ++i) {
    ops::OutputMap map = last_output(static_cast<std::int64_t>(i), static_cast<std::int64_t>(i));
    if (i >= plan.states) {
      map.axis = at(plan.output_axes, i - plan.states);
      if (at(plan.output_directions, i - plan.states) == 1)
        std::tie(map.start, map.end, map.stride) = std::tuple(-1, 0, -1);
      inner.set_input(results[i], 0, inner.create(ops::Unsqueeze{}, results[i].input(0), inner.integers({*map.axis})));
    }
    iterator.output_map.push_back(map);
  }
  if (inner.error()) return *inner.error();
  return rw.create_node(std::move(iterator), inputs, output_count);
}

}  // namespace mo::build
