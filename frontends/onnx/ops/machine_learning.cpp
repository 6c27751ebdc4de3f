#include <algorithm>
#include <cmath>
#include <map>

#include "frontends/onnx/ops/support/machine_learning.hpp"
#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/pad.hpp"

namespace mo::onnx {
namespace {

using Integers = std::vector<std::int64_t>;
using Numbers = std::vector<double>;

using Strings = std::vector<std::string>;

/// One number for all columns, or one for each, of the element type of x.
template <class T>
Value numbers_for_columns(Rewriter& rw, const Value& x, const std::vector<T>& numbers) {
  return as_type_of(rw, numbers.size() == 1 ? rw.scalar(numbers.front()) : rw.constant(Tensor::vector(numbers)), x);
}

/// Scaler(x) -> (x - offset) * scale as f32
Replacement scaler(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  Value x = as_type(rw, node.input(0), ElementType::f32);
  const auto offset = node.attr("offset", Numbers{});
  const auto scale = node.attr("scale", Numbers{});
  if (!offset.empty()) x = rw.create(ops::Subtract{}, x, numbers_for_columns(rw, x, offset));
  return scale.empty() ? x : rw.create(ops::Multiply{}, x, numbers_for_columns(rw, x, scale));
}

/// Normalizer(x) -> x / norm of each row as f32, where a norm of 0 counts as 1. MAX is the largest element, whatever
/// the signs.
Replacement normalizer(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const std::string kind = node.attr("norm", "MAX");
  if (kind != "MAX" && kind != "L1" && kind != "L2")
    return node.error("MO-ONNX-0455", "norm is \"{}\"", kind).hint("it is one of MAX, L1, L2");
  const Term x(rw, as_type(rw, node.input(0), ElementType::f32), ElementType::f32);
  const Term norm = kind == "L1"   ? reduced<ops::ReduceKind::l1>(x, {-1}, true)
                    : kind == "L2" ? reduced<ops::ReduceKind::l2>(x, {-1}, true)
                                   : reduced<ops::ReduceKind::max>(x, {-1}, true);
  return (x / choose(equal(norm, 0), norm.number(1), norm)).value();
}

/// Binarizer(x) -> 1 where x > threshold, else 0
Replacement binarizer(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  const Value above = rw.create(ops::Greater{}, x, number_like(rw, x, node.attr("threshold", 0.0)));
  return rw.create(ops::Select{}, above, number_like(rw, x, 1), number_like(rw, x, 0));
}

/// Imputer(x) -> what takes the place of one value, in each column or everywhere; NaN is a value here.
Replacement imputer(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  const auto reals = node.attr("imputed_value_floats", Numbers{});
  const auto integers = node.attr("imputed_value_int64s", Integers{});
  const auto old_real = node.attr("replaced_value_float", 0.0);
  const auto old_integer = node.attr<std::int64_t>("replaced_value_int64", 0);
  if (reals.empty() == integers.empty())
    return node.error("MO-ONNX-0452", "the replacement values are missing, or given twice")
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  const bool nan = integers.empty() && std::isnan(old_real);
  const Value old = integers.empty() ? number_like(rw, x, old_real) : as_type_of(rw, rw.scalar(old_integer), x);
  const Value replaced = nan ? rw.create(ops::NotEqual{}, x, x) : rw.create(ops::Equal{}, x, old);
  const Value by = integers.empty() ? numbers_for_columns(rw, x, reals) : numbers_for_columns(rw, x, integers);
  return rw.create(ops::Select{}, replaced, by, x);
}

/// ArrayFeatureExtractor(x, places) -> Gather along the last axis; a vector gives a row.
Replacement array_feature_extractor(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value places = flattened(rw, as_i64(rw, node.input(1)));
  const Value y = rw.create(ops::Gather{}, node.input(0), places, rw.scalar<std::int64_t>(-1));
  const auto rank = node.input_type(0).rank();
  if (rank && *rank != 1) return y;
  if (rank) return rw.create(ops::Unsqueeze{}, y, rw.integers({0}));
  return rw.create(ops::Broadcast{.mode = ops::v3::BroadcastMode::bidirectional}, y, rw.integers({1, 1}));
}

/// FeatureVectorizer(x, y …) -> Concat of [N, C] as f32; each input is cut or filled with zeros to the columns that the
/// model names.
Replacement feature_vectorizer(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(std::max<std::size_t>(node.input_count(), 1)));
  const auto sizes = node.attr("inputdimensions", Integers{});
  std::vector<Value> parts;
  for (std::size_t i = 0; i < node.input_count(); ++i) {
    const PartialShape& shape = node.input_type(i).shape;
    Value x = as_type(rw, node.input(i), ElementType::f32);
    if (shape.rank() != 2) x = rw.create(ops::Reshape{.special_zero = true}, x, rw.integers({0, -1}));
    if (i < sizes.size() && !(shape.rank() == 2 && shape[1] == Dimension(sizes[i]))) {
      if (sizes[i] < 0)
        return node.error("MO-ONNX-0452", "inputdimensions has the value {}", sizes[i])
            .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
      x = slice_along(rw, x, 1, 0, sizes[i]);
      const Value missing = rw.create(ops::Subtract{}, rw.integers({sizes[i]}), length_along(rw, x, 1));
      x = rw.create(ops::v1::Pad{}, x, rw.integers({0, 0}), join(rw, {rw.integers({0}), missing}), rw.scalar<float>(0));
    }
    parts.push_back(x);
  }
  return rw.create(ops::Concat{.axis = 1}, parts);
}

Diagnostic refused_for(const FrameworkNode& node, std::string_view op, std::string_view what) {
  return node.error("MO-ONNX-0451", "{} cannot be expressed: an IR has no {}", op, what)
      .hint("do this step outside of the model, and cut it off with --input or --output");
}
Diagnostic refused_for_strings(const FrameworkNode& node, std::string_view op) {
  return refused_for(node, op, "tensors of strings to calculate with");
}

/// OneHotEncoder(x) -> [.., categories] with 1 at that of each element, as f32; zeros for a category that is not known
Replacement one_hot_encoder(const FrameworkNode& node, Rewriter& rw) {
  node.ignore({"zeros"}, "without it an unknown category ends the run, which an IR cannot do");
  if (!node.attr("cats_strings", Strings{}).empty()) return refused_for_strings(node, "OneHotEncoder of strings");
  const auto categories = node.attr("cats_int64s", Integers{});
  if (categories.empty())
    return node.error("MO-ONNX-0452", "there are no categories")
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  MO_TRY(node.expect_inputs(1));
  const Value x = rw.create(ops::Unsqueeze{}, as_i64(rw, node.input(0)), rw.integers({-1}));
  const Value same = rw.create(ops::Equal{}, x, rw.integers(categories));
  return rw.create(ops::Convert{.destination_type = ElementType::f32}, same);
}

/// A list of numbers that LabelEncoder has in one of several attributes; opset 4 added tensors of any type. Error
/// MO-ONNX-0451 for strings.
Expected<std::optional<Tensor>> encoder_numbers(const FrameworkNode& node, std::string_view what) {
  const auto name = [&](std::string_view kind) { return fmt::format("{}_{}", what, kind); };
  const auto strings = node.attr(name("strings"), Strings{});
  const auto integers = node.attr(name("int64s"), Integers{});
  const auto reals = node.attr(name("floats"), Numbers{});
  const auto tensor = node.optional_attr<Tensor>(name("tensor"));
  if (!strings.empty() || (tensor && tensor->element_type() == ElementType::string))
    return refused_for_strings(node, "LabelEncoder");
  if (tensor && !tensor->empty()) return std::optional(tensor->reshaped({tensor->element_count()}));
  if (!integers.empty()) return std::optional(Tensor::vector(integers));
  if (!reals.empty()) return std::optional(Tensor::vector(std::vector<float>(reals.begin(), reals.end())));
  return std::optional<Tensor>();
}

/// What LabelEncoder gives for an element that is no key, of the type of the values.
Expected<Tensor> encoder_default(const FrameworkNode& node, ElementType type) {
  const auto given = node.optional_attr<Tensor>("default_tensor");
  const auto real = node.attr("default_float", -0.0);
  const auto integer = node.attr<std::int64_t>("default_int64", -1);
  node.ignore({"default_string"}, "of encoders that give strings, which are refused");
  if (!given || given->element_count() != 1)
    return is_real(type) ? from_reals(type, {1}, {real}) : from_integers(type, {1}, {integer});
  if (given->element_type() != type)
    return node.error("MO-ONNX-0452", "values and default are of different types")
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  return given->reshaped({1});
}

/// LabelEncoder(x) -> the value of the key that equals x, else the default. Of equal keys the first one counts; NaN is
/// a key like any other.
Replacement label_encoder(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(const std::optional<Tensor> keys, encoder_numbers(node, "keys"));
  MO_ASSIGN(const std::optional<Tensor> values, encoder_numbers(node, "values"));
  constexpr std::int64_t kMostKeys = 1 << 16;
  if (!keys || !values || keys->element_count() != values->element_count() || keys->element_count() > kMostKeys)
    return node
        .error("MO-ONNX-0452", "there are {} keys and {} values", keys ? keys->element_count() : 0,
               values ? values->element_count() : 0)
        .hint("an encoder needs as many keys as values, at most {}", kMostKeys);
  auto numbers = to_reals(*keys);
  auto integers = to_integers(*keys);
  if (!numbers || !integers)
    return node.error("MO-ONNX-0452", "the keys are not numbers")
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
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

  // What is looked up, then the result for other elements.
  MO_ASSIGN(const Tensor fallback, encoder_default(node, values->element_type()));
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
    place = reduced<ops::ReduceKind::sum>(hits * Term(rw, rw.integers(offsets), ElementType::i64), {-1}, false) +
            static_cast<double>(others);
  }
  if (nan) {
    const Term is_nan(rw, rw.create(ops::NotEqual{}, x, x), ElementType::boolean);
    place = choose(is_nan, Term(rw, rw.scalar<std::int64_t>(static_cast<std::int64_t>(*nan)), ElementType::i64), place);
  }
  return rw.create(ops::Gather{}, table, place.value(), first_axis);
}

