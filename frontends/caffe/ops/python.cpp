#include <algorithm>
#include <cmath>

#include "frontends/caffe/ops/support/proposal.hpp"
#include "frontends/caffe/ops/support/python_parameters.hpp"

namespace mo::caffe {
namespace {

/// Rows of Python layers are named "Python.<module>.<layer>".
constexpr std::string_view kPython = "Python";

constexpr const char* kInTraining = "how several processes share the layer in training";

/// Takes parameters out of what `param_str` says.
class GivenParameters {
 public:
  GivenParameters(const Layer& layer, PythonParameters given) : layer_(layer), given_(std::move(given)) {}

  /// Error MO-CAFFE-0261 unless the value is a number above 0 and, with `whole`, an integer.
  Expected<double> number(std::string_view name, double fallback, bool whole) {
    MO_ASSIGN(const std::vector<double> numbers, take(name, name, {fallback}));
    const bool fits = numbers.size() == 1 && is_possible(numbers.front()) &&
                      (!whole || numbers.front() == std::floor(numbers.front()));
    return fits ? Expected<double>(numbers.front()) : impossible(name, whole ? "a whole number" : "a number");
  }
  Expected<std::int64_t> size(std::string_view name, std::int64_t fallback) {
    MO_ASSIGN(const double size, number(name, static_cast<double>(fallback), true));
    return static_cast<std::int64_t>(size);
  }
  Expected<std::vector<double>> list(std::string_view name, std::string_view alias, std::vector<double> fallback) {
    MO_ASSIGN(std::vector<double> numbers, take(name, alias, std::move(fallback)));
    if (numbers.empty() || !std::all_of(numbers.begin(), numbers.end(), is_possible))
      return impossible(name, "a list of numbers");
    return numbers;
  }
  /// Error MO-CAFFE-0261 when something is left.
  Expected<void> expect_none_left() const {
    if (given_.empty()) return {};
    return layer_.error("MO-CAFFE-0261", "param_str: {} is not known", given_.begin()->first)
        .hint("known are feat_stride, base_size, min_size, ratios, scales, pre_nms_topn, post_nms_topn, nms_thresh");
  }

 private:
  static bool is_possible(double number) {
    return std::isfinite(number) && number > 0 && number <= static_cast<double>(kLargestSize);
  }
  Diagnostic impossible(std::string_view name, std::string_view what) const {
    return layer_.error("MO-CAFFE-0261", "param_str: {} has no possible value", name).hint("it is {} above 0", what);
  }
  Expected<std::vector<double>> take(std::string_view name, std::string_view alias, std::vector<double> fallback) {
    for (const std::string_view spelling : {name, alias}) {
      const auto found = given_.find(spelling);
      if (found == given_.end()) continue;
      fallback = std::move(found->second);
      given_.erase(found);
    }
    return fallback;
  }

  const Layer& layer_;
  PythonParameters given_;
};

/// What py-faster-rcnn and its followers take when param_str does not say it: the test configuration of the project.
struct ProposalDefaults {
  std::int64_t pre_nms_topn;
  std::int64_t post_nms_topn;
  double nms_thresh;
};

/// Region proposals of py-faster-rcnn and its followers.
Replacement proposal_layer(const FrameworkNode& node, Rewriter& rw, const ProposalDefaults& defaults) {
  const Layer layer(node);
  node.ignore({"python_param.share_in_parallel"}, kInTraining);
  node.ignore({"python_param.module", "python_param.layer"}, "they make the name of the operator");
  MO_TRY(expect_bottoms(layer, 3, 3));
  auto parameters = PythonParameterReader(layer.text("python_param.param_str", "")).read();
  if (!parameters) {
    const Diagnostic& first = parameters.error().first();
    return layer.error(first.code, "{}", first.message).hint("{}", first.hint_text);
  }
  GivenParameters given(layer, *std::move(parameters));
  ops::Proposal op;
  MO_ASSIGN(op.feat_stride, given.size("feat_stride", 16));
  MO_ASSIGN(op.base_size, given.size("base_size", 16));
  MO_ASSIGN(op.min_size, given.size("min_size", 16));
  MO_ASSIGN(op.ratio, given.list("ratio", "ratios", {0.5, 1, 2}));
  MO_ASSIGN(op.scale, given.list("scale", "scales", {8, 16, 32}));
  MO_ASSIGN(op.pre_nms_topn, given.size("pre_nms_topn", defaults.pre_nms_topn));
  MO_ASSIGN(op.post_nms_topn, given.size("post_nms_topn", defaults.post_nms_topn));
  MO_ASSIGN(op.nms_thresh, given.number("nms_thresh", defaults.nms_thresh, false));
  MO_TRY(given.expect_none_left());
  return proposed_regions(layer, rw, std::move(op));
}

/// A Python layer -> what the row of its class extracts. Where that row is a translator, the node takes its name, by
/// which inference finds it.
Expected<Op> extract_python_layer(const OperatorTable& rows, const FrameworkNode& node) {
  const Layer layer(node);
  node.ignore({"python_param.share_in_parallel"}, kInTraining);
  const std::string module = layer.text("python_param.module", "");
  const std::string type = layer.text("python_param.layer", "");
  const std::string name = fmt::format("{}.{}.{}", kPython, module, type);
  const auto* row = rows.find(name, node.version());
  if (!row)
    return layer.error("MO-CAFFE-0262", "the layer is a Python program: class {} of module {}", type, module)
        .hint("add an extension that provides \"{}\", or cut the model there with --input or --output", name);
  if (row->extract) return row->extract(node);
  return Op(fmt::format("caffe::{}", name), node.all_attributes());
}

}  // namespace

/// Layers that are classes of Python: each module and class that can be expressed has a row of its own,
/// "Python.<module>.<layer>", which extensions add to.
void register_python(OperatorTable& table) {
  table.extract("Python", [rows = &table](const FrameworkNode& node) { return extract_python_layer(*rows, node); });
  const auto proposals = [](const ProposalDefaults& defaults) -> Translator {
    return [=](const FrameworkNode& node, Rewriter& rw) { return proposal_layer(node, rw, defaults); };
  };
  table.translate("Python.rpn.proposal_layer.ProposalLayer", proposals({6000, 300, 0.7}));
  table.translate("Python.SSH.layers.proposal_layer.ProposalLayer", proposals({1000, 1000, 1.0}));
}

}  // namespace mo::caffe
