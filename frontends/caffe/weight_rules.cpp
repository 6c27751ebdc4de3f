#include "frontends/caffe/weight_rules.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "frontends/caffe/net.hpp"

namespace mo::caffe {
namespace {

enum class Kind {
  none,
  convolution,
  deconvolution,
  inner_product,
  embed,
  batch_norm,
  bn,
  scale,
  bias,
  prelu,
  normalize,
  lstm,
  rnn
};

Kind kind_of(std::string_view type) {
  if (type == "Convolution" || type == "ConvolutionDepthwise" || type == "DepthwiseConvolution")
    return Kind::convolution;
  if (type == "Deconvolution") return Kind::deconvolution;
  if (type == "InnerProduct") return Kind::inner_product;
  if (type == "Embed") return Kind::embed;
  if (type == "BatchNorm") return Kind::batch_norm;
  if (type == "BN") return Kind::bn;
  if (type == "Scale") return Kind::scale;
  if (type == "Bias") return Kind::bias;
  if (type == "PReLU") return Kind::prelu;
  if (type == "Normalize") return Kind::normalize;
  if (type == "LSTM") return Kind::lstm;
  if (type == "RNN") return Kind::rnn;
  return Kind::none;
}

/// Where the parameters of a layer with weights and num_output are.
std::string_view parameters_of(Kind kind) {
  switch (kind) {
    case Kind::inner_product: return "inner_product_param.";
    case Kind::embed: return "embed_param.";
    case Kind::lstm:
    case Kind::rnn: return "recurrent_param.";
    default: return "convolution_param.";
  }
}

std::int64_t output_of(const Layer& layer, Kind kind) {
  return layer.integer(std::string(parameters_of(kind)) + "num_output", -1);
}
bool has_bias(const Layer& layer, Kind kind) {
  return layer.flag(std::string(parameters_of(kind)) + "bias_term", true);
}

std::int64_t at(const Dims& dims, std::int64_t axis) {
  if (!dims) return -1;
  const auto rank = static_cast<std::int64_t>(dims->size());
  if (axis < 0) axis += rank;
  return axis >= 0 && axis < rank ? (*dims)[static_cast<std::size_t>(axis)] : -1;
}

/// Product of dimensions; -1 when one is unknown or the product is beyond what a tensor holds.
std::int64_t product(const std::vector<std::int64_t>& dims) {
  std::int64_t total = 1;
  for (const std::int64_t dim : dims)
    if (dim < 0 || __builtin_mul_overflow(total, dim, &total)) return -1;
  return total;
}

std::int64_t product_from(const Dims& dims, std::int64_t axis) {
  if (!dims) return -1;
  const auto rank = static_cast<std::int64_t>(dims->size());
  if (axis < 0) axis += rank;
  if (axis < 0 || axis > rank) return -1;
  return product({dims->begin() + axis, dims->end()});
}

std::int64_t group_of(const Layer& layer, std::string_view type, std::int64_t channels) {
  // Depthwise by its type: each channel is a group, unless the layer says otherwise.
  const bool depthwise = type == "ConvolutionDepthwise" || type == "DepthwiseConvolution";
  return std::max<std::int64_t>(
      1, layer.integer("convolution_param.group", depthwise ? std::max<std::int64_t>(1, channels) : 1));
}

std::int64_t quotient(std::int64_t value, std::int64_t divisor) {
  return value < 0 || divisor <= 0 ? -1 : value / divisor;
}

/// kernel_size once, once for each dimension, or as kernel_h and kernel_w.
std::vector<std::int64_t> kernel_of(const Layer& layer, const Dims& data) {
  const std::int64_t high = layer.integer("convolution_param.kernel_h", 0);
  const std::int64_t wide = layer.integer("convolution_param.kernel_w", 0);
  if (high > 0 && wide > 0) return {high, wide};
  std::vector<std::int64_t> sizes = layer.integers("convolution_param.kernel_size");
  if (sizes.size() != 1) return sizes;
  return std::vector<std::int64_t>(data && data->size() > 2 && data->size() <= limits::kRank ? data->size() - 2 : 2,
                                   sizes.front());
}

/// Caffe Scale and Bias: the blob has the dimensions of the bottom from `axis` on, `num_axes` of them or all.
std::vector<std::int64_t> parameter_shape(const Layer& layer, const std::string& prefix, const Dims& data) {
  const std::int64_t count = layer.integer(prefix + "num_axes", 1);
  if (count == 0) return {};
  if (!data) return {-1};
  const auto rank = static_cast<std::int64_t>(data->size());
  std::int64_t axis = layer.integer(prefix + "axis", 1);
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank || (count > 0 && count > rank - axis)) return {-1};
  return {data->begin() + axis, count < 0 ? data->end() : data->begin() + axis + count};
}

}  // namespace

