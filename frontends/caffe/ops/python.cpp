#include <array>
#include <cmath>

#include "frontends/caffe/ops/support/layer_checks.hpp"
#include "frontends/caffe/ops/support/python_parameters.hpp"

namespace mo::caffe {
namespace {

/// Rows of Python layers are named "Python.<module>.<layer>".
constexpr std::string_view kPython = "Python";

/// A parameter and its names in `param_str`.
struct ProposalParameter {
  std::string_view name;
  std::string_view alias;
  std::vector<double> fallback;
  bool is_list = false;
};

/// Region proposals of py-faster-rcnn and its followers. What param_str does not say is the test configuration of the project.
Expected<Op> extract_proposal_layer(const FrameworkNode& node, double pre_nms_topn, double post_nms_topn, double overlap) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 3, 3));
  auto given = PythonParameterReader(layer.text("python_param.param_str", "")).read();
  if (!given) return layer.error(given.error().first().code, "{}", given.error().first().message).hint("{}", given.error().first().hint_text);
  const std::array<ProposalParameter, 8> known = {{{"feat_stride", "", {16}},
                                                   {"base_size", "", {16}},
                                                   {"min_size", "", {16}},
                                                   {"ratio", "ratios", {0.5, 1, 2}, true},
                                                   {"scale", "scales", {8, 16, 32}, true},
                                                   {"pre_nms_topn", "", {pre_nms_topn}},
                                                   {"post_nms_topn", "", {post_nms_topn}},
                                                   {"nms_thresh", "", {overlap}}}};
  AttributeMap attributes;
  for (const ProposalParameter& parameter : known) {
    std::vector<double> numbers = parameter.fallback;
    for (const std::string_view name : {parameter.name, parameter.alias})
      if (const auto found = given->find(name); found != given->end()) {
        numbers = std::move(found->second);
        given->erase(found);
      }
    const bool whole = !parameter.is_list && parameter.name != "nms_thresh";
    bool fits = !numbers.empty() && (parameter.is_list || numbers.size() == 1);
    for (const double number : numbers)
      fits = fits && std::isfinite(number) && number > 0 && number <= static_cast<double>(kLargestSize) && (!whole || number == std::floor(number));
    if (!fits)
      return layer.error("MO-CAFFE-0261", "param_str: {} has no possible value", parameter.name)
          .hint("it is {} above 0", parameter.is_list ? "a list of numbers"
                                    : whole           ? "a whole number"
                                                      : "a number");
    if (parameter.is_list)
      attributes.set(parameter.name, numbers);
    else if (whole)
      attributes.set(parameter.name, static_cast<std::int64_t>(numbers.front()));
    else
      attributes.set(parameter.name, numbers.front());
  }
  if (!given->empty())
    return layer.error("MO-CAFFE-0261", "param_str: {} is not known", given->begin()->first)
        .hint("known are feat_stride, base_size, min_size, ratios, scales, pre_nms_topn, post_nms_topn, nms_thresh");
  return front_op("CaffeProposal", std::move(attributes));
}

}  // namespace

/// Layers that are classes of Python: each module and class that can be expressed has a row of its own, "Python.<module>.<layer>", which
/// extensions add to.
void register_python(OperatorTable& table) {
  table.extract("Python", [rows = &table](const FrameworkNode& node) -> Expected<Op> {
    const Layer layer(node);
    node.ignore({"python_param.share_in_parallel"});
    const std::string module = layer.text("python_param.module", "");
    const std::string type = layer.text("python_param.layer", "");
    const auto* row = rows->find(fmt::format("{}.{}.{}", kPython, module, type), node.version());
    if (row) return row->extract(node);
    return layer.error("MO-CAFFE-0262", "the layer is a Python program: class {} of module {}", type, module)
        .hint("add an extension that extracts \"{}.{}.{}\", or cut the model there with --input or --output", kPython, module, type);
  });
  table.extract("Python.rpn.proposal_layer.ProposalLayer", [](const FrameworkNode& node) { return extract_proposal_layer(node, 6000, 300, 0.7); });
  table.extract("Python.SSH.layers.proposal_layer.ProposalLayer",
            [](const FrameworkNode& node) { return extract_proposal_layer(node, 1000, 1000, 1.0); });
}

}  // namespace mo::caffe
