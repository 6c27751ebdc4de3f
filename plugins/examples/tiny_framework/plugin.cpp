#include "reader.hpp"

/// A framework of its own: a reader, extractors, a replacer, and an op with its layer.
namespace tiny {
namespace {

/// x where x > limit, else 0: an op that no op set of the IR has.
struct Threshold {
  static constexpr mo::OpId id{"Threshold", "tiny"};
  double limit = 0;
  static constexpr auto attributes = mo::Attributes{mo::attr("limit", &Threshold::limit)};
  static constexpr mo::OpTraits traits{.elementwise = true};

  mo::Expected<void> infer(mo::InferContext& ctx) const {
    MO_TRY(ctx.expect_inputs(1));
    ctx.output(0, ctx.input(0));
    return {};
  }
};

/// The numbers of a statement, which must be `count`.
mo::Expected<std::vector<double>> numbers(const mo::FrameworkNode& node, std::size_t count) {
  std::vector<double> found = node.required<std::vector<double>>("numbers");
  if (found.size() != count)
    return node.error("TINY-0004", "got {} numbers, expected {}", found.size(), count)
        .hint("see the example model.tiny");
  return found;
}

mo::Expected<mo::Op> relu(const mo::FrameworkNode& node) {
  MO_TRY(numbers(node, 0));
  return mo::ops::ReLU{};
}

mo::Expected<mo::Op> add(const mo::FrameworkNode& node) {
  MO_TRY(numbers(node, 0));
  return mo::ops::Add{};
}

mo::Expected<mo::Op> threshold(const mo::FrameworkNode& node) {
  MO_ASSIGN(const std::vector<double> limit, numbers(node, 1));
  return Threshold{.limit = limit.front()};
}

/// scale(x) -> x * factor. The factor becomes an input: more than an extractor may do.
mo::Replacement scale(const mo::FrameworkNode& node, mo::Rewriter& rw) {
  MO_ASSIGN(const std::vector<double> factor, numbers(node, 1));
  return rw.create(mo::ops::Multiply{}, node.input(0), rw.scalar(static_cast<float>(factor.front())));
}

}  // namespace
}  // namespace tiny

MO_PLUGIN("tiny", "1.0.0", [](mo::Registry& registry) {
  registry.add(mo::Frontend{"tiny", "Tiny", {".tiny"}, tiny::read});
  registry.ops().add<tiny::Threshold>();
  mo::OperatorTable& operators = registry.operators("tiny");
  operators.extract("relu", tiny::relu);
  operators.extract("add", tiny::add);
  operators.translate("scale", tiny::scale);
  operators.extract("threshold", tiny::threshold);
});
