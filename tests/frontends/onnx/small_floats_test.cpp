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
  ElementType type;                 ///< of the constant
};

const std::vector<SmallFloatCase>& small_float_cases() {
  static const std::vector<SmallFloatCase> all{
      {17, "\x38\x40\x48"s, {0x38, 0x40, 0x48}, ElementType::f8e4m3},  // FLOAT8E4M3FN
      {18, "\x40\x48\x50"s, {0x40, 0x48, 0x50}, ElementType::f16},     // FLOAT8E4M3FNUZ
      {19, "\x3C\x40\x44"s, {0x3C, 0x40, 0x44}, ElementType::f8e5m2},  // FLOAT8E5M2
      {20, "\x40\x44\x48"s, {0x40, 0x44, 0x48}, ElementType::f16},     // FLOAT8E5M2FNUZ
      {23, "\x42\x06"s, {0x42, 0x06}, ElementType::f4e2m1},            // FLOAT4E2M1
      {24, "\x7F\x80\x81"s, {0x7F, -128, 0x81}, ElementType::f8e8m0},  // FLOAT8E8M0
  };
  return all;
}

bool is_widened(const SmallFloatCase& c) { return c.type == ElementType::f16; }

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
    EXPECT_EQ(constant_of(from_raw).element_type(), c.type);
    EXPECT_EQ(from_raw.warned_of("MO-ONNX-0471"), is_widened(c));
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

/// The number that a bit pattern of a type of 8 bits is in the graph.
double number_of(int data_type, std::uint8_t bits) {
  TensorProto tensor = tensor_of(data_type, {1});
  tensor.set_raw_data(std::string(1, static_cast<char>(bits)));
  return to_reals(constant_of(read_bytes(model_with_tensor(tensor))))->front();
}

// Types that the IR has: tests/core/small_reals_test.cpp.
TEST(OnnxSmallFloat, the_extremes_of_types_that_are_widened) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  struct Value {
    int data_type;
    std::uint8_t bits;
    double number;
  };
  for (const Value& v : std::vector<Value>{{18, 0x00, 0},
                                           {18, 0x01, std::ldexp(1, -10)},
                                           {18, 0x7F, 240},
                                           {18, 0xFF, -240},
                                           {18, 0x80, nan},
                                           {20, 0x01, std::ldexp(1, -17)},
                                           {20, 0x7F, 57344},
                                           {20, 0xFF, -57344},
                                           {20, 0x80, nan}}) {
    SCOPED_TRACE(fmt::format("{} {:#x}", data_type_name(v.data_type), v.bits));
    const double number = number_of(v.data_type, v.bits);
    if (std::isnan(v.number)) {
      EXPECT_TRUE(std::isnan(number));
    } else {
      EXPECT_EQ(number, v.number);
    }
  }
  EXPECT_FALSE(widened_type_of(10));
  EXPECT_FALSE(widened_type_of(17));
}

TEST(OnnxSmallFloat, numbers_of_two_bits_are_four_in_a_byte) {
  TensorProto tensor = tensor_of(25, {5});  // UINT2
  tensor.set_raw_data("\x39\x02"s);
  const Read read = read_bytes(model_with_tensor(tensor));
  EXPECT_EQ(*to_integers(constant_of(read)), (std::vector<std::int64_t>{1, 2, 3, 0, 2}));
  EXPECT_EQ(constant_of(read).element_type(), ElementType::u2);
  TensorProto with_sign = tensor_of(26, {5});  // INT2
  with_sign.set_raw_data("\x39\x02"s);
  const Read widened = read_bytes(model_with_tensor(with_sign));
  EXPECT_EQ(*to_integers(constant_of(widened)), (std::vector<std::int64_t>{1, -2, -1, 0, -2}));
  EXPECT_EQ(constant_of(widened).element_type(), ElementType::i4);
  EXPECT_TRUE(widened.warned_of("MO-ONNX-0471"));
  TensorProto typed = tensor_of(25, {5});
  typed.add_int32_data(0x39);
  EXPECT_EQ(read_bytes(model_with_tensor(typed)).code(), "MO-ONNX-0032");
  typed.add_int32_data(0x02);
  EXPECT_EQ(*to_integers(constant_of(read_bytes(model_with_tensor(typed)))),
            (std::vector<std::int64_t>{1, 2, 3, 0, 2}));
}

TEST(OnnxSmallFloat, quantize_linear_is_refused_where_its_type_may_be_lost) {
  const std::string zero_point = "initializer { name: 'w' data_type: 26 dims: 1 raw_data: '\\0' } ";
  const std::string scale = "initializer { name: 's' data_type: 1 dims: 1 raw_data: '\\0\\0\\200\\77' } ";
  EXPECT_EQ(
      read_graph(zero_point + scale + "node { op_type: 'QuantizeLinear' input: 'x' input: 's' input: 'w' output: 'y' }")
          .code(),
      "MO-ONNX-0472");
  EXPECT_EQ(
      read_graph(zero_point + scale + "node { op_type: 'QuantizeLinear' input: 'x' input: 's' output: 'y' }").code(),
      "");
}

TEST(OnnxSmallFloat, cast_like_is_refused_where_its_type_may_be_lost) {
  const std::string small = "initializer { name: 'w' data_type: 18 raw_data: '\\x38' } ";
  const std::string like = "node { op_type: 'CastLike' input: 'x' input: 'w' output: 'y' }";
  EXPECT_EQ(read_graph(small + like).code(), "MO-ONNX-0472");
  EXPECT_EQ(read_graph("initializer { name: 'w' data_type: 17 raw_data: '\\x38' } " + like).code(), "");
  EXPECT_EQ(read_graph("initializer { name: 'w' data_type: 10 raw_data: '\\0\\0' } " + like).code(), "");
  EXPECT_EQ(read_graph(small + "node { op_type: 'Relu' input: 'x' output: 'y' }").code(), "");
}

}  // namespace
}  // namespace mo::onnx::testing
