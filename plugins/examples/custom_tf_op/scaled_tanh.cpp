#include <cmath>

#include <mo/plugin.hpp>

/// A TensorFlow op of our own, AcmeScaledTanh, and a fusion that finds the same computation where a model spells it
/// out.
namespace acme {

/// alpha * tanh(beta * x)
struct ScaledTanh {
  static constexpr mo::OpId id{"ScaledTanh", "acme"};
  double alpha = 1;
  double beta = 1;
  static constexpr auto attributes =
      mo::Attributes{mo::attr("alpha", &ScaledTanh::alpha), mo::attr("beta", &ScaledTanh::beta)};
  static constexpr mo::OpTraits traits{.elementwise = true};  // any layout of the data will do

  mo::Expected<void> infer(mo::InferContext& ctx) const {
    MO_TRY(ctx.expect_inputs(1));
    ctx.output(0, ctx.input(0));
    return {};
  }

  mo::Expected<void> evaluate(mo::EvalContext& ctx) const {
    if (ctx.input(0).element_type() != mo::ElementType::f32)
      return ctx.error("ACME-0003", "only f32 can be evaluated").hint("convert the data to f32");
    const auto in = ctx.input(0).values<float>();
    const auto out = ctx.output(0).mutable_values<float>();
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = static_cast<float>(alpha * std::tanh(beta * in[i]));
    return {};
  }
};

mo::Expected<mo::Op> extract(const mo::FrameworkNode& node) {
  return ScaledTanh{.alpha = node.required<double>("alpha"), .beta = node.required<double>("beta")};
}

/// The number that a one-element constant holds.
std::optional<double> number(const mo::Value& value) {
  const mo::Tensor* tensor = value.data().value();
  if (!tensor || tensor->element_count() != 1) return std::nullopt;
  const auto reals = mo::to_reals(*tensor);
  return reals ? std::optional(reals->front()) : std::nullopt;
}

/// tanh(x * beta) * alpha -> ScaledTanh(x), for numbers alpha and beta
mo::Pass scaled_tanh_fusion() {
  using namespace mo::pattern;
  const mo::Pat x = any();
  const mo::Pat alpha = constant();
  const mo::Pat beta = constant();
  const mo::Pat inner = (x * beta).one_use();
  const mo::Pat curve = tanh(inner).one_use();

  return mo::rewrite("ScaledTanhFusion")
      .match(curve * alpha)
      .replace([=](const mo::Match& m, mo::Rewriter& rw) -> mo::Replacement {
        const auto a = number(m[alpha]);
        const auto b = number(m[beta]);
        // A constant of higher rank would give the result more dimensions than x has.
        const auto rank = m[x].type().rank();
        if (!a || !b || !rank || m[alpha].type().rank() > rank || m[beta].type().rank() > rank)
          return mo::Replacement::declined();
        return rw.create(ScaledTanh{.alpha = *a, .beta = *b}, m[x]);
      });
}

}  // namespace acme

MO_PLUGIN("acme-tf", "1.0.0", [](mo::Registry& registry) {
  registry.ops().add<acme::ScaledTanh>();
  registry.operators("tf").extract("AcmeScaledTanh", acme::extract);
  registry.passes().add(acme::scaled_tanh_fusion());
});
