#include <cmath>
#include <limits>

#include "core/tensor/convert.hpp"
#include "frontends/onnx/data_types.hpp"
#include "tests/frontends/onnx/model_builder.hpp"

namespace mo::onnx::testing {
namespace {

using namespace std::string_literals;

struct SmallFloatCase {
  int data_type;
  std::string raw;                  ///< of the elements 1, 2, 4
  std::vector<std::int32_t> typed;  ///< the same in int32_data
};

const std::vector<SmallFloatCase>& small_float_cases() {
  static const std::vector<SmallFloatCase> all{
      {17, "\x38\x40\x48"s, {0x38, 0x40, 0x48}},  // FLOAT8E4M3FN
      {18, "\x40\x48\x50"s, {0x40, 0x48, 0x50}},  // FLOAT8E4M3FNUZ
      {19, "\x3C\x40\x44"s, {0x3C, 0x40, 0x44}},  // FLOAT8E5M2
      {20, "\x40\x44\x48"s, {0x40, 0x44, 0x48}},  // FLOAT8E5M2FNUZ
      {23, "\x42\x06"s, {0x42, 0x06}},            // FLOAT4E2M1
      {24, "\x7F\x80\x81"s, {0x7F, -128, 0x81}},  // FLOAT8E8M0
  };
  return all;
}

TensorProto tensor_of(int data_type, std::vector<std::int64_t> dims) {
  TensorProto tensor;
  tensor.set_data_type(data_type);
  for (const std::int64_t dim : dims) tensor.add_dims(dim);
  return tensor;
}

Tensor constant_of(const Read& read) {
  EXPECT_TRUE(read.graph) << read.graph.error().first().format();
  return read.graph ? (*read.graph)->find_node("w").as<Const>()->value : Tensor();
}

TEST(OnnxSmallFloat, tensors_are_read_from_raw_data_and_from_int32_data) {
  for (const SmallFloatCase& c : small_float_cases()) {
    SCOPED_TRACE(data_type_name(c.data_type));
    TensorProto raw = tensor_of(c.data_type, {3});
    raw.set_raw_data(c.raw);
    const Read from_raw = read_bytes(model_with_tensor(raw));
    EXPECT_EQ(*to_reals(constant_of(from_raw)), (std::vector<double>{1, 2, 4}));
    EXPECT_EQ(constant_of(from_raw).element_type(), c.data_type == 24 ? ElementType::f32 : ElementType::f16);
    EXPECT_TRUE(from_raw.warned_of("MO-ONNX-0471"));
    TensorProto typed = tensor_of(c.data_type, {3});
    for (const std::int32_t bits : c.typed) typed.add_int32_data(bits);
    EXPECT_EQ(*to_reals(constant_of(read_bytes(model_with_tensor(typed)))), (std::vector<double>{1, 2, 4}));
    typed.set_int32_data(0, 256);
    EXPECT_EQ(read_bytes(model_with_tensor(typed)).code(), "MO-ONNX-0034");
    raw.set_raw_data(c.raw + "\0"s);
    EXPECT_EQ(read_bytes(model_with_tensor(raw)).code(), "MO-ONNX-0032");
  }
}

TEST(OnnxSmallFloat, large_tensors_are_read_from_external_data) {
  Folder folder;
  folder.write("weights", "\xFF" + std::string(1000, '\x38'));
  TensorProto tensor = tensor_of(17, {1000});
  tensor.set_data_location(TensorProto::EXTERNAL);
  for (const auto& [key, value] : {std::pair("location", "weights"), std::pair("offset", "1")}) {
    auto* entry = tensor.add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  }
  const Read read = read_path(folder.write("model.onnx", model_with_tensor(tensor)));
  EXPECT_EQ(*to_reals(constant_of(read)), std::vector<double>(1000, 1.0));
}

TEST(OnnxSmallFloat, the_extremes_of_each_type) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  struct Value {
    int data_type;
    std::uint8_t bits;
    double number;
  };
  for (const Value& v : std::vector<Value>{{17, 0x00, 0},
                                           {17, 0x01, std::ldexp(1, -9)},
                                           {17, 0x08, std::ldexp(1, -6)},
                                           {17, 0x7E, 448},
                                           {17, 0xFE, -448},
                                           {17, 0x7F, nan},
                                           {17, 0xFF, nan},
                                           {18, 0x00, 0},
                                           {18, 0x01, std::ldexp(1, -10)},
                                           {18, 0x7F, 240},
                                           {18, 0xFF, -240},
                                           {18, 0x80, nan},
                                           {19, 0x01, std::ldexp(1, -16)},
                                           {19, 0x7B, 57344},
                                           {19, 0xFB, -57344},
                                           {19, 0x7C, inf},
                                           {19, 0xFC, -inf},
                                           {19, 0x7D, nan},
                                           {19, 0xFF, nan},
                                           {20, 0x01, std::ldexp(1, -17)},
                                           {20, 0x7F, 57344},
                                           {20, 0xFF, -57344},
                                           {20, 0x80, nan},
                                           {23, 0x1, 0.5},
                                           {23, 0x7, 6},
                                           {23, 0x9, -0.5},
                                           {23, 0xF, -6},
                                           {24, 0, std::ldexp(1, -127)},
                                           {24, 254, std::ldexp(1, 127)},
                                           {24, 255, nan}}) {
    SCOPED_TRACE(fmt::format("{} {:#x}", data_type_name(v.data_type), v.bits));
    const double number = small_float_value(v.data_type, v.bits);
    if (std::isnan(v.number))
      EXPECT_TRUE(std::isnan(number));
    else
      EXPECT_EQ(number, v.number);
  }
  EXPECT_TRUE(std::signbit(small_float_value(17, 0x80)));
  EXPECT_FALSE(small_float_of(10));
}

TEST(OnnxSmallFloat, the_wider_type_holds_every_number_exactly) {
  for (const SmallFloatCase& c : small_float_cases()) {
    SCOPED_TRACE(data_type_name(c.data_type));
    const auto form = *small_float_of(c.data_type);
    const int patterns = form.stored == ElementType::u4 ? 16 : 256;
    TensorProto tensor = tensor_of(c.data_type, {patterns});
    std::string raw;
    for (int i = 0; i < patterns; ++i)
      if (form.stored == ElementType::u8)
        raw += static_cast<char>(i);
      else if (i % 2 == 0)
        raw += static_cast<char>(i | (i + 1) << 4);
    tensor.set_raw_data(raw);
    const auto numbers = *to_reals(constant_of(read_bytes(model_with_tensor(tensor))));
    for (int i = 0; i < patterns; ++i) {
      const double want = small_float_value(c.data_type, static_cast<std::uint8_t>(i));
      EXPECT_TRUE(numbers[static_cast<std::size_t>(i)] == want ||
                  (std::isnan(want) && std::isnan(numbers[static_cast<std::size_t>(i)])))
          << i;
    }
  }
}

TEST(OnnxSmallFloat, cast_like_is_refused_where_its_type_may_be_lost) {
  const std::string small = "initializer { name: 'w' data_type: 17 raw_data: '\\x38' } ";
  const std::string like = "node { op_type: 'CastLike' input: 'x' input: 'w' output: 'y' }";
  EXPECT_EQ(read_graph(small + like).code(), "MO-ONNX-0472");
  EXPECT_EQ(read_graph("initializer { name: 'w' data_type: 10 raw_data: '\\0\\0' } " + like).code(), "");
  EXPECT_EQ(read_graph(small + "node { op_type: 'Relu' input: 'x' output: 'y' }").code(), "");
}

}  // namespace
}  // namespace mo::onnx::testing
