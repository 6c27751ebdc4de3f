#include <cmath>

#include <mo/plugin.hpp>

/// An operator of our own ONNX domain, com.acme::RmsNorm, with its inference, its evaluation, its layer in the IR, and
/// what is written of it with --to onnx.
namespace acme {

/// data / sqrt(mean of data² along the last axis + epsilon) * gamma, where gamma has one number for each element of
/// that axis.
struct RmsNorm {
  static constexpr mo::OpId id{"RmsNorm", "acme"};  // <layer type="RmsNorm" version="acme">
  double epsilon = 1e-5;
  static constexpr auto attributes = mo::Attributes{mo::attr("epsilon", &RmsNorm::epsilon)};

  mo::Expected<void> infer(mo::InferContext& ctx) const {
    MO_TRY(ctx.expect_inputs(2));
    MO_TRY(ctx.expect_rank(1, 1, 1));
    const mo::TensorType& data = ctx.input(0);
    const auto rank = data.rank();
    if (rank == 0)
      return ctx.error("ACME-0001", "the data is a scalar, there is no axis to normalise").hint("check the model");
    const mo::PartialShape& gamma = ctx.input_shape(1);
    if (rank && gamma.has_rank() && !data.shape[data.shape.size() - 1].compatible(gamma[0]))
      return ctx
          .error("ACME-0002", "gamma has {} elements, the last axis of the data has {}", gamma[0].to_string(),
                 data.shape[data.shape.size() - 1].to_string())
          .hint("check the model");
    ctx.output(0, data);
    return {};
  }

  mo::Expected<void> evaluate(mo::EvalContext& ctx) const {
    const mo::Tensor& data = ctx.input(0);
    if (data.element_type() != mo::ElementType::f32 || ctx.input(1).element_type() != mo::ElementType::f32)
      return ctx.error("ACME-0003", "only f32 can be evaluated").hint("convert the data to f32");
    const auto in = data.values<float>();
    const auto gamma = ctx.input(1).values<float>();
    const auto out = ctx.output(0).mutable_values<float>();
    const std::size_t width = gamma.size();  // infer has compared it with the last axis
    for (std::size_t row = 0; width != 0 && row + width <= in.size(); row += width) {
      double squares = 0;
      for (std::size_t i = 0; i < width; ++i) squares += double{in[row + i]} * in[row + i];
      const double scale = 1 / std::sqrt(squares / static_cast<double>(width) + epsilon);
      for (std::size_t i = 0; i < width; ++i) out[row + i] = static_cast<float>(in[row + i] * scale * gamma[i]);
    }
    return {};
  }
};

mo::Expected<mo::Op> extract(const mo::FrameworkNode& node) {
  return RmsNorm{.epsilon = node.attr<double>("epsilon", 1e-5)};
}

/// In standard operators, which every engine knows. The operator of our domain again would be
/// `t.custom_ops("com.acme", "RmsNorm", 1, t.inputs(), 1, {{"epsilon", epsilon}})`.
mo::Expected<mo::Outputs> onnx_form(mo::onnx_emitter::Translation& t) {
  const mo::Value data = t.input(0);
  const mo::Value epsilon = t.scalar(mo::ElementType::f32, t.node.as<RmsNorm>()->epsilon);
  const mo::Value square = t.op("Mul", {data, data});
  // ReduceMean takes its axes as an input since op set 18.
  const mo::Value mean = t.with_axes("ReduceMean", square, {-1}, {{"keepdims", 1}}, 18);
  const mo::Value root = t.op("Sqrt", {t.op("Add", {mean, epsilon})});
  return mo::Outputs{t.op("Mul", {t.op("Div", {data, root}), t.input(1)})};
}

}  // namespace acme

MO_PLUGIN("acme-onnx", "1.0.0", [](mo::Registry& registry) {
  registry.ops().add<acme::RmsNorm>();
  registry.operators("onnx").extract("com.acme::RmsNorm", mo::since(1), acme::extract);
  registry.onnx_forms().add<acme::RmsNorm>(acme::onnx_form);
});
