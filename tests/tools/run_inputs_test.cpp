#include "tools/run/inputs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "core/tensor/convert.hpp"

namespace mo::tools {
namespace {

/// Inputs "image" (tensor name "pixels:0"), "ids" (tensor name "a=b") and "mask".
std::unique_ptr<Graph> model() {
  auto graph = std::make_unique<Graph>();
  graph->create_parameter({ElementType::f32, PartialShape{1, Dimension()}}, "image")
      .output()
      .data()
      .add_tensor_name("pixels:0");
  graph->create_parameter({ElementType::i64, PartialShape{2}}, "ids").output().data().add_tensor_name("a=b");
  graph->create_parameter({ElementType::boolean, PartialShape::unknown_rank()}, "mask");
  return graph;
}

std::vector<std::string> matched(const std::vector<std::string>& arguments) {
  const auto graph = model();
  const auto files = match_inputs(*graph, arguments);
  return files ? *files : std::vector<std::string>{files.error().first().code};
}

using Files = std::vector<std::string>;

TEST(MatchInputs, tensor_names_and_friendly_names_are_equivalent) {
  EXPECT_EQ(matched({"pixels:0=1.npy", "ids=2.npy", "mask=3.npy"}), (Files{"1.npy", "2.npy", "3.npy"}));
  EXPECT_EQ(matched({"mask=3.npy", "image=1.npy", "ids=2.npy"}), (Files{"1.npy", "2.npy", "3.npy"}));
}

TEST(MatchInputs, files_without_a_name_go_to_the_inputs_that_are_left_in_order) {
  EXPECT_EQ(matched({"1.npy", "2.npy", "3.npy"}), (Files{"1.npy", "2.npy", "3.npy"}));
  EXPECT_EQ(matched({"1.npy", "ids=2.npy", "3.npy"}), (Files{"1.npy", "2.npy", "3.npy"}));
}

TEST(MatchInputs, the_longest_name_before_an_equals_sign_is_meant) {
  EXPECT_EQ(matched({"image=x=1.npy", "a=b=2.npy", "3.npy"}), (Files{"x=1.npy", "2.npy", "3.npy"}));
}

TEST(MatchInputs, a_file_whose_own_name_has_an_equals_sign_needs_no_name) {
  const std::string file = testing::TempDir() + "/run_inputs_test_x=1.npy";
  std::ofstream(file) << "x";
  EXPECT_EQ(matched({file, "2.npy", "3.npy"}), (Files{file, "2.npy", "3.npy"}));
}

TEST(MatchInputs, mistakes_are_distinguished) {
  EXPECT_EQ(matched({"imag=1.npy"}), Files{"MO-RUN-0001"});
  EXPECT_EQ(matched({"image=1.npy", "pixels:0=2.npy"}), Files{"MO-RUN-0002"});
  EXPECT_EQ(matched({"1", "2", "3", "4"}), Files{"MO-RUN-0003"});
  EXPECT_EQ(matched({"image=1.npy"}), Files{"MO-RUN-0004"});
  EXPECT_EQ(matched({"image=", "2", "3"}), Files{"MO-RUN-0004"});
}

TEST(MatchInputs, all_missing_inputs_are_listed_and_a_similar_name_is_suggested) {
  const auto graph = model();
  const auto missing = match_inputs(*graph, {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().items().size(), 3U);
  EXPECT_NE(missing.error().items()[1].message.find("'ids'"), std::string::npos);
  const auto unknown = match_inputs(*graph, {"imag=1.npy"});
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().first().hint_text.find("'image'"), std::string::npos);
}

struct Fitted {
  std::string code;  ///< empty when it fits
  Tensor tensor;
  std::vector<std::string> notes;  ///< their codes
};

Fitted fit(const TensorType& wanted, const Tensor& given, bool untyped = false) {
  Graph graph;
  const Node parameter = graph.create_parameter(wanted, "x");
  DiagnosticList list;
  const auto tensor = fit_input(parameter, given, list, untyped);
  std::vector<std::string> notes;
  for (const Diagnostic& item : list.items) notes.push_back(item.code);
  if (!tensor) return {tensor.error().first().code, {}, std::move(notes)};
  return {"", *tensor, std::move(notes)};
}

TEST(FitInput, the_expected_type_passes_without_a_note) {
  const Fitted fitted = fit({ElementType::f32, PartialShape{2}}, Tensor::vector<float>({1, 2}));
  EXPECT_EQ(fitted.code, "");
  EXPECT_TRUE(fitted.notes.empty());
}

TEST(FitInput, integers_and_reals_convert_among_themselves_with_a_note) {
  const Fitted narrow = fit({ElementType::i32, PartialShape{2}}, Tensor::vector<std::int64_t>({-1, 2}));
  EXPECT_EQ(narrow.code, "");
  EXPECT_EQ(narrow.notes, std::vector<std::string>{"MO-RUN-0007"});
  EXPECT_EQ(narrow.tensor.element_type(), ElementType::i32);
  EXPECT_EQ(*to_integers(narrow.tensor), (std::vector<std::int64_t>{-1, 2}));
  EXPECT_EQ(fit({ElementType::f16, PartialShape{2}}, Tensor::vector<double>({0.5, -INFINITY})).code, "");
  EXPECT_EQ(fit({ElementType::bf16, PartialShape{1}}, Tensor::vector<float>({3.25F})).code, "");
}

TEST(FitInput, values_that_would_change_are_refused) {
  EXPECT_EQ(fit({ElementType::i8, PartialShape{1}}, Tensor::vector<std::int64_t>({300})).code, "MO-RUN-0005");
  EXPECT_EQ(fit({ElementType::u64, PartialShape{1}}, Tensor::vector<std::int64_t>({-1})).code, "MO-RUN-0005");
  EXPECT_EQ(fit({ElementType::i64, PartialShape{1}},
                Tensor::vector<std::uint64_t>({std::numeric_limits<std::uint64_t>::max()}))
                .code,
            "MO-RUN-0005");
  EXPECT_EQ(fit({ElementType::f16, PartialShape{1}}, Tensor::vector<float>({1e6F})).code, "MO-RUN-0005");
}

TEST(FitInput, kinds_of_numbers_are_not_mixed) {
  EXPECT_EQ(fit({ElementType::f32, PartialShape{1}}, Tensor::vector<std::int32_t>({1})).code, "MO-RUN-0005");
  EXPECT_EQ(fit({ElementType::i32, PartialShape{1}}, Tensor::vector<float>({1})).code, "MO-RUN-0005");
  EXPECT_EQ(fit({ElementType::boolean, PartialShape{1}}, Tensor::vector<std::uint8_t>({1})).code, "MO-RUN-0005");
}

TEST(FitInput, untyped_integers_take_the_type_of_the_input) {
  const Tensor numbers = Tensor::vector<std::int64_t>({1, 16777217});
  const Fitted real = fit({ElementType::f32, PartialShape{2}}, numbers, true);
  EXPECT_EQ(real.code, "");
  ASSERT_EQ(real.tensor.element_type(), ElementType::f32);
  EXPECT_EQ(real.tensor.values<float>()[1], 16777216.0F) << "rounded as 16777217.0 is";
  EXPECT_EQ(fit({ElementType::f64, PartialShape{2}}, numbers, true).code, "");
  EXPECT_EQ(fit({ElementType::i32, PartialShape{2}}, numbers, true).code, "");
  EXPECT_EQ(fit({ElementType::f16, PartialShape{2}}, numbers, true).code, "MO-RUN-0005");
  EXPECT_EQ(fit({ElementType::i8, PartialShape{2}}, numbers, true).code, "MO-RUN-0005");
}

TEST(FitInput, the_shape_has_to_fit_the_known_dimensions) {
  EXPECT_EQ(fit({ElementType::f32, PartialShape{1, Dimension()}}, Tensor::vector<float>({1})).code, "MO-RUN-0006");
  EXPECT_EQ(fit({ElementType::f32, PartialShape{3}}, Tensor::vector<float>({1})).code, "MO-RUN-0006");
  EXPECT_EQ(fit({ElementType::f32, PartialShape::unknown_rank()}, Tensor::vector<float>({1})).code, "");
}

}  // namespace
}  // namespace mo::tools
