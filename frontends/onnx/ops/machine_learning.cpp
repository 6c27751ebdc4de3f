#include "core/registry/operator_table.hpp"

namespace mo::onnx {
namespace {

using Integers = std::vector<std::int64_t>;
using Numbers = std::vector<double>;
using Strings = std::vector<std::string>;

/// Copies what is there; lists of attributes are long, and replacers read them by name.
class Copied {
 public:
  explicit Copied(const FrameworkNode& node) : node_(node) {}

  template <class T>
  Copied& as(std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names)
      if (auto value = node_.optional_attr<T>(name)) attributes_.set(name, *std::move(value));
    return *this;
  }
  Expected<Op> op(std::string_view name) { return front_op(name, std::move(attributes_)); }

 private:
  const FrameworkNode& node_;
  AttributeMap attributes_;
};

/// Error MO-ONNX-0450 for a function of the scores that an IR does not have.
Expected<void> check_post_transform(const FrameworkNode& node) {
  const std::string transform = node.attr("post_transform", "NONE");
  if (transform == "NONE" || transform == "LOGISTIC" || transform == "SOFTMAX" || transform == "SOFTMAX_ZERO") return {};
  return node.error("MO-ONNX-0450", "post_transform is \"{}\"", transform)
      .hint("NONE, LOGISTIC, SOFTMAX and SOFTMAX_ZERO can be expressed; the inverse of the error function (PROBIT) has no operation in an IR");
}

Expected<Op> scaler(const FrameworkNode& node) { return Copied(node).as<Numbers>({"offset", "scale"}).op("MlScaler"); }

Expected<Op> normalizer(const FrameworkNode& node) {
  const std::string norm = node.attr("norm", "MAX");
  if (norm != "MAX" && norm != "L1" && norm != "L2") return node.error("MO-ONNX-0455", "norm is \"{}\"", norm).hint("it is one of MAX, L1, L2");
  return front_op("MlNormalizer", {{"norm", norm}});
}

Expected<Op> linear_model(const FrameworkNode& node, std::string_view name) {
  MO_TRY(check_post_transform(node));
  node.ignore({"multi_class"});  // what a trainer did; scores are computed alike
  return Copied(node)
      .as<Numbers>({"coefficients", "intercepts"})
      .as<Integers>({"classlabels_ints"})
      .as<Strings>({"classlabels_strings"})
      .as<std::int64_t>({"targets"})
      .as<std::string>({"post_transform"})
      .op(name);
}

Expected<Op> support_vectors(const FrameworkNode& node, std::string_view name) {
  MO_TRY(check_post_transform(node));
  const std::string kernel = node.attr("kernel_type", "LINEAR");
  if (kernel != "LINEAR" && kernel != "POLY" && kernel != "RBF" && kernel != "SIGMOID")
    return node.error("MO-ONNX-0455", "kernel_type is \"{}\"", kernel).hint("it is one of LINEAR, POLY, RBF, SIGMOID");
  return Copied(node)
      .as<Numbers>({"coefficients", "kernel_params", "rho", "support_vectors", "prob_a", "prob_b"})
      .as<Integers>({"classlabels_ints", "vectors_per_class"})
      .as<Strings>({"classlabels_strings"})
      .as<std::int64_t>({"n_supports", "one_class"})
      .as<std::string>({"kernel_type", "post_transform"})
      .op(name);
}

/// Opset 3 has the real numbers of f64 models as tensors as well.
Expected<Op> trees(const FrameworkNode& node, std::string_view name) {
  MO_TRY(check_post_transform(node));
  node.ignore({"nodes_hitrates", "nodes_hitrates_as_tensor"});
  return Copied(node)
      .as<Integers>({"nodes_treeids", "nodes_nodeids", "nodes_featureids", "nodes_truenodeids", "nodes_falsenodeids",
                     "nodes_missing_value_tracks_true", "class_ids", "class_nodeids", "class_treeids", "target_ids", "target_nodeids",
                     "target_treeids", "classlabels_int64s"})
      .as<Numbers>({"nodes_values", "class_weights", "target_weights", "base_values"})
      .as<Tensor>({"nodes_values_as_tensor", "class_weights_as_tensor", "target_weights_as_tensor", "base_values_as_tensor"})
      .as<Strings>({"nodes_modes", "classlabels_strings"})
      .as<std::int64_t>({"n_targets"})
      .as<std::string>({"aggregate_function", "post_transform"})
      .op(name);
}

Diagnostic refused(const FrameworkNode& node, std::string_view op, std::string_view what) {
  return node.error("MO-ONNX-0451", "{} cannot be expressed: an IR has no {}", op, what)
      .hint("do this step outside of the model, and cut it off with --input or --output");
}

/// LabelEncoder-1 maps between strings and integers.
Expected<Op> label_encoder_of_strings(const FrameworkNode& node) {
  node.ignore({"classes_strings", "default_int64", "default_string"});
  return refused(node, "LabelEncoder", "tensors of strings to calculate with");
}

Expected<Op> label_encoder(const FrameworkNode& node) {
  node.ignore({"default_string"});
  for (const std::string_view name : {"keys_strings", "values_strings"})
    if (!node.attr<Strings>(name, {}).empty()) return refused(node, "LabelEncoder", "tensors of strings to calculate with");
  for (const std::string_view name : {"keys_tensor", "values_tensor"})
    if (const auto tensor = node.optional_attr<Tensor>(name); tensor && tensor->element_type() == ElementType::string)
      return refused(node, "LabelEncoder", "tensors of strings to calculate with");
  return Copied(node)
      .as<Integers>({"keys_int64s", "values_int64s"})
      .as<Numbers>({"keys_floats", "values_floats"})
      .as<Tensor>({"keys_tensor", "values_tensor", "default_tensor"})
      .as<std::int64_t>({"default_int64"})
      .as<double>({"default_float"})
      .op("MlLabelEncoder");
}

Expected<Op> one_hot_encoder(const FrameworkNode& node) {
  node.ignore({"zeros"});  // whether an unknown category is an error at run time, which an IR cannot raise
  if (!node.attr<Strings>("cats_strings", {}).empty()) return refused(node, "OneHotEncoder of strings", "tensors of strings to calculate with");
  const auto categories = node.attr<Integers>("cats_int64s", {});
  if (categories.empty()) return node.error("MO-ONNX-0452", "there are no categories").hint("check how the model was exported");
  return front_op("MlOneHotEncoder", {{"categories", categories}});
}

}  // namespace