std::optional<BlobCount> blob_count(const Layer& layer, std::string_view type) {
  const auto exactly = [](std::size_t count) { return BlobCount{count, count}; };
  const Kind kind = kind_of(type);
  switch (kind) {
    case Kind::none: return std::nullopt;
    case Kind::convolution:
    case Kind::deconvolution:
    case Kind::inner_product:
    case Kind::embed: return exactly(has_bias(layer, kind) ? 2 : 1);
    case Kind::batch_norm: return BlobCount{2, 5};  // mean, variance, their factor; forks add scale and shift
    case Kind::bn: return BlobCount{2, 4};          // SegNet: scale, shift; PSPNet: mean and variance after them
    case Kind::scale: {
      // With two bottoms the second one is the factor.
      const std::size_t bias = layer.flag("scale_param.bias_term", false) ? 1 : 0;
      return layer.bottoms() > 1 ? exactly(bias) : exactly(1 + bias);
    }
    case Kind::bias: return exactly(layer.bottoms() > 1 ? 0 : 1);
    case Kind::prelu:
    case Kind::normalize: return exactly(1);
    case Kind::lstm: return BlobCount{3, 4};  // of x, bias, (of the static input,) of the hidden state
    case Kind::rnn: return BlobCount{5, 6};
  }
  return std::nullopt;
}

std::vector<std::vector<std::int64_t>> blob_shapes(const Layer& layer, std::string_view type,
                                                   const std::vector<Dims>& bottoms) {
  using Shapes = std::vector<std::vector<std::int64_t>>;
  const Kind kind = kind_of(type);
  const Dims data = bottoms.empty() ? Dims() : bottoms.front();
  const std::int64_t channels = at(data, 1);
  const std::int64_t outputs = output_of(layer, kind);
  Shapes shapes;
  switch (kind) {
    case Kind::none: return {};
    case Kind::convolution:
    case Kind::deconvolution: {
      const std::int64_t group = group_of(layer, type, channels);
      std::vector<std::int64_t> weights = kind == Kind::convolution
                                              ? std::vector<std::int64_t>{outputs, quotient(channels, group)}
                                              : std::vector<std::int64_t>{channels, quotient(outputs, group)};
      for (const std::int64_t size : kernel_of(layer, data)) weights.push_back(size);
      shapes = {weights, {outputs}};
      break;
    }
    case Kind::inner_product: {
      const std::int64_t inputs = product_from(data, layer.integer("inner_product_param.axis", 1));
      const bool transposed = layer.flag("inner_product_param.transpose", false);
      shapes = {transposed ? std::vector<std::int64_t>{inputs, outputs} : std::vector<std::int64_t>{outputs, inputs},
                {outputs}};
      break;
    }
    case Kind::embed: shapes = {{layer.integer("embed_param.input_dim", -1), outputs}, {outputs}}; break;
    case Kind::batch_norm: return {{channels}, {channels}, {1}};
    case Kind::bn: return Shapes(4, {1, channels, 1, 1});
    case Kind::scale: shapes = Shapes(2, parameter_shape(layer, "scale_param.", data)); break;
    case Kind::bias: shapes = {parameter_shape(layer, "bias_param.", data)}; break;
    case Kind::prelu: return {{layer.flag("prelu_param.channel_shared", false) ? 1 : channels}};
    case Kind::normalize: return {{layer.flag("norm_param.channel_shared", true) ? 1 : channels}};
    case Kind::lstm:
    case Kind::rnn: {
      const std::int64_t inputs = product_from(data, 2);
      const std::int64_t rows = kind == Kind::lstm && outputs >= 0 ? product({4, outputs}) : outputs;
      shapes = {{rows, inputs}, {rows}};
      // Bottoms: x, cont, (the static input,) (initial states.)
      const bool exposed = layer.flag("recurrent_param.expose_hidden", false);
      if (layer.bottoms() == (exposed ? 2U : 0U) + 3U && kind == Kind::lstm) {
        shapes.push_back({rows, product_from(bottoms.size() > 2 ? bottoms[2] : Dims(), 1)});
      } else if (kind == Kind::rnn && layer.bottoms() == (exposed ? 1U : 0U) + 3U) {
        shapes.push_back({rows, product_from(bottoms.size() > 2 ? bottoms[2] : Dims(), 1)});
      }
      shapes.push_back({rows, outputs});
      if (kind == Kind::rnn) {
        shapes.push_back({outputs, outputs});
        shapes.push_back({outputs});
      }
      return shapes;
    }
  }
  shapes.resize(std::min(shapes.size(), blob_count(layer, type)->most));
  return shapes;
}

