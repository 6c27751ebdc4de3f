#include "ops/build/half_precision.hpp"

#include <algorithm>
#include <cmath>

#include "core/execution/recipe.hpp"
#include "core/tensor/half.hpp"
#include "ops/batch_norm_inference.hpp"
#include "ops/clamp.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::build {
namespace {

constexpr double kLargest = 65504;                 // of f16
constexpr double kSmallest = 5.9604645e-08;        // 2^-24, the smallest denormal
constexpr double kSmallestNormal = 6.1035156e-05;  // 2^-14

struct RangeReport {
  std::int64_t clipped = 0;
  std::int64_t vanished = 0;
  double largest = 0;
};

template <class T>
RangeReport scan(std::span<const T> values) {
  RangeReport report;
  for (const T v : values) {
    const double size = std::abs(static_cast<double>(v));
    if (!std::isfinite(size)) continue;
    if (size > kLargest) ++report.clipped;
    if (size > 0 && size < kSmallest / 2) ++report.vanished;
    report.largest = std::max(report.largest, size);
  }
  return report;
}

/// Whether something divides by the constant, or takes it to a power: there a 0 is far from a small number.
bool needs_every_number(const Value& constant) {
  const auto readers = constant.get_destinations();
  return std::ranges::any_of(readers, [](const InPort& reader) {
    const Node node = reader.node();
    return (node.is<ops::Divide>() && reader.index() == 1) || node.is<ops::Power>() || node.is<ops::Log>() ||
           node.is<ops::BatchNormInference>();
  });
}

}  // namespace

Expected<HalfConstant> compressed_to_f16(const Node& node, const Tensor& tensor, DiagnosticSink& diagnostics) {
  RangeReport report;
  {
    MO_ASSIGN(const Tensor loaded, tensor.load());
    report = tensor.element_type() == ElementType::f64 ? scan(loaded.values<double>()) : scan(loaded.values<float>());
  }
  const Value output = node.output();
  const std::string_view name =
      !node.name().empty() || output.disconnected() ? node.name() : output.get_destinations().front().node().name();
  Tensor source = tensor;
  if (report.clipped > 0) {
    diagnostics.report(
        warning("MO-HALF-0001",
                "{} of {} values of constant '{}' are beyond the range of f16 and are clipped to ±65504 (largest: {})",
                report.clipped, tensor.element_count(), name, report.largest)
            .hint("keep the model in f32 if its results suffer"));
    MO_ASSIGN(source, make_recipe(ops::Clamp{.min = -kLargest, .max = kLargest}, {source}, 1, 0, source.type()));
  }
  // Less than 2^-25 is less than the last bit of a normal number, beside which it makes no difference.
  if (report.vanished > 0 && (report.largest < kSmallestNormal || needs_every_number(output)))
    diagnostics.report(warning("MO-HALF-0002", "{} of {} values of constant '{}' become zero in f16", report.vanished,
                               tensor.element_count(), name)
                           .hint("keep the model in f32 if its results suffer"));
  const TensorType type{ElementType::f16, PartialShape(tensor.shape())};
  MO_ASSIGN(Tensor half, make_recipe(ops::Convert{.destination_type = ElementType::f16}, {source}, 1, 0, type));
  return HalfConstant{std::move(half), report.clipped, report.vanished};
}

}  // namespace mo::build
