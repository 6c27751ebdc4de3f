#include "ops/region_yolo.hpp"

#include "onnx_emitter/support/detection.hpp"

namespace mo::onnx_emitter {
namespace {

/// The soft-max along dimension 2 of four. Below op set 13 the operator takes all dimensions from its axis on as one.
Value region_softmax(Translation& t, const Value& scores) {
  if (t.opset >= 13) return t.op("Softmax", {scores}, {{"axis", 2}});
  const std::vector<std::int64_t> order{0, 1, 3, 2};
  return t.transposed(t.op("Softmax", {t.transposed(scores, order)}, {{"axis", 3}}), order);
}

/// As the data, with the dimensions `axis` to `end_axis` as one after a soft-max.
Expected<Value> in_region_shape(Translation& t, const ops::RegionYolo& op, const Value& regions) {
  const PartialShape& shape = t.node.output_type().shape;
  if (const auto known = shape.to_shape()) return t.op("Reshape", {regions, t.integers(*known)});
  const Value whole = t.op("Reshape", {regions, t.op("Shape", {t.input(0)})});
  if (!op.do_softmax) return whole;
  const auto first = normalize_axis(op.axis, 4);
  const auto last = normalize_axis(op.end_axis, 4);
  if (!first || !last || !shape.has_rank()) return t.refused("the rank of its result is unknown");
  std::vector<std::int64_t> target(static_cast<std::size_t>(*first), 0);
  target.push_back(-1);
  for (auto i = static_cast<std::size_t>(*first) + 1; i < shape.size(); ++i) {
    if (!shape[i].is_known()) return t.refused("an unknown size after end_axis");
    target.push_back(shape[i].value());
  }
  return t.op("Reshape", {whole, t.integers(target)});
}

/// [N, regions * entries, H, W] as [N, regions, entries, H * W]: x and y, the other coordinates, the objectness and the
/// classes.
Expected<Outputs> region_yolo(Translation& t) {
  const auto& op = *t.node.as<ops::RegionYolo>();
  const std::int64_t regions = op.do_softmax ? op.num : static_cast<std::int64_t>(op.mask.size());
  const std::int64_t entries = op.coords + op.classes + 1;
  const auto channels = detection::known_size(t, 0, 1);
  if (regions < 1 || (channels && *channels != regions * entries))
    return t.refused("its channels are not those of its regions");
  const bool has_softmax = op.do_softmax && op.classes > 0;
  std::vector<std::int64_t> lengths{2};
  if (op.coords > 2) lengths.push_back(op.coords - 2);
  lengths.push_back(has_softmax ? 1 : entries - op.coords);
  if (has_softmax) lengths.push_back(op.classes);
  Outputs parts = detection::parts(t, detection::reshaped(t, t.input(0), {0, regions, entries, -1}), 2, lengths);
  const std::size_t objectness = op.coords > 2 ? 2 : 1;
  parts[0] = t.op("Sigmoid", {parts[0]});
  parts[objectness] = t.op("Sigmoid", {parts[objectness]});
  if (has_softmax) parts.back() = region_softmax(t, parts.back());
  MO_ASSIGN(const Value whole, in_region_shape(t, op, detection::joined(t, std::move(parts), 2)));
  return Outputs{whole};
}

}  // namespace

void register_region_yolo(OnnxForms& table) { table.add<ops::RegionYolo>(region_yolo); }

}  // namespace mo::onnx_emitter
