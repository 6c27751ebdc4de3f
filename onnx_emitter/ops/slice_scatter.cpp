#include "onnx_emitter/support/sizes.hpp"
#include "ops/slice.hpp"

namespace mo::onnx_emitter {
namespace {

/// The same Slice of the places 0, 1, … of all elements says where the updates go.
Expected<Outputs> slice_scatter(Translation& t) {
  const Value shape = t.op("Shape", {t.input(0)});
  const Value count = t.op("ReduceProd", {shape}, {{"keepdims", 0}});
  const Value places = t.op("Reshape", {sizes::counted(t, count), shape});
  std::vector<Value> slice{places, t.input_vector(2), t.input_vector(3)};
  Value axes = t.input(5) ? t.input_vector(5) : Value();
  if (!axes) {
    const Value bounds = t.op("Gather", {t.op("Shape", {slice[1]}), sizes::scalar(t, 0)}, {{"axis", 0}});
    axes = sizes::counted(t, bounds);
  }
  slice.push_back(axes);
  slice.push_back(t.input_vector(4));
  const Value all = t.integers({-1});
  const Value changed = t.op("Reshape", {t.op("Slice", std::move(slice)), all});
  const Value data = t.op("Reshape", {t.input(0), all});
  const Value updates = t.op("Reshape", {t.input(1), all});
  return Outputs{t.op("Reshape", {t.op("ScatterElements", {data, changed, updates}, {{"axis", 0}}), shape})};
}

}  // namespace

void register_slice_scatter(OnnxForms& table) { table.add<ops::SliceScatter>(slice_scatter); }

}  // namespace mo::onnx_emitter