/// Domain ai.onnx.ml: what tables of numbers can express.
void register_machine_learning(OperatorTable& table) {
  table.extract("ai.onnx.ml::Scaler", since(1), scaler);
  table.extract("ai.onnx.ml::Normalizer", since(1), normalizer);
  table.extract("ai.onnx.ml::Binarizer", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("MlBinarizer", {{"threshold", node.attr("threshold", 0.0)}});
  });
  table.extract("ai.onnx.ml::Imputer", since(1), [](const FrameworkNode& node) {
    return Copied(node)
        .as<Numbers>({"imputed_value_floats"})
        .as<Integers>({"imputed_value_int64s"})
        .as<double>({"replaced_value_float"})
        .as<std::int64_t>({"replaced_value_int64"})
        .op("MlImputer");
  });
  table.extract("ai.onnx.ml::ArrayFeatureExtractor", since(1), [](const FrameworkNode&) -> Expected<Op> { return front_op("MlArrayFeatureExtractor"); });
  table.extract("ai.onnx.ml::FeatureVectorizer", since(1),
            [](const FrameworkNode& node) { return Copied(node).as<Integers>({"inputdimensions"}).op("MlFeatureVectorizer"); });
  table.extract("ai.onnx.ml::OneHotEncoder", since(1), one_hot_encoder);
  // Opset 4 added tensors of any type.
  table.extract("ai.onnx.ml::LabelEncoder", versions(1, 1), label_encoder_of_strings);
  table.extract("ai.onnx.ml::LabelEncoder", since(2), label_encoder);
  table.extract("ai.onnx.ml::LinearRegressor", since(1), [](const FrameworkNode& node) { return linear_model(node, "MlLinearRegressor"); });
  table.extract("ai.onnx.ml::LinearClassifier", since(1), [](const FrameworkNode& node) { return linear_model(node, "MlLinearClassifier"); });
  table.extract("ai.onnx.ml::SVMRegressor", since(1), [](const FrameworkNode& node) { return support_vectors(node, "MlSVMRegressor"); });
  table.extract("ai.onnx.ml::SVMClassifier", since(1), [](const FrameworkNode& node) { return support_vectors(node, "MlSVMClassifier"); });
  table.extract("ai.onnx.ml::TreeEnsembleRegressor", since(1), [](const FrameworkNode& node) { return trees(node, "MlTreeEnsembleRegressor"); });
  table.extract("ai.onnx.ml::TreeEnsembleClassifier", since(1), [](const FrameworkNode& node) { return trees(node, "MlTreeEnsembleClassifier"); });
  // Names of columns: the columns themselves are there already.
  table.extract("ai.onnx.ml::ZipMap", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"classlabels_int64s", "classlabels_strings"});
    return front_op("MlZipMap");
  });
  table.refuse("ai.onnx.ml::CastMap", [](const FrameworkNode& node) -> Expected<Op> { return refused(node, "CastMap", "maps"); });
  table.refuse("ai.onnx.ml::DictVectorizer", [](const FrameworkNode& node) -> Expected<Op> { return refused(node, "DictVectorizer", "maps"); });
  table.refuse("ai.onnx.ml::CategoryMapper",
               [](const FrameworkNode& node) -> Expected<Op> { return refused(node, "CategoryMapper", "tensors of strings to calculate with"); });
}

}  // namespace mo::onnx
