#include "core/op/layout_rule.hpp"
#include "graph_transforms/engine/matching.hpp"
#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/support/constants.hpp"

namespace mo::graph_transforms {
namespace {

/// What a normalisation is spelled out of.
struct Normalisation {
  Value x, gamma, beta, mean, variance;
  double epsilon = 0;
  std::vector<Node> arithmetic;  ///< nodes that are not needed any more, readers first
};

/// The operand of `product` that is not `factor`; empty when neither or both are.
Value other_operand(const Node& product, const Value& factor) {
  if (op_of(product) != "Mul" || product.in_port_count() != 2 || product.input(0) == product.input(1)) return {};
  if (product.input(0) == factor) return product.input(1);
  return product.input(1) == factor ? product.input(0) : Value();
}

/// scale = Rsqrt(variance + epsilon) * gamma.
bool read_scale(const Node& scale, Normalisation& found) {
  if (op_of(scale) != "Mul" || scale.in_port_count() != 2) return false;
  for (std::size_t i = 0; i < 2; ++i) {
    const Node root = scale.input(i).node();
    const Node gamma = scale.input(1 - i).node();
    if (op_of(root) != "Rsqrt" || op_of(gamma) != "Const") continue;
    const Node sum = root.input(0).node();
    if (!is_op_of(op_of(sum), "Add|AddV2") || sum.in_port_count() != 2) return false;
    const std::optional<double> epsilon = single_number_in(sum.input(1).node());
    if (!epsilon) return false;
    found.gamma = gamma.output();
    found.variance = sum.input(0);
    found.epsilon = *epsilon;
    found.arithmetic.insert(found.arithmetic.end(), {scale, root, sum});
    return true;
  }
  return false;
}

/// x * scale + (beta - mean * scale), the sum and the products in either order.
std::optional<Normalisation> read_normalisation(const Node& sum) {
  if (sum.in_port_count() != 2) return std::nullopt;
  for (std::size_t i = 0; i < 2; ++i) {
    const Node scaled = sum.input(i).node();
    const Node shift = sum.input(1 - i).node();
    if (op_of(scaled) != "Mul" || op_of(shift) != "Sub" || op_of(shift.input(0).node()) != "Const") continue;
    const Node scaled_mean = shift.input(1).node();
    for (const InPort& operand : scaled.in_ports()) {
      const Value scale = operand.get_source();
      Normalisation found;
      found.x = other_operand(scaled, scale);
      found.mean = other_operand(scaled_mean, scale);
      found.beta = shift.input(0);
      found.arithmetic = {scaled, shift, scaled_mean};
      if (found.x && found.mean && read_scale(scale.node(), found)) return found;
    }
  }
  return std::nullopt;
}

/// Whether the tensor certainly has four dimensions, channels last: what FusedBatchNorm takes.
bool is_image(Value x) {
  while (is_op_of(op_of(x.node()), "Relu|Relu6|BiasAdd|Identity|MaxPool|AvgPool") && x.node().in_port_count() > 0) {
    if (x.node().attr<std::string>("data_format").value_or("NHWC") != "NHWC") return false;
    x = x.node().input(0);
  }
  return is_op_of(op_of(x.node()), "Conv2D|DepthwiseConv2dNative|Conv2DBackpropInput|FusedBatchNorm") &&
         x.node().attr<std::string>("data_format").value_or("NHWC") == "NHWC";
}

/// Whether the constants are vectors of one length: one number for each channel.
bool are_by_channel(const Normalisation& norm) {
  std::optional<Shape> shape;
  for (const Value& value : {norm.gamma, norm.beta, norm.mean, norm.variance}) {
    const std::optional<Tensor> tensor = value.node().attr<Tensor>("value");
    if (!tensor || tensor->element_type() != ElementType::f32 || tensor->rank() != 1 ||
        (shape && tensor->shape() != *shape))
      return false;
    shape = tensor->shape();
  }
  return true;
}

Expected<bool> fold_arithmetic(const NodeMatch& match, GraphEditor& editor) {
  const Node sum = match.node;
  const std::optional<Normalisation> found = read_normalisation(sum);
  if (!found) return false;
  const bool is_constant = op_of(found->mean.node()) == "Const" && op_of(found->variance.node()) == "Const";
  // Of constants on tensors of other ranks fold_constants and fold_batch_norms make what is best.
  if (is_constant && !(is_image(found->x) && are_by_channel(*found))) return false;
  AttributeMap attributes{{"T", sum.has_attr("T") ? sum.attribute("T") : AttributeValue(ElementType::f32)},
                          {"epsilon", found->epsilon}};
  if (is_constant) {
    attributes.set("is_training", false);
    attributes.set("data_format", "NHWC");
  }
  const Node norm = editor.create(
      is_constant ? "FusedBatchNorm" : "InstanceNorm", editor.free_name(std::string(sum.name()) + "_norm"),
      {found->x, found->gamma, found->beta, found->mean, found->variance}, std::move(attributes), is_constant ? 5 : 1);
  editor.replace(sum, norm);
  editor.erase_unneeded(found->arithmetic);
  return true;
}

}  // namespace

/// x * scale + (beta - mean * scale), scale = Rsqrt(variance + epsilon) * gamma -> one normalisation (x, gamma, beta,
/// mean, variance): FusedBatchNorm where the statistics are constant and x is an image, which fold_old_batch_norms can
/// fold further; InstanceNorm where they are computed. TensorFlow has no InstanceNorm: it is for programs that have
/// one.
void register_fold_batch_norms_algebraic(TransformRegistry& registry) {
  registry.register_transform("fold_batch_norms_algebraic",
                              [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
                                GraphEditor editor(graph, context);
                                MO_TRY(replace_all_matching_op_types(editor, {"Add|AddV2", {}}, fold_arithmetic));
                                return {};
                              });
  registry.describe("fold_batch_norms_algebraic", {"Turns x * scale + (beta - mean * scale) into FusedBatchNorm, or "
                                                   "into InstanceNorm where the statistics are computed",
                                                   {}});
}

}  // namespace mo::graph_transforms
