#include "phases/middle/preprocessing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/graph/model_ends.hpp"
#include "core/support/nearest.hpp"
#include "core/tensor/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/range.hpp"
#include "ops/shape_of.hpp"
#include "phases/middle/channel_axis.hpp"

namespace mo::phases {
namespace {

/// The values that belong to each input, in the order of `inputs`; empty where there are none.
Expected<std::vector<std::vector<double>>> assign(const std::vector<Node>& inputs,
                                                  const std::vector<ChannelNumbers>& numbers, std::string_view option) {
  std::vector<std::vector<double>> assigned(inputs.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::size_t place = i;
    if (numbers[i].input) {
      place = static_cast<std::size_t>(
          std::find_if(inputs.begin(), inputs.end(), [&](const Node& n) { return is_called(n, *numbers[i].input); }) -
          inputs.begin());
      if (place == inputs.size()) {
        std::vector<std::string> known;
        for (const Node& n : inputs) known.emplace_back(n.name());
        return error("MO-PRE-0001", "{}: the model has no input '{}'", option, *numbers[i].input)
            .hint("{}mo inspect lists the inputs", did_you_mean(*numbers[i].input, known));
      }
    } else if (place >= inputs.size()) {
      return error("MO-PRE-0005", "{}: {} lists of values for {} input{}", option, numbers.size(), inputs.size(),
                   inputs.size() == 1 ? "" : "s")
          .hint("give one list for each input, or name the inputs: data(1,2,3)");
    }
    assigned[place] = numbers[i].values;
  }
  return assigned;
}

/// Where the channels of each input are.
class Channels {
 public:
  Channels(const Graph& graph, const std::vector<InterfaceLayout>& layouts, bool channels_first)
      : layouts_(layouts), finder_(graph, channels_first) {}

  /// The dimension that the user's layout calls C; nothing when he did not say.
  std::optional<std::size_t> said(const Node& parameter) const {
    const auto rank = parameter.output().type().rank();
    const auto layout = std::find_if(layouts_.begin(), layouts_.end(),
                                     [&](const InterfaceLayout& known) { return known.end == parameter; });
    if (layout == layouts_.end() || !rank) return std::nullopt;
    const std::size_t size = static_cast<std::size_t>(*rank);
    if (const auto axis = layout->model.axis("C", size)) return axis;
    const auto axis = layout->tensor ? layout->tensor->axis("C", size) : std::nullopt;
    if (!axis) return std::nullopt;
    const auto order = order_between(layout->model.names(size), layout->tensor->names(size));
    return order ? std::optional(static_cast<std::size_t>((*order)[*axis])) : std::nullopt;
  }

  Expected<std::size_t> find(const Node& parameter, std::size_t count, std::string_view option) const {
    const auto axis = said(parameter);
    if (!axis) {
      auto found = finder_.find(parameter, count);
      if (!found) found.error().items().front().message = fmt::format("{}: {}", option, found.error().first().message);
      return found;
    }
    const PartialShape& shape = parameter.output().type().shape;
    if (shape[*axis].is_known() && shape[*axis] != Dimension(static_cast<std::int64_t>(count)))
      return parameter
          .error("MO-PRE-0002",
                 "{}: {} values for input '{}' of shape {}, whose channels are dimension {} by its layout", option,
                 count, parameter.name(), shape.to_string(), *axis)
          .hint("give one value for each channel, or another --layout");
    return *axis;
  }

  /// The dimension to reverse; nothing when the input is not an image with three channels.
  std::optional<std::size_t> reversible(const Node& parameter) const {
    const PartialShape& shape = parameter.output().type().shape;
    if (const auto axis = said(parameter))
      return !shape[*axis].is_known() || shape[*axis] == Dimension(3) ? axis : std::nullopt;
    if (!shape.has_rank() || shape.size() != 4) return std::nullopt;
    const auto axis = finder_.find(parameter, 3);
    return axis && shape[*axis] == Dimension(3) ? std::optional(*axis) : std::nullopt;
  }

