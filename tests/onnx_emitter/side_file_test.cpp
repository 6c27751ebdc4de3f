#include <gtest/gtest.h>

#include <map>
#include <regex>

#include "core/files/output_set.hpp"
#include "core/tensor/convert.hpp"
#include "frontends/onnx/model_proto/model_proto.hpp"
#include "frontends/onnx/model_reader.hpp"

namespace mo::onnx {
namespace {

Op onnx_op(std::string type) {
  AttributeMap attributes;
  attributes.set("@opset", std::int64_t{17});
  return Op("onnx::" + std::move(type), std::move(attributes));
}

/// y = x + w + w + v, where the constants have so many elements, and a small one that is added last.
class SideFileTest : public testing::Test {
 protected:
  SideFileTest() {
    graph_.set_has_types(true);
    const TensorType type{ElementType::f32, PartialShape{Dimension::unknown(3)}};
    Value sum = graph_.create_parameter(type, "x").out_port(0);
    sum.data().add_tensor_name("x");
    large_ = *from_reals(ElementType::f32, {kLarge}, std::vector<double>(kLarge, 1.5));
    const Tensor small = *from_reals(ElementType::f32, {1}, {2.5});
    const Tensor middle = *from_reals(ElementType::f32, {300}, std::vector<double>(300, 0.5));
    int number = 0;
    for (const Tensor& value : {middle, large_, large_, small}) {
      const Value constant = graph_.create_constant(value, "w" + std::to_string(++number)).out_port(0);
      constant.data().add_tensor_name("w" + std::to_string(number));
      sum = graph_.create_node(onnx_op("Add"), {sum, constant}, 1, "add").out_port(0);
      sum.data().add_tensor_name("sum" + std::to_string(number));
      sum.data().set_type(type);
    }
    graph_.create_result(sum, "y");
  }

  std::string text_of(const EncodedModel& model) {
    std::string bytes;
    EXPECT_TRUE(model.message.append_to(bytes));
    const auto text = model_to_text(bytes);
    EXPECT_TRUE(text);
    return text ? *text : "";
  }

  static constexpr std::int64_t kLarge = 1 << 18;  // 1 MB
  Graph graph_;
  Tensor large_;
};

TEST_F(SideFileTest, SmallModelsHaveNone) {
  const auto model = encode_model_proto(graph_, {.location = "m.onnx.data"});
  ASSERT_TRUE(model) << model.error().first().format();
  EXPECT_TRUE(model->beside.empty());
  EXPECT_GT(model->message.size(), std::uint64_t{2 * 4 * kLarge});
}

TEST_F(SideFileTest, LargeModelsHaveOneByThemselves) {
  const auto model = encode_model_proto(graph_, {.location = "m.onnx.data", .largest_message = 1 << 20});
  ASSERT_TRUE(model) << model.error().first().format();
  EXPECT_EQ(model->beside.size(), 2U);
  EXPECT_LT(model->message.size(), 2000U);
}

TEST_F(SideFileTest, WhatIsTooLargeWithoutItsTensorsIsRefused) {
  const auto model = encode_model_proto(graph_, {.location = "m.onnx.data", .largest_message = 20});
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().first().code, "MO-ONNX-0066");
}

TEST_F(SideFileTest, LargeTensorsBeginAtPagesAndSharedOnesAreWrittenOnce) {
  const auto model = encode_model_proto(graph_, {.location = "m.onnx.data", .always = true});
  ASSERT_TRUE(model) << model.error().first().format();
  ASSERT_EQ(model->beside.size(), 2U);
  EXPECT_EQ(model->beside[0].offset, 0U);
  EXPECT_EQ(model->beside[1].offset, 4096U) << "the tensor before it has 1200 bytes";
  EXPECT_EQ(model->beside_bytes, 4096U + 4 * kLarge);
  const std::string text = text_of(*model);
  std::size_t locations = 0;
  for (std::size_t at = text.find("m.onnx.data"); at != std::string::npos; at = text.find("m.onnx.data", at + 1))
    ++locations;
  EXPECT_EQ(locations, 3U) << text;
  EXPECT_NE(text.find("data_location: EXTERNAL"), std::string::npos) << text;
  EXPECT_NE(text.find("raw_data"), std::string::npos) << "small tensors stay in the model";
}

TEST_F(SideFileTest, TheFileHasTheBytesOfItsTensors) {
  const auto model = encode_model_proto(graph_, {.location = "m.onnx.data", .always = true});
  ASSERT_TRUE(model) << model.error().first().format();
  const auto set = OutputSet::in_memory({"m.onnx.data"});
  const auto file = set->open(0);
  ASSERT_TRUE(file);
  ASSERT_TRUE(model->write_beside(**file));
  EXPECT_EQ((*file)->size(), model->beside_bytes);
  std::vector<std::byte> bytes(large_.byte_size());
  ASSERT_TRUE((*file)->read_back(model->beside[1].offset, bytes));
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), large_.bytes().begin()));
}

TEST_F(SideFileTest, EqualUnknownDimensionsHaveEqualNames) {
  const auto named = [&] {
    const auto model = encode_model_proto(graph_, {.location = "m.onnx.data", .always = true});
    return model ? text_of(*model) : model.error().first().format();
  };
  const auto count = [](const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count(named(), "dim_param: \"d1\""), 2U) << named();
  graph_.properties.set("dim_params", std::vector<std::string>{"d1", "other"});
  EXPECT_EQ(count(named(), "dim_param: \"d2\""), 2U) << "d1 is a name of the source: " << named();
  graph_.properties.set("dim_params", std::vector<std::string>{"batch", "other", "frames"});
  EXPECT_EQ(count(named(), "dim_param: \"frames\""), 2U) << named();
}

TEST_F(SideFileTest, MetadataIsWritten) {
  graph_.properties.set("metadata",
                        AttributeMap{{"MO_version", std::string("1.0")}, {"names", std::string("cat,dog")}});
  const auto model = encode_model_proto(graph_, {.location = "m.onnx.data", .always = true});
  ASSERT_TRUE(model);
  const std::string text = text_of(*model);
  EXPECT_TRUE(std::regex_search(text, std::regex("metadata_props \\{\\s*key: \"names\"\\s*value: \"cat,dog\"")))
      << text;
}

}  // namespace
}  // namespace mo::onnx
