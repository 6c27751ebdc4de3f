#include "phases/middle/preprocessing.hpp"

#include <algorithm>

#include "core/support/nearest.hpp"
#include "core/tensor/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"

namespace mo::phases {
namespace {

bool is_called(const Node& parameter, std::string_view name) {
  const auto names = parameter.output().data().tensor_names();
  return parameter.name() == name || std::find(names.begin(), names.end(), name) != names.end();
}

/// The values that belong to each input, in the order of `inputs`; empty where there are none.
Expected<std::vector<std::vector<double>>> assign(const std::vector<Node>& inputs, const std::vector<ChannelNumbers>& numbers,
                                                  std::string_view option) {
  std::vector<std::vector<double>> assigned(inputs.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::size_t place = i;
    if (numbers[i].input) {
      place = static_cast<std::size_t>(std::find_if(inputs.begin(), inputs.end(), [&](const Node& n) { return is_called(n, *numbers[i].input); }) -
                                       inputs.begin());
      if (place == inputs.size()) {
        std::vector<std::string> known;
        for (const Node& n : inputs) known.emplace_back(n.name());
        return error("MO-PRE-0001", "{}: the model has no input '{}'", option, *numbers[i].input)
            .hint("did you mean '{}'?", nearest(*numbers[i].input, known));
      }
    } else if (place >= inputs.size()) {
      return error("MO-PRE-0005", "{}: {} lists of values for {} input{}", option, numbers.size(), inputs.size(), inputs.size() == 1 ? "" : "s")
          .hint("give one list for each input, or name the inputs: data(1,2,3)");
    }
    assigned[place] = numbers[i].values;
  }
  return assigned;
}

/// Where the channels of an input are: dimension 1 of images in the layout of most frameworks, else the last one when the number fits there only.
std::optional<std::size_t> channel_axis(const PartialShape& shape, std::size_t channels, bool channels_last) {
  if (!shape.has_rank() || shape.size() < 2) return std::nullopt;
  const auto fits = [&](std::size_t axis) { return !shape[axis].is_known() || shape[axis].value() == static_cast<std::int64_t>(channels); };
  const std::size_t last = shape.size() - 1;
  for (const std::size_t axis : {channels_last ? last : 1, channels_last ? 1 : last})
    if (fits(axis)) return axis;
  return std::nullopt;
}

/// The model keeps images as [N, H, W, C]: where both would fit, the channels are the last dimension.
bool is_channels_last(const Graph& graph) {
  for (const Node node : graph.nodes())
    if (node.op_type().is_channels_last(node.payload())) return true;
  return false;
}

Expected<Value> channel_constant(Rewriter& rewriter, const Node& parameter, const std::vector<double>& values, std::string_view option) {
  const TensorType& type = parameter.output().type();
  if (values.size() == 1) return rewriter.scalar_like(parameter.output(), values.front());
  const auto axis = channel_axis(type.shape, values.size(), is_channels_last(parameter.graph()));
  if (!axis)
    return parameter.error("MO-PRE-0002", "{}: {} values for input '{}' of shape {}", option, values.size(), parameter.name(), type.shape.to_string())
        .hint("give one value for each channel, or a single one");
  Shape shape(type.shape.size(), 1);
  shape[*axis] = static_cast<std::int64_t>(values.size());
  MO_ASSIGN(Tensor tensor, from_reals(type.element_type, shape, values));
  return rewriter.constant(std::move(tensor));
}

std::vector<double> reversed(std::vector<double> values) {
  std::reverse(values.begin(), values.end());
  return values;
}

struct ForInput {
  std::vector<double> mean;
  std::vector<double> scale;
  bool reverse = false;
  const MeanImage* image = nullptr;
};

Expected<void> apply(Rewriter& rewriter, const Node& parameter, const ForInput& wanted) {
  const Value input = parameter.output();
  const bool arithmetic = !wanted.mean.empty() || !wanted.scale.empty() || wanted.image != nullptr;
  if (arithmetic && !is_real(input.type().element_type))
    return parameter.error("MO-PRE-0003", "mean and scale values for input '{}' of type {}", parameter.name(), to_string(input.type().element_type))
        .hint("they need an input of a real type; leave this input out");
  // Reversing comes first in meaning. Doing it last, on reversed constants, is the same and puts it next to the convolution that absorbs it.
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
    MO_ASSIGN(const Value constant, channel_constant(rewriter, parameter, negative, "--mean_values"));
    value = rewriter.create(ops::Add{}, value, constant);
  }
  if (wanted.image != nullptr) {
    MO_ASSIGN(Tensor part, negated_part(*wanted.image, parameter, wanted.reverse));
    value = rewriter.create(ops::Add{}, value, rewriter.constant(std::move(part)));
  }
  if (differs(wanted.scale, 1)) {
    std::vector<double> factors = ordered(wanted.scale);
    if (std::find(factors.begin(), factors.end(), 0.0) != factors.end())
      return parameter.error("MO-PRE-0004", "a scale value of input '{}' is 0", parameter.name()).hint("scale values are divisors");
    for (double& v : factors) v = 1.0 / v;
    MO_ASSIGN(const Value constant, channel_constant(rewriter, parameter, factors, "--scale_values"));
    value = rewriter.create(ops::Multiply{}, value, constant);
  }
  if (wanted.reverse) {
    const std::int64_t axis = static_cast<std::int64_t>(*channel_axis(input.type().shape, 3, is_channels_last(parameter.graph())));
    value = rewriter.create(ops::v8::Gather{}, value, rewriter.integers({2, 1, 0}), rewriter.scalar<std::int64_t>(axis));
  }
  for (const InPort& reader : readers) MO_TRY(reader.connect(value));
  for (const Node& made : rewriter.take_created()) made.add_source(parameter.name());
  return {};
}

bool is_reversible(const Node& parameter) {
  const PartialShape& shape = parameter.output().type().shape;
  if (!shape.has_rank() || shape.size() != 4) return false;
  const auto axis = channel_axis(shape, 3, is_channels_last(parameter.graph()));
  return axis && shape[*axis] == Dimension(3);
}

}  // namespace

Pass preprocessing(PreprocessingRequest request) {
  return graph_pass("Preprocessing").only_top_level().run([request = std::move(request)](Graph& graph, PassContext& context) -> Expected<bool> {
    if (request.empty()) return false;
    const std::vector<Node> inputs = graph.parameters();
    MO_ASSIGN(auto means, assign(inputs, request.mean, "--mean_values"));
    MO_ASSIGN(auto scales, assign(inputs, request.scale, "--scale_values"));
    if (request.mean_image && inputs.size() != 1)
      return error("MO-PRE-0007", "--mean_file: the model has {} inputs, a mean image is for a single one", inputs.size())
          .hint("use --mean_values with the names of the inputs");
    Rewriter rewriter(graph);
    bool any_reversed = false;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      ForInput wanted{means[i], scales[i], request.reverse_channels && is_reversible(inputs[i]), request.mean_image ? &*request.mean_image : nullptr};
      if (request.scale_all && is_real(inputs[i].output().type().element_type)) wanted.scale = {*request.scale_all};
      any_reversed = any_reversed || wanted.reverse;
      MO_TRY(apply(rewriter, inputs[i], wanted));
    }
    if (rewriter.error()) return *rewriter.error();
    if (request.reverse_channels && !any_reversed)
      context.diagnostics.report(
          warning("MO-PRE-0006", "--reverse_input_channels: no input has four dimensions with three channels, nothing is reversed"));
    return true;
  });
}

}  // namespace mo::phases