namespace {

/// The layers of a graph that came from the reader.
std::string_view caffe_type(const Node& node) {
  const std::string_view type = node.type();
  return type.starts_with("caffe::") ? type.substr(7) : std::string_view();
}

Dims dims_of(const PartialShape& shape) {
  if (!shape.has_rank()) return std::nullopt;
  std::vector<std::int64_t> dims;
  for (std::size_t i = 0; i < shape.size(); ++i) dims.push_back(shape[i].is_known() ? shape[i].value() : -1);
  return dims;
}

/// Sizes that follow from the layer's own parameters, whatever its input is.
std::optional<Diagnostic> size_problem(const Node& node, const Layer& layer, Kind kind) {
  if (kind != Kind::convolution && kind != Kind::deconvolution && kind != Kind::inner_product) return std::nullopt;
  const std::int64_t outputs = output_of(layer, kind);
  const std::int64_t group = std::max<std::int64_t>(1, layer.integer("convolution_param.group", 1));
  if (outputs <= 0) return std::nullopt;  // the extractor says so
  const auto count_of = [&](std::size_t blob) {
    return node.input(layer.bottoms() + blob).type().shape.element_count().value_or(0);
  };
  const std::int64_t per_output = kind == Kind::deconvolution ? quotient(outputs, group) : outputs;
  const auto wrong = [&](std::size_t blob, std::int64_t count) {
    return node
        .error("MO-CAFFE-0033", "blob {} of layer '{}' has {} values, which do not match num_output {}", blob,
               node.name(), count, outputs)
        .hint("the weights are not those of this topology");
  };
  const std::int64_t weights = count_of(0);
  if (weights == 0 || (per_output > 0 && weights % per_output != 0)) return wrong(0, weights);
  if (layer.blobs() > 1 && count_of(1) != outputs) return wrong(1, count_of(1));
  return std::nullopt;
}

}  // namespace

Expected<void> check_weights(const Graph& graph) {
  constexpr std::size_t kListed = 20;
  std::vector<std::string> without;
  std::vector<Diagnostic> problems;
  for (const Node node : graph.nodes()) {
    const std::string_view type = caffe_type(node);
    if (type.empty()) continue;
    const FrameworkNode view(node);
    const Layer layer(view);
    const auto count = blob_count(layer, type);
    if (view.failure()) {
      problems.push_back(*view.failure());
    } else if (!count || count->most == 0) {
      continue;
    } else if (layer.blobs() == 0) {
      without.emplace_back(node.name());
    } else if (layer.blobs() < count->least || layer.blobs() > count->most) {
      const std::string wanted = count->least == count->most ? std::to_string(count->least)
                                                             : fmt::format("{} to {}", count->least, count->most);
      problems.push_back(
          node.error("MO-CAFFE-0032", "layer '{}' takes {} blobs, the model has {}", node.name(), wanted, layer.blobs())
              .hint("the weights are not those of this topology (bias_term decides on one of them)"));
    } else if (auto problem = size_problem(node, layer, kind_of(type))) {
      problems.push_back(*std::move(problem));
    }
    if (problems.size() == kListed) break;
  }
  if (!without.empty()) {
    const std::size_t total = without.size();
    without.resize(std::min(total, kListed));
    problems.insert(
        problems.begin(),
        error("MO-CAFFE-0031", "{} layer{} no weights: '{}'{}", total, total == 1 ? " has" : "s have",
              fmt::format("{}", fmt::join(without, "', '")),
              total > kListed ? fmt::format(" and {} more", total - kListed) : "")
            .hint("give the .caffemodel that belongs to the topology with --input_model; layers are matched by name. "
                  "--disable_weights puts zeros there"));
  }
  if (!problems.empty()) return Error(std::move(problems));
  return {};
}