 private:
  const std::vector<InterfaceLayout>& layouts_;
  ChannelFinder finder_;
};

Expected<Value> channel_constant(Rewriter& rewriter, const Node& parameter, const std::vector<double>& values,
                                 const Channels& channels, std::string_view option) {
  const TensorType& type = parameter.output().type();
  if (values.size() == 1) return rewriter.scalar_like(parameter.output(), values.front());
  MO_ASSIGN(const std::size_t axis, channels.find(parameter, values.size(), option));
  Shape shape(type.shape.size(), 1);
  shape[axis] = static_cast<std::int64_t>(values.size());
  MO_ASSIGN(Tensor tensor, from_reals(type.element_type, shape, values));
  return rewriter.constant(std::move(tensor));
}

/// The indices 2, 1, 0; or as many as the tensor has channels when that is not known.
Value reversed_indices(Rewriter& rewriter, const Value& value, std::int64_t axis) {
  if (value.type().shape[static_cast<std::size_t>(axis)].is_known()) return rewriter.integers({2, 1, 0});
  const Value zero = rewriter.scalar<std::int64_t>(0);
  const Value minus_one = rewriter.scalar<std::int64_t>(-1);
  const Value count = rewriter.create(ops::v8::Gather{}, rewriter.create(ops::ShapeOf{}, value),
                                      rewriter.scalar<std::int64_t>(axis), zero);
  return rewriter.create(ops::Range{.output_type = ElementType::i64}, rewriter.create(ops::Add{}, count, minus_one),
                         minus_one, minus_one);
}

std::vector<double> reversed(std::vector<double> values) {
  std::reverse(values.begin(), values.end());
  return values;
}

struct ForInput {
  std::vector<double> mean;
  std::vector<double> scale;
  std::optional<std::size_t> reverse;  ///< this dimension
  const MeanImage* image = nullptr;
};

Expected<void> apply(Rewriter& rewriter, const Node& parameter, const ForInput& wanted, const Channels& channels) {
  const Value input = parameter.output();
  const bool arithmetic = !wanted.mean.empty() || !wanted.scale.empty() || wanted.image != nullptr;
  if (arithmetic && !is_real(input.type().element_type))
    return parameter
        .error("MO-PRE-0003", "mean and scale values for input '{}' of type {}", parameter.name(),
               to_string(input.type().element_type))
        .hint("they need an input of a real type; leave this input out");
  // Reversing comes first in meaning. Doing it last, on reversed constants, is the same and puts it next to the
  // convolution that absorbs it.
  const auto ordered = [&](const std::vector<double>& values) { return wanted.reverse ? reversed(values) : values; };
  std::vector<InPort> readers = input.get_destinations();
  std::erase_if(readers, [](const InPort& port) { return port.node().op_type().traits.shape_of; });
  Value value = input;
  const auto differs = [](const std::vector<double>& values, double neutral) {
    return std::any_of(values.begin(), values.end(), [&](double v) { return v != neutral; });
  };
  if (differs(wanted.mean, 0)) {
    std::vector<double> negative = ordered(wanted.mean);
    for (double& v : negative) v = -v;
    MO_ASSIGN(const Value constant, channel_constant(rewriter, parameter, negative, channels, "--mean_values"));
    value = rewriter.create(ops::Add{}, value, constant);
  }
  if (wanted.image != nullptr) {
    MO_ASSIGN(Tensor part, negated_part(*wanted.image, parameter, wanted.reverse.has_value()));
    value = rewriter.create(ops::Add{}, value, rewriter.constant(std::move(part)));
  }
  if (differs(wanted.scale, 1)) {
    std::vector<double> factors = ordered(wanted.scale);
    if (std::find(factors.begin(), factors.end(), 0.0) != factors.end())
      return parameter.error("MO-PRE-0004", "a scale value of input '{}' is 0", parameter.name())
          .hint("scale values are divisors");
    for (double& v : factors) v = 1.0 / v;
    MO_ASSIGN(const Value constant, channel_constant(rewriter, parameter, factors, channels, "--scale_values"));
    value = rewriter.create(ops::Multiply{}, value, constant);
  }
  if (wanted.reverse) {
    const std::int64_t axis = static_cast<std::int64_t>(*wanted.reverse);
    value = rewriter.create(ops::v8::Gather{}, value, reversed_indices(rewriter, value, axis),
                            rewriter.scalar<std::int64_t>(axis));
  }
  for (const InPort& reader : readers) MO_TRY(reader.connect(value));
  for (const Node& made : rewriter.take_created()) made.add_source(parameter.name());
  return {};
}

}  // namespace

Pass preprocessing(PreprocessingRequest request) {
  return graph_pass("Preprocessing")
      .only_top_level()
      .run([request = std::move(request)](Graph& graph, PassContext& context) -> Expected<bool> {
        if (request.empty()) return false;
        const std::vector<Node> inputs = graph.parameters();
        MO_ASSIGN(auto means, assign(inputs, request.mean, "--mean_values"));
        MO_ASSIGN(auto scales, assign(inputs, request.scale, "--scale_values"));
        if (request.mean_image && inputs.size() != 1)
          return error("MO-PRE-0007", "--mean_file: the model has {} inputs, a mean image is for a single one",
                       inputs.size())
              .hint("use --mean_values with the names of the inputs");
        MO_ASSIGN(const std::vector<InterfaceLayout> layouts, find_interface_layouts(graph, request.layouts));
        const Channels channels(graph, layouts, request.channels_first);
        Rewriter rewriter(graph);
        bool any_reversed = false;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
          ForInput wanted{means[i], scales[i], std::nullopt, request.mean_image ? &*request.mean_image : nullptr};
          if (request.reverse_channels) wanted.reverse = channels.reversible(inputs[i]);
          if (request.scale_all && is_real(inputs[i].output().type().element_type)) wanted.scale = {*request.scale_all};
          any_reversed = any_reversed || wanted.reverse;
          MO_TRY(apply(rewriter, inputs[i], wanted, channels));
        }
        if (rewriter.error()) return *rewriter.error();
        MO_TRY(apply_interface_layouts(rewriter, layouts));
        if (request.reverse_channels && !any_reversed)
          context.diagnostics.report(
              warning(
                  "MO-PRE-0006",
                  "--reverse_input_channels: no input is known to be an image with three channels, nothing is reversed")
                  .hint("specify where the channels of an input are: --layout \"name(nhwc)\""));
        return true;
      });
}

}  // namespace mo::phases
