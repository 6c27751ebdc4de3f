#pragma once

#include <vector>

#include "core/registry/pass_registry.hpp"
#include "extensions/config/config_replacement.hpp"
#include "extensions/object_detection/pipeline_config.hpp"
#include "ops/build/lengths.hpp"
#include "ops/detection_output.hpp"

/// What the replacers for detectors share: parts of post-processing, said in
/// ops of the IR.
namespace mo::object_detection {

using build::shape_of;
using build::slice_along;

/// The constant at the start of nodes that only pass it on; null for anything else.
const Tensor* constant_of(Value value);

/// What TensorFlow's operators (extracted or not) and ops do with two tensors.
enum class Arithmetic { none, add, subtract, multiply, divide };
Arithmetic arithmetic_of(const Node& node);

/// Reshape with special zeros: 0 copies a dimension, -1 is what is left.
Value reshaped(Rewriter& rw, const Value& x, const std::vector<std::int64_t>& shape);
/// [N, …] -> [N, all others].
inline Value rows(Rewriter& rw, const Value& x) { return reshaped(rw, x, {0, -1}); }

/// Elements of `axis` in another order.
Value picked(Rewriter& rw, const Value& x, const std::vector<std::int64_t>& order, std::int64_t axis);
/// TensorFlow writes boxes as y, x, y, x (or y, x, height, width), the IR as x,
/// y, x, y: [-1, 4] in the other order.
inline Value swapped_coordinates(Rewriter& rw, const Value& boxes) { return picked(rw, boxes, {1, 0, 3, 2}, -1); }

/// Boxes [P, 4] in the order of the IR, and one row of four variances for all:
/// priors [1, 2, 4 * P].
Value priors_of(Rewriter& rw, const Value& boxes, const std::vector<double>& variances);

/// Boxes of these sizes, in pixels, around each place of `features` over `image`, both with channels last: priors [1,
/// 2, 4 * P], in parts of the image.
Value clustered_priors(Rewriter& rw, const Value& features, const Value& image, std::vector<double> widths,
                       std::vector<double> heights, const std::vector<double>& variances);

/// Thresholds and limits as the pipeline and the custom attributes say.
Expected<ops::DetectionOutput> detection_output(const PipelineConfig& pipeline, const AttributeMap& custom);

/// Calls the node and its tensor as the original tool does, by which programs read results: "DetectionOutput", and
/// "DetectionOutput:0" as well.
void name_output(const Value& output, std::string_view name);
/// The same for what takes the place of the first output of the match, whose names would describe another tensor.
void name_replacement(const SubgraphMatch& match, const Value& output, std::string_view name);

/// Removes the Results that read matched nodes which are not outputs of the match, so that nothing keeps the old
/// sub-graph.
void drop_inner_results(const SubgraphMatch& match);

/// The Parameter that images enter through. Error MO-CONFIG-0210 when there is
/// none of the usual names.
Expected<Node> image_input(Graph& graph);

/// Gives the image input the size that the pipeline's resizer makes of all images, unless the user (or the model)
/// specifies one. Errors: MO-CONFIG-0210, MO-CONFIG-0211 (the pipeline has no resizer that fixes a size).
Expected<void> fix_image_size(Graph& graph, const PipelineConfig& pipeline, PassContext& context);

/// Output 0 of the node that a configuration names. Error MO-CONFIG-0230: there is none.
Expected<Value> named_output(const Graph& graph, const std::string& name);

/// A custom attribute that must be there. Error MO-CONFIG-0202.
template <class T>
Expected<T> required_attribute(const AttributeMap& custom, std::string_view name) {
  const AttributeValue* value = custom.find(name);
  if (!value)
    return error("MO-CONFIG-0202", "the configuration does not define {}", name)
        .hint("add \"{}\" to \"custom_attributes\" of the JSON configuration", name);
  auto decoded = AttributeCodec<T>::decode(*value);
  if (!decoded)
    return error("MO-CONFIG-0204", "{}: {}", name, decoded.error().first().message)
        .hint("correct \"custom_attributes\" of the JSON configuration");
  return *std::move(decoded);
}
/// The same for a list of lists.
Expected<AttributeList> required_list(const AttributeMap& custom, std::string_view name);
template <class T>
Expected<T> attribute_or(const AttributeMap& custom, std::string_view name, T fallback) {
  if (!custom.contains(name)) return fallback;
  return required_attribute<T>(custom, name);
}

}  // namespace mo::object_detection
