#include "ops/psroi_pooling.hpp"

#include "onnx_emitter/support/region_sampling.hpp"
#include "onnx_emitter/support/rounding.hpp"

namespace mo::onnx_emitter {
namespace {

/// What bins take along one dimension.
struct BinElements {
  Value weights;  ///< [bins, R, 1, size]: 1 or 0
  Value counts;   ///< [bins, R]
};

/// Elements floor(begin + bin * size) to ceil(begin + (bin + 1) * size) - 1, as far as there are such.
BinElements bin_elements(Translation& t, const ops::PSROIPooling& op, const Value& regions, std::int64_t low,
                         std::int64_t axis) {
  const Value scale = detection::real(t, op.spatial_scale);
  const auto whole = [&](std::int64_t which) {
    return rounded_away(t, regions::column(t, regions, which), ElementType::f32);
  };
  const Value begin = t.op("Mul", {whole(low), scale});  // [R, 1]
  const Value end = t.op("Mul", {t.op("Add", {whole(low + 2), detection::real(t, 1)}), scale});
  const Value size = t.op("Div", {t.op("Sub", {end, begin}), detection::real(t, static_cast<double>(op.group_size))});
  const Value bins = regions::counted(t, op.group_size, 2);  // [bins, 1, 1]
  const Value next = t.op("Add", {bins, detection::real(t, 1)});
  const Value first = t.op("Floor", {t.op("Add", {begin, t.op("Mul", {bins, size})})});
  const Value last = t.op("Ceil", {t.op("Add", {begin, t.op("Mul", {next, size})})});  // [bins, R, 1]
  const Value elements = regions::elements(t, axis);
  const Value is_taken = t.op("And", {t.op("Not", {t.op("Less", {elements, first})}), t.op("Less", {elements, last})});
  const Value taken = t.cast(is_taken, ElementType::f32);  // [bins, R, size]
  return {t.with_axes("Unsqueeze", taken, {2}), t.with_axes("ReduceSum", taken, {2}, {{"keepdims", 0}})};
}

/// The mean of what a bin takes of its own channel.
Value psroi_average(Translation& t, const ops::PSROIPooling& op, const Value& data, const Value& regions) {
  const BinElements rows = bin_elements(t, op, regions, 2, 2);
  const BinElements columns = bin_elements(t, op, regions, 1, 3);
  const Value sums = regions::weighted_sums(t, t.transposed(data, {2, 3, 0, 4, 1, 5}),
                                            regions::of_images(t, rows.weights, regions), columns.weights);
  const Value by_region = t.transposed(t.with_axes("Squeeze", sums, {3, 5}), {2, 3, 0, 1});
  const Value counts = t.op("Mul", {t.with_axes("Unsqueeze", t.transposed(rows.counts, {1, 0}), {1, 3}),
                                    t.with_axes("Unsqueeze", t.transposed(columns.counts, {1, 0}), {1, 2})});
  return t.op("Div", {by_region, t.op("Max", {counts, detection::real(t, 1)})});
}

/// Weights of the samples of each spatial bin: [spatial bins, R, bins, size].
Value psroi_samples(Translation& t, const ops::PSROIPooling& op, const Value& regions, std::int64_t low,
                    std::int64_t axis, std::int64_t spatial_bins) {
  const Value scale = detection::real(t, op.spatial_scale);
  const Value begin = t.op("Mul", {regions::column(t, regions, low), scale});  // [R, 1]
  const Value end = t.op("Mul", {regions::column(t, regions, low + 2), scale});
  const Value size = t.op("Div", {t.op("Sub", {end, begin}), detection::real(t, static_cast<double>(spatial_bins))});
  const Value start = t.op("Add", {begin, t.op("Mul", {regions::counted(t, spatial_bins, 2), size})});
  const Value count = regions::size_of_data(t, axis);
  const Value last = t.op("Sub", {count, detection::real(t, 1)});
  Value places;  // [spatial bins, R, bins]
  if (op.group_size == 1) {
    const Value middle = t.op("Add", {t.op("Add", {start, start}), size});
    places = t.op("Mul", {t.op("Mul", {middle, last}), detection::real(t, 0.5)});
  } else {
    const Value step =
        t.op("Div", {t.op("Mul", {size, last}), detection::real(t, static_cast<double>(op.group_size - 1))});
    const Value moved = t.op("Mul", {regions::counted(t, op.group_size), step});
    places = t.op("Add", {moved, t.op("Mul", {start, last})});
  }
  const Value is_inside =
      t.op("And", {t.op("Not", {t.op("Less", {places, detection::real(t, 0)})}), t.op("Less", {places, count})});
  return regions::linear_weights(t, axis, places, is_inside);
}

/// The mean of one sample of each spatial bin, which has channels of its own.
Value psroi_bilinear(Translation& t, const ops::PSROIPooling& op, const Value& data, const Value& regions) {
  const Value rows = psroi_samples(t, op, regions, 2, 2, op.spatial_bins_y);
  const Value columns = psroi_samples(t, op, regions, 1, 3, op.spatial_bins_x);
  const Value sums =
      regions::weighted_sums(t, t.transposed(data, {1, 2, 0, 4, 3, 5}), regions::of_images(t, rows, regions), columns);
  const Value mean = t.with_axes("ReduceMean", sums, {0, 1}, {{"keepdims", 0}}, 18);
  return t.transposed(mean, {0, 2, 1, 3});
}

Expected<Outputs> psroi_pooling(Translation& t) {
  const auto& op = *t.node.as<ops::PSROIPooling>();
  const bool is_average = op.mode == "average";
  const Value shape = t.op("Shape", {t.input(0)});
  const std::vector<std::int64_t> channels =
      is_average ? std::vector<std::int64_t>{op.output_dim, op.group_size, op.group_size}
                 : std::vector<std::int64_t>{op.spatial_bins_y, op.spatial_bins_x, op.output_dim};
  const Value cut =
      detection::joined(t, {sizes::part(t, shape, 0, 0, 1), t.integers(channels), sizes::part(t, shape, 0, 2, 4)}, 0);
  const Value data = t.op("Reshape", {detection::in_f32(t, 0), cut});
  const Value regions = detection::in_f32(t, 1);
  const Value pooled = is_average ? psroi_average(t, op, data, regions) : psroi_bilinear(t, op, data, regions);
  return Outputs{detection::as_output(t, pooled)};
}

}  // namespace

void register_psroi_pooling(OnnxForms& table) { table.add<ops::PSROIPooling>(psroi_pooling); }

}  // namespace mo::onnx_emitter
