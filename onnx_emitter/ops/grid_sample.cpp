#include "ops/grid_sample.hpp"

#include <vector>

#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {
namespace {

using SamplingMode = ops::reference::GridSampleMode;

/// Op set 20 gave two modes other names.
const char* sampling_mode(SamplingMode mode, std::int64_t opset) {
  switch (mode) {
    case SamplingMode::bilinear: return opset >= 20 ? "linear" : "bilinear";
    case SamplingMode::bicubic: return opset >= 20 ? "cubic" : "bicubic";
    case SamplingMode::nearest: break;
  }
  return "nearest";
}

const char* sampling_padding(ops::reference::GridSamplePadding padding) {
  using Padding = ops::reference::GridSamplePadding;
  switch (padding) {
    case Padding::border: return "border";
    case Padding::reflection: return "reflection";
    case Padding::zeros: break;
  }
  return "zeros";
}

/// The elements that samples take along one dimension, and their weights: [N, places] each.
struct GridPlaces {
  std::vector<Value> elements;  ///< i64, inside of the data
  std::vector<Value> weights;   ///< 0 outside
};

/// Back and forth between the ends `low` and `low + span`.
Value reflected_places(Translation& t, const Value& place, double low, const Value& span) {
  const Value zero = t.scalar(ElementType::f32, 0);
  const Value start = t.scalar(ElementType::f32, low);
  const Value distance = t.op("Abs", {t.op("Sub", {place, start})});
  const Value length = t.op("Max", {span, t.scalar(ElementType::f32, 1e-30)});
  const Value turns = t.op("Floor", {t.op("Div", {distance, length})});
  const Value rest = t.op("Sub", {distance, t.op("Mul", {turns, length})});
  const Value is_back = t.op("Mod", {turns, t.scalar(ElementType::f32, 2)}, {{"fmod", 1}});
  const Value there = t.op("Where", {t.op("Greater", {is_back, zero}), t.op("Sub", {length, rest}), rest});
  return t.op("Add", {there, start});
}

/// `coordinates` [N, places] from -1 to 1 along a dimension of `size` (f32) elements.
GridPlaces grid_places(Translation& t, const ops::GridSample& op, const Value& coordinates, const Value& size) {
  const auto number = [&](double value) { return t.scalar(ElementType::f32, value); };
  const Value one = number(1);
  const Value last = t.op("Sub", {size, one});
  const Value from_start = t.op("Add", {coordinates, one});
  const Value scaled =
      op.align_corners ? t.op("Mul", {from_start, last}) : t.op("Sub", {t.op("Mul", {from_start, size}), one});
  Value place = t.op("Mul", {scaled, number(0.5)});
  using Padding = ops::reference::GridSamplePadding;
  if (op.padding_mode == Padding::reflection)
    place = op.align_corners ? reflected_places(t, place, 0, last) : reflected_places(t, place, -0.5, size);
  if (op.padding_mode != Padding::zeros) place = t.op("Max", {t.op("Min", {place, last}), number(0)});
  const bool is_nearest = op.mode == SamplingMode::nearest;
  const Value low = is_nearest ? t.op("Round", {place}) : t.op("Floor", {place});
  const Value part = t.op("Sub", {place, low});
  GridPlaces found;
  for (int corner = 0; corner < (is_nearest ? 1 : 2); ++corner) {
    const Value at = corner == 0 ? low : t.op("Add", {low, one});
    const Value is_outside = t.op("Or", {t.op("Less", {at, number(0)}), t.op("Greater", {at, last})});
    const Value is_there = t.cast(t.op("Not", {is_outside}), ElementType::f32);
    const Value weight = corner == 0 ? t.op("Sub", {one, part}) : part;
    found.weights.push_back(is_nearest ? is_there : t.op("Mul", {weight, is_there}));
    found.elements.push_back(t.cast(t.op("Max", {t.op("Min", {at, last}), number(0)}), ElementType::i64));
  }
  return found;
}

/// Before op set 16: weighted elements of the data, one or four for each place.
Expected<Outputs> grid_sample_by_elements(Translation& t, const ops::GridSample& op) {
  const ElementType given = t.node.input_type(0).element_type;
  if (op.mode == SamplingMode::bicubic || !is_real(given) || given == ElementType::f64) return t.needs_opset(16);
  const auto joined = [&](std::vector<Value> values) { return t.op("Concat", std::move(values), {{"axis", 0}}); };
  const Value data = sizes::typed_input(t, 0, ElementType::f32);
  const Value grid = sizes::typed_input(t, 1, ElementType::f32);
  const Value shape = t.op("Shape", {data});
  const Value places = sizes::part(t, t.op("Shape", {grid}), 0, 1, 3);
  const auto along = [&](std::int64_t which, std::int64_t axis) {
    const Value column = t.op("Gather", {grid, sizes::scalar(t, which)}, {{"axis", 3}});
    const Value flat = t.op("Reshape", {column, joined({sizes::part(t, shape, 0, 0, 1), t.integers({-1})})});
    return grid_places(t, op, flat, t.cast(sizes::part(t, shape, 0, axis, axis + 1), ElementType::f32));
  };
  const GridPlaces x = along(0, 3);
  const GridPlaces y = along(1, 2);
  const Value pixels = t.op("Reshape", {data, joined({sizes::part(t, shape, 0, 0, 2), t.integers({-1})})});
  const Value width = sizes::part(t, shape, 0, 3, 4);
  const Value count = t.op("ReduceProd", {places}, {{"keepdims", 1}});
  const Value index_shape = joined({sizes::part(t, shape, 0, 0, 2), count});
  Value sum;
  for (std::size_t i = 0; i < y.elements.size(); ++i)
    for (std::size_t j = 0; j < x.elements.size(); ++j) {
      const Value place = t.op("Add", {t.op("Mul", {y.elements[i], width}), x.elements[j]});
      const Value index = t.op("Expand", {t.with_axes("Unsqueeze", place, {1}), index_shape});
      const Value weight = t.with_axes("Unsqueeze", t.op("Mul", {y.weights[i], x.weights[j]}), {1});
      const Value part = t.op("Mul", {t.op("GatherElements", {pixels, index}, {{"axis", 2}}), weight});
      sum = sum ? t.op("Add", {sum, part}) : part;
    }
  const Value image = t.op("Reshape", {sum, joined({sizes::part(t, shape, 0, 0, 2), places})});
  return Outputs{given == ElementType::f32 ? image : t.cast(image, given)};
}

/// The op computes in f32, or in f64 for wide integers, and converts the result.
Expected<Outputs> grid_sample(Translation& t) {
  const auto& op = *t.node.as<ops::GridSample>();
  if (t.opset < 16) return grid_sample_by_elements(t, op);
  const ElementType given = t.node.input_type(0).element_type;
  if (!is_real(given) && op.mode == SamplingMode::bicubic)
    return t.refused("cubic interpolation of integers, whose results need not fit into their type");
  const bool is_wide = given == ElementType::f64 || (is_integral(given) && bit_width(given) > 16);
  const ElementType type = is_wide ? ElementType::f64 : ElementType::f32;
  const Value sampled = t.op("GridSample", {sizes::typed_input(t, 0, type), sizes::typed_input(t, 1, type)},
                             {{"mode", sampling_mode(op.mode, t.opset)},
                              {"padding_mode", sampling_padding(op.padding_mode)},
                              {"align_corners", op.align_corners ? 1 : 0}});
  return Outputs{given == type ? sampled : t.cast(sampled, given)};
}

}  // namespace

void register_grid_sample(OnnxForms& table) { table.add<ops::GridSample>(grid_sample); }

}  // namespace mo::onnx_emitter
