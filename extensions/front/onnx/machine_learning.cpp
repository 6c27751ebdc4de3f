#include <algorithm>
#include <cmath>
#include <map>

#include "extensions/support/machine_learning.hpp"
#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/pad.hpp"

namespace mo::front::onnx {
namespace {

using Integers = std::vector<std::int64_t>;
using Numbers = std::vector<double>;

Value vector_of(Rewriter& rw, const Numbers& numbers) {
  std::vector<float> values(numbers.begin(), numbers.end());
  return numbers.size() == 1 ? rw.scalar(values.front()) : rw.constant(Tensor::vector(values));
}

/// Scaler(x) -> (x - offset) * scale as f32
Replacement scaler(const Node& node, Rewriter& rw) {
  Value x = as_type(rw, node.input(0), ElementType::f32);
  const Numbers offset = list_of<double>(node, "offset");
  const Numbers scale = list_of<double>(node, "scale");
  if (!offset.empty()) x = rw.create(ops::Subtract{}, x, vector_of(rw, offset));
  return scale.empty() ? x : rw.create(ops::Multiply{}, x, vector_of(rw, scale));
}

/// Normalizer(x) -> x / norm of each row as f32, where a norm of 0 counts as 1. MAX is the largest element, whatever the signs.
Replacement normalizer(const Node& node, Rewriter& rw) {
  const Term x(rw, as_type(rw, node.input(0), ElementType::f32), ElementType::f32);
  const std::string kind = node.attr<std::string>("norm").value_or("MAX");
  const Term norm = kind == "L1"   ? reduced<ops::ReduceKind::l1>(x, {-1}, true)
                    : kind == "L2" ? reduced<ops::ReduceKind::l2>(x, {-1}, true)
                                   : reduced<ops::ReduceKind::max>(x, {-1}, true);
  return (x / choose(equal(norm, 0), norm.number(1), norm)).value();
}

/// Binarizer(x) -> 1 where x > threshold, else 0
Replacement binarizer(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const Value above = rw.create(ops::Greater{}, x, number_like(rw, x, node.attr<double>("threshold").value_or(0)));
  return rw.create(ops::Select{}, above, number_like(rw, x, 1), number_like(rw, x, 0));
}

/// Imputer(x) -> what takes the place of one value, in each column or everywhere; NaN is a value here.
Replacement imputer(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const Numbers reals = list_of<double>(node, "imputed_value_floats");
  const Integers integers = list_of<std::int64_t>(node, "imputed_value_int64s");
  if (reals.empty() == integers.empty())
    return node.error("MO-ONNX-0452", "the values that take the place of others are missing, or given twice")
        .hint("check how the model was exported");
  if (!integers.empty()) {
    const Value replaced = rw.create(ops::Equal{}, x, rw.scalar<std::int64_t>(node.attr<std::int64_t>("replaced_value_int64").value_or(0)));
    return rw.create(ops::Select{}, replaced, integers.size() == 1 ? rw.scalar(integers.front()) : rw.integers(integers), x);
  }
  const double old = node.attr<double>("replaced_value_float").value_or(0);
  const Value replaced = std::isnan(old) ? rw.create(ops::NotEqual{}, x, x) : rw.create(ops::Equal{}, x, rw.scalar(static_cast<float>(old)));
  return rw.create(ops::Select{}, replaced, vector_of(rw, reals), x);
}

/// ArrayFeatureExtractor(x, places) -> Gather along the last axis; a vector gives a row.
Replacement array_feature_extractor(const Node& node, Rewriter& rw) {
  const Value places = flattened(rw, as_i64(rw, node.input(1)));
  const Value y = rw.create(ops::Gather{}, node.input(0), places, rw.scalar<std::int64_t>(-1));
  const auto rank = source_rank(node.input(0));
  if (rank && *rank != 1) return y;
  if (rank) return rw.create(ops::Unsqueeze{}, y, rw.integers({0}));
  return rw.create(ops::Broadcast{.mode = ops::v3::BroadcastMode::bidirectional}, y, rw.integers({1, 1}));
}

/// FeatureVectorizer(x, y …) -> Concat of [N, C] as f32; each input is cut or filled with zeros to the columns that the model names.
Replacement feature_vectorizer(const Node& node, Rewriter& rw) {
  const Integers sizes = list_of<std::int64_t>(node, "inputdimensions");
  std::vector<Value> parts;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) {
    const Value input = node.input(i);
    if (!input) return missing_input(node);
    Value x = rw.create(ops::Reshape{.special_zero = true}, as_type(rw, input, ElementType::f32), rw.integers({0, -1}));
    const PartialShape shape = known_shape(input);
    if (i < sizes.size() && !(shape.size() == 2 && shape[1] == Dimension(sizes[i]))) {
      if (sizes[i] < 0) return node.error("MO-ONNX-0452", "inputdimensions has the number {}", sizes[i]).hint("check how the model was exported");
      x = slice_along(rw, x, 1, 0, sizes[i]);
      const Value missing = rw.create(ops::Subtract{}, rw.integers({sizes[i]}), length_along(rw, x, 1));
      x = rw.create(ops::v1::Pad{}, x, rw.integers({0, 0}), join(rw, {rw.integers({0}), missing}), rw.scalar<float>(0));
    }
    parts.push_back(x);
  }
  return rw.create(ops::Concat{.axis = 1}, parts);
}

/// OneHotEncoder(x) -> [.., categories] with 1 at that of each element, as f32; zeros for a category that is not known
Replacement one_hot_encoder(const Node& node, Rewriter& rw) {
  const Value x = rw.create(ops::Unsqueeze{}, as_i64(rw, node.input(0)), rw.integers({-1}));
  const Value same = rw.create(ops::Equal{}, x, rw.integers(list_of<std::int64_t>(node, "categories")));
  return rw.create(ops::Convert{.destination_type = ElementType::f32}, same);
}

/// A list of numbers that LabelEncoder has in one of several attributes.
std::optional<Tensor> numbers_of(const Node& node, std::string_view what) {
  const auto name = [&](std::string_view kind) { return fmt::format("{}_{}", what, kind); };
  if (auto tensor = node.attr<Tensor>(name("tensor")); tensor && !tensor->empty()) return tensor->reshaped({tensor->element_count()});
  if (const auto integers = list_of<std::int64_t>(node, name("int64s")); !integers.empty()) return Tensor::vector(integers);
  if (const auto reals = list_of<double>(node, name("floats")); !reals.empty()) {
    return Tensor::vector(std::vector<float>(reals.begin(), reals.end()));
  }
  return std::nullopt;
}

/// LabelEncoder(x) -> the value of the key that equals x, else the default. Of equal keys the first one counts; NaN is a key like any other.
Replacement label_encoder(const Node& node, Rewriter& rw) {
  const auto keys = numbers_of(node, "keys");
  const auto values = numbers_of(node, "values");
  constexpr std::int64_t kMostKeys = 1 << 16;
  if (!keys || !values || keys->element_count() != values->element_count() || keys->element_count() > kMostKeys)
    return node.error("MO-ONNX-0452", "there are {} keys and {} values", keys ? keys->element_count() : 0, values ? values->element_count() : 0)
        .hint("an encoder of numbers has as many keys as values, up to {}", kMostKeys);
  auto numbers = to_reals(*keys);
  auto integers = to_integers(*keys);
  if (!numbers || !integers) return node.error("MO-ONNX-0452", "the keys are no numbers").hint("check how the model was exported");
  const bool real = is_real(keys->element_type());
  std::vector<std::size_t> kept;
  std::optional<std::size_t> nan;
  std::map<double, std::size_t> seen_reals;
  std::map<std::int64_t, std::size_t> seen;
  for (std::size_t i = 0; i < numbers->size(); ++i) {
    if (real && std::isnan((*numbers)[i])) {
      if (!nan) nan = i;
    } else if (real ? seen_reals.emplace((*numbers)[i], i).second : seen.emplace((*integers)[i], i).second) {
      kept.push_back(i);
    }
  }

  // What is looked up, and behind it what is given for other elements.
  Tensor fallback;
  if (const auto given = node.attr<Tensor>("default_tensor"); given && given->element_count() == 1) {
    fallback = given->reshaped({1});
  } else {
    auto made = is_real(values->element_type()) ? from_reals(values->element_type(), {1}, {node.attr<double>("default_float").value_or(-0.0)})
                                                : from_integers(values->element_type(), {1}, {node.attr<std::int64_t>("default_int64").value_or(-1)});
    if (!made) return std::move(made).error();
    fallback = *std::move(made);
  }
  if (fallback.element_type() != values->element_type())
    return node.error("MO-ONNX-0452", "values and default are of different types").hint("check how the model was exported");
  const Value table = rw.fold(ops::Concat{.axis = 0}, rw.constant(*values), rw.constant(fallback));
  const auto others = static_cast<std::int64_t>(numbers->size());

  Integers places(kept.begin(), kept.end());
  const Value x = node.input(0);
  const Value first_axis = rw.scalar<std::int64_t>(0);
  Term place(rw, rw.scalar<std::int64_t>(others), ElementType::i64);
  if (!kept.empty()) {
    const Value chosen = rw.fold(ops::Gather{}, rw.constant(*keys), rw.integers(places), first_axis);
    const Value same = rw.create(ops::Equal{}, rw.create(ops::Unsqueeze{}, x, rw.integers({-1})), chosen);
    const Term hits = Term(rw, same, ElementType::boolean).as(ElementType::i64);
    // Keys differ, so that at most one of them hits: place = others + sum of (its place - others).
    Integers offsets;
    for (const std::int64_t p : places) offsets.push_back(p - others);
    place = reduced<ops::ReduceKind::sum>(hits * Term(rw, rw.integers(offsets), ElementType::i64), {-1}, false) + static_cast<double>(others);
  }
  if (nan) {
    const Term is_nan(rw, rw.create(ops::NotEqual{}, x, x), ElementType::boolean);
    place = choose(is_nan, Term(rw, rw.scalar<std::int64_t>(static_cast<std::int64_t>(*nan)), ElementType::i64), place);
  }
  return rw.create(ops::Gather{}, table, place.value(), first_axis);
}

/// ZipMap gives each row of scores as a map from labels to numbers. An IR has no maps: its model gives the scores, in the order of the labels.
Replacement zip_map(const Node& node, Rewriter&, PassContext& context) {
  if (!node.input(0)) return missing_input(node);
  const std::vector<InPort> readers = node.output().get_destinations();
  if (!std::all_of(readers.begin(), readers.end(), [](const InPort& port) { return port.node().is<Result>(); }))
    return node.error("MO-ONNX-0457", "what ZipMap gives is read by another operator, and an IR has no maps").hint("export the model without ZipMap");
  context.diagnostics.report(
      node.warning("MO-ONNX-0456", "the result is the table of scores instead of maps from labels to scores")
          .hint("its columns are in the order of the labels; export the model without ZipMap (zipmap=False) to be sure of it"));
  return node.input(0);
}

}  // namespace

void register_machine_learning(PassRegistry& passes) {
  passes.add(front_replacement_op("MlScaler").replace_op(needing(1, scaler)));
  passes.add(front_replacement_op("MlNormalizer").replace_op(needing(1, normalizer)));
  passes.add(front_replacement_op("MlBinarizer").replace_op(needing(1, binarizer)));
  passes.add(front_replacement_op("MlImputer").replace_op(needing(1, imputer)));
  passes.add(front_replacement_op("MlArrayFeatureExtractor").replace_op(needing(2, array_feature_extractor)));
  passes.add(front_replacement_op("MlFeatureVectorizer").replace_op(needing(1, feature_vectorizer)));
  passes.add(front_replacement_op("MlOneHotEncoder").replace_op(needing(1, one_hot_encoder)));
  passes.add(front_replacement_op("MlLabelEncoder").replace_op(needing(1, label_encoder)));
  passes.add(front_replacement_op("MlZipMap").replace_op(zip_map));
}

}  // namespace mo::front::onnx