/// ZipMap gives each row of scores as a map from labels to numbers. An IR has no maps: its model gives the scores, in
/// the order of the labels.
Replacement zip_map(const FrameworkNode& node, Rewriter&) {
  MO_TRY(node.expect_inputs(1));
  node.ignore({"classlabels_int64s", "classlabels_strings"},
              "keys of the maps; see warning MO-ONNX-0456: the result is the table without them");
  const std::vector<InPort> readers = node.node().output().get_destinations();
  if (!std::all_of(readers.begin(), readers.end(), [](const InPort& port) { return port.node().is<Result>(); }))
    return node.error("MO-ONNX-0457", "the result of ZipMap is read by another operator, and an IR has no maps")
        .hint("export the model without ZipMap");
  node.warn(node.node()
                .warning("MO-ONNX-0456", "the result is the table of scores instead of maps from labels to scores")
                .hint("its columns are in the order of the labels; export the model without ZipMap (zipmap=False) to "
                      "be sure of it"));
  return node.input(0);
}

}  // namespace

/// Domain ai.onnx.ml: what tables of numbers can express.
void register_machine_learning(OperatorTable& table) {
  table.translate("ai.onnx.ml::Scaler", since(1), scaler);
  table.translate("ai.onnx.ml::Normalizer", since(1), normalizer);
  table.translate("ai.onnx.ml::Binarizer", since(1), binarizer);
  table.translate("ai.onnx.ml::Imputer", since(1), imputer);
  table.translate("ai.onnx.ml::ArrayFeatureExtractor", since(1), array_feature_extractor);
  table.translate("ai.onnx.ml::FeatureVectorizer", since(1), feature_vectorizer);
  table.translate("ai.onnx.ml::OneHotEncoder", since(1), one_hot_encoder);
  // LabelEncoder-1 maps between strings and integers.
  table.extract("ai.onnx.ml::LabelEncoder", versions(1, 1),
                [](const FrameworkNode& node) -> Expected<Op> { return refused_for_strings(node, "LabelEncoder"); });
  table.translate("ai.onnx.ml::LabelEncoder", since(2), label_encoder);
  table.translate("ai.onnx.ml::ZipMap", since(1), zip_map);
  table.refuse("ai.onnx.ml::CastMap",
               [](const FrameworkNode& node) -> Expected<Op> { return refused_for(node, "CastMap", "maps"); });
  table.refuse("ai.onnx.ml::DictVectorizer",
               [](const FrameworkNode& node) -> Expected<Op> { return refused_for(node, "DictVectorizer", "maps"); });
  table.refuse("ai.onnx.ml::CategoryMapper",
               [](const FrameworkNode& node) -> Expected<Op> { return refused_for_strings(node, "CategoryMapper"); });
}

}  // namespace mo::onnx