Expected<void> add_zero_weights(Graph& graph, const std::vector<std::pair<std::string, PartialShape>>& shapes,
                                const std::vector<std::string>& known_types) {
  std::map<std::uint32_t, Dims> known;  // by value
  std::map<std::uint32_t, Node> lost;   // by value of unknown shape: the layer of unknown type that it comes from
  const std::size_t inputs = graph.parameters().size();
  for (const Node& parameter : graph.parameters()) {
    Dims& dims = known[parameter.output().id().index];
    dims = dims_of(parameter.output().type().shape);
    const auto names = parameter.output().data().tensor_names();
    for (const auto& [name, shape] : shapes)
      if ((name.empty() && inputs == 1) || name == parameter.name() ||
          std::find(names.begin(), names.end(), name) != names.end())
        dims = dims_of(shape);
  }
  std::vector<Node> layers;
  for (const Node node : graph.nodes())
    if (!caffe_type(node).empty()) layers.push_back(node);
  for (const Node& node : layers) {
    const std::string_view type = caffe_type(node);
    const FrameworkNode view(node);
    const Layer layer(view);
    std::vector<Dims> bottoms;
    std::optional<Node> culprit;
    if (!known_types.empty() && !std::ranges::binary_search(known_types, type)) culprit = node;
    for (std::size_t i = 0; i < layer.bottoms(); ++i) {
      const Value source = node.input(i);
      bottoms.push_back(source ? known[source.id().index] : Dims());
      if (source)
        if (const auto from = lost.find(source.id().index); from != lost.end()) culprit = from->second;
    }
    const std::vector<Dims> tops = top_shapes(layer, type, bottoms, node.out_port_count());
    for (std::size_t i = 0; i < node.out_port_count(); ++i) {
      const std::uint32_t top = node.output(i).id().index;
      known[top] = i < tops.size() ? tops[i] : Dims();
      if (culprit && !known[top]) lost.insert_or_assign(top, *culprit);
    }
    const auto count = blob_count(layer, type);
    if (layer.blobs() > 0 || !count || count->most == 0) continue;
    const std::vector<std::vector<std::int64_t>> blobs = blob_shapes(layer, type, bottoms);
    if (view.failure()) return *view.failure();  // a parameter of another kind
    for (std::size_t i = 0; i < blobs.size(); ++i) {
      const std::int64_t elements = product(blobs[i]);
      if ((elements < 0 || !byte_size(ElementType::f32, elements)) && culprit && *culprit != node)
        return culprit
            ->error("MO-CAFFE-0036",
                    "the type {} of layer '{}' is unknown, so the shape of blob {} of layer '{}' cannot be inferred",
                    caffe_type(*culprit), culprit->name(), i, node.name())
            .hint("give the weights with --input_model; then {} can be described with --custom_layers_mapping",
                  caffe_type(*culprit));
      if (elements < 0 || !byte_size(ElementType::f32, elements))
        return node
            .error("MO-CAFFE-0036", "the shape [{}] of blob {} of layer '{}' cannot be inferred",
                   fmt::join(blobs[i], ","), i, node.name())
            .hint("give shapes to all inputs with --input_shape, or the weights with --input_model");
      MO_ASSIGN(Tensor zeros, Tensor::allocate(ElementType::f32, blobs[i]));
      const Node constant = graph.create_constant(std::move(zeros), blob_name(node.name(), i));
      constant.set_origin({.framework = "Caffe", .part = "blob"});
      MO_TRY(node.add_input_port().connect(constant.output()));
    }
    MO_TRY(node.set_attr(kBlobCount, static_cast<std::int64_t>(blobs.size())));
  }
  return {};
}

}  // namespace mo::caffe
