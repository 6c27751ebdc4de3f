#include <algorithm>
#include <array>
#include <cmath>

#include "frontends/caffe/ops/support/layer_ports.hpp"

namespace mo::caffe {
namespace {

Expected<Op> eltwise(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms_from(layer, 2));
  MO_TRY(expect_tops(layer, 1));
  node.ignore({"eltwise_param.stable_prod_grad"});
  const std::string operation = layer.text("eltwise_param.operation", "SUM", {"PROD", "SUM", "MAX"});
  if (operation != "PROD" && operation != "SUM" && operation != "MAX")
    return bad_value(layer, "eltwise_param.operation", operation, "one of PROD, SUM, MAX");
  const std::vector<double> coefficients = layer.reals("eltwise_param.coeff");
  if (!coefficients.empty() && coefficients.size() != layer.bottoms())
    return layer.error("MO-CAFFE-0103", "eltwise_param.coeff has {} numbers for {} bottoms", coefficients.size(), layer.bottoms())
        .hint("give one number for each bottom, or none");
  if (!coefficients.empty() && operation != "SUM")
    return layer.error("MO-CAFFE-0103", "eltwise_param.coeff belongs to SUM, the operation is {}", operation).hint("correct the prototxt");
  return layer_op(layer, "CaffeEltwise", {{"operation", operation}, {"coeff", coefficients}});
}

/// The three numbers that Power, Exp and Log have; the last two as well as a base.
Expected<AttributeMap> numbers(const Layer& layer, std::string_view message, std::string_view first, double fallback) {
  AttributeMap made;
  const std::array<std::pair<std::string_view, double>, 3> kNumbers{{{first, fallback}, {"scale", 1}, {"shift", 0}}};
  for (const auto& [name, usual] : kNumbers) {
    const std::string path = fmt::format("{}.{}", message, name);
    const double number = layer.real(path, usual);
    if (!std::isfinite(number)) return bad_value(layer, path, number, "a finite number");
    made.set(name, number);
  }
  return made;
}

Expected<Op> power(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  MO_ASSIGN(AttributeMap attributes, numbers(layer, "power_param", "power", 1));
  return layer_op(layer, "CaffePower", std::move(attributes));
}

/// The natural logarithm of the base, which is -1 for e.
Expected<double> log_of_base(const Layer& layer, const AttributeMap& attributes, std::string_view message) {
  const double base = *attributes.find("base")->get_if<double>();
  if (base == -1) return 1.0;
  if (base > 0) return std::log(base);
  return bad_value(layer, fmt::format("{}.base", message), base, "a positive number, or -1 for e");
}

Expected<Op> exponential(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  MO_ASSIGN(AttributeMap attributes, numbers(layer, "exp_param", "base", -1));
  MO_ASSIGN(const double log_base, log_of_base(layer, attributes, "exp_param"));
  attributes.set("log_base", log_base);
  return layer_op(layer, "CaffeExp", std::move(attributes));
}

Expected<Op> logarithm(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  MO_ASSIGN(AttributeMap attributes, numbers(layer, "log_param", "base", -1));
  MO_ASSIGN(const double log_base, log_of_base(layer, attributes, "log_param"));
  if (log_base == 0) return bad_value(layer, "log_param.base", 1, "a number other than 1");
  attributes.set("log_base", log_base);
  return layer_op(layer, "CaffeLog", std::move(attributes));
}

/// SENet: a * x + y, where `a` has one number for each channel of a sample.
Expected<Op> axpy(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 3));
  MO_TRY(expect_tops(layer, 1));
  return layer_op(layer, "CaffeAxpy");
}

Expected<Op> reduction(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  const std::string operation = layer.text("reduction_param.operation", "SUM", {"", "SUM", "ASUM", "SUMSQ", "MEAN"});
  constexpr std::array<std::string_view, 4> kOperations = {"SUM", "ASUM", "SUMSQ", "MEAN"};
  if (std::find(kOperations.begin(), kOperations.end(), operation) == kOperations.end())
    return bad_value(layer, "reduction_param.operation", operation, "one of SUM, ASUM, SUMSQ, MEAN");
  return layer_op(layer, "CaffeReduction",
                  {{"operation", operation}, {"axis", layer.integer("reduction_param.axis", 0)}, {"coeff", layer.real("reduction_param.coeff", 1)}});
}

}  // namespace

void register_elementwise(OperatorTable& table) {
  table.extract("Eltwise", eltwise);
  table.extract("Power", power);
  table.extract("Exp", exponential);
  table.extract("Log", logarithm);
  table.extract("Axpy", axpy);
  table.extract("Reduction", reduction);
}

}  // namespace mo::caffe
