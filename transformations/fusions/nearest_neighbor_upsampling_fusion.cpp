#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/interpolate.hpp"
#include "ops/pattern.hpp"
#include "ops/reshape.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

/// Factors for dimensions 1, 2 … when `ones` of ones stretches x with a dimension of 1 after each of them: x [N, D1, …,
/// C], between [N, D1, 1, …, C], ones [1, 1, s1, …, 1], result [N, D1 * s1, …, C].
std::optional<std::vector<std::int64_t>> stretched_by(const Shape& in, const Shape& between, const Shape& ones,
                                                      const Shape& out) {
  if (in.size() < 3 || out.size() != in.size()) return std::nullopt;
  const std::size_t spatial = in.size() - 2;
  if (between.size() != 2 + 2 * spatial || ones.size() != between.size()) return std::nullopt;
  if (between.front() != in.front() || between.back() != in.back() || ones.front() != 1 || ones.back() != 1 ||
      out.front() != in.front() || out.back() != in.back())
    return std::nullopt;
  std::vector<std::int64_t> factors;
  for (std::size_t i = 0; i < spatial; ++i) {
    const std::int64_t factor = ones[2 + 2 * i];
    if (between[1 + 2 * i] != in[1 + i] || between[2 + 2 * i] != 1 || ones[1 + 2 * i] != 1 ||
        out[1 + i] != in[1 + i] * factor)
      return std::nullopt;
    factors.push_back(factor);
  }
  return factors;
}

}  // namespace

void register_nearest_neighbor_upsampling_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any().static_shape();
  const Pat split = op<ops::Reshape>(x, any());
  const Pat ones = constant();
  const Pat root = op<ops::Reshape>(split * ones, any());
  passes.offer(
      rewrite("NearestNeighborUpsamplingFusion")
          .described(
              "Reshape(Reshape(x) * ones)", "Interpolate.v4(x) {nearest}",
              "static shapes; x is [N, D1, …, C], and a dimension of 1 after each D is stretched by a constant of ones")
          .match(root)
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            const auto in = m[x].type().shape.to_shape();
            const auto between = m[split].type().shape.to_shape();
            const auto out = m.root().type().shape.to_shape();
            const auto factors =
                in && between && out ? stretched_by(*in, *between, shape_of_constant(m[ones]), *out) : std::nullopt;
            if (!factors) return declined("the shapes are not those of an upsampling");
            const auto numbers = constant_reals_of(m[ones]);
            if (!numbers || !std::all_of(numbers->begin(), numbers->end(), [](double v) { return v == 1; }))
              return declined("the constant is not of ones");
            std::vector<std::int64_t> sizes;
            std::vector<std::int64_t> axes;
            for (std::size_t i = 0; i < factors->size(); ++i) {
              axes.push_back(static_cast<std::int64_t>(i) + 1);
              sizes.push_back((*out)[i + 1]);
            }
            ops::v4::Interpolate made;
            made.mode = ops::v4::InterpolateMode::nearest;
            made.shape_calculation_mode = ops::InterpolateShapeMode::scales;
            made.pads_begin.assign(in->size(), 0);
            made.pads_end = made.pads_begin;
            const Value scales =
                reals_like(rw, {}, {static_cast<std::int64_t>(factors->size())}, {factors->begin(), factors->end()});
            return rw.create(made, m[x], rw.integers(sizes), scales, rw.integers(axes));
          }));
}

}  // namespace mo::transformations
