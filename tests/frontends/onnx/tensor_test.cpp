#include <functional>

#include "core/tensor/convert.hpp"
#include "frontends/onnx/data_types.hpp"
#include "frontends/onnx/tensor_file.hpp"
#include "tests/frontends/onnx/model_builder.hpp"

namespace mo::onnx::testing {
namespace {

TensorProto tensor_of(TensorProto::DataType type, std::vector<std::int64_t> dims) {
  TensorProto tensor;
  tensor.set_data_type(type);
  for (const std::int64_t dim : dims) tensor.add_dims(dim);
  return tensor;
}

/// The initializer of a model with this tensor.
Expected<Tensor> read(const TensorProto& tensor) {
  Read result = read_bytes(model_with_tensor(tensor));
  if (!result.graph) return std::move(result.graph).error();
  return (*result.graph)->find_node("w").as<Const>()->value;
}
std::string code(const TensorProto& tensor) { return code_of(read(tensor)); }

std::vector<double> numbers(const Expected<Tensor>& tensor) {
  EXPECT_TRUE(tensor) << tensor.error().first().format();
  return tensor ? *to_reals(*tensor) : std::vector<double>();
}

struct Case {
  TensorProto::DataType type;
  ElementType expected;
  std::string raw;                                      ///< of the elements 1, 2, 3
  std::function<void(TensorProto&, std::int64_t)> add;  ///< one element to the typed list
};

using namespace std::string_literals;

const std::vector<Case>& cases() {
  static const auto int32 = [](TensorProto& t, std::int64_t v) { t.add_int32_data(static_cast<std::int32_t>(v)); };
  static const auto uint64 = [](TensorProto& t, std::int64_t v) { t.add_uint64_data(static_cast<std::uint64_t>(v)); };
  static const std::vector<Case> all{
      {TensorProto::FLOAT, ElementType::f32, "\0\0\x80\x3F\0\0\0\x40\0\0\x40\x40"s,
       [](TensorProto& t, std::int64_t v) { t.add_float_data(static_cast<float>(v)); }},
      {TensorProto::DOUBLE, ElementType::f64, "\0\0\0\0\0\0\xF0\x3F\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\x08\x40"s,
       [](TensorProto& t, std::int64_t v) { t.add_double_data(static_cast<double>(v)); }},
      {TensorProto::INT64, ElementType::i64, "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0"s,
       [](TensorProto& t, std::int64_t v) { t.add_int64_data(v); }},
      {TensorProto::INT32, ElementType::i32, "\1\0\0\0\2\0\0\0\3\0\0\0"s, int32},
      {TensorProto::INT16, ElementType::i16, "\1\0\2\0\3\0"s, int32},
      {TensorProto::INT8, ElementType::i8, "\1\2\3"s, int32},
      {TensorProto::UINT8, ElementType::u8, "\1\2\3"s, int32},
      {TensorProto::UINT16, ElementType::u16, "\1\0\2\0\3\0"s, int32},
      {TensorProto::UINT32, ElementType::u32, "\1\0\0\0\2\0\0\0\3\0\0\0"s, uint64},
      {TensorProto::UINT64, ElementType::u64, "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0"s, uint64},
      {TensorProto::FLOAT16, ElementType::f16, "\0\x3C\0\x40\0\x42"s,
       [](TensorProto& t, std::int64_t v) {
         t.add_int32_data(v == 1 ? 0x3C00 : v == 2 ? 0x4000 : 0x4200);
       }},
      {TensorProto::BFLOAT16, ElementType::bf16, "\x80\x3F\0\x40\x40\x40"s,
       [](TensorProto& t, std::int64_t v) {
         t.add_int32_data(v == 1 ? 0x3F80 : v == 2 ? 0x4000 : 0x4040);
       }},
  };
  return all;
}

TEST(OnnxTensor, every_type_is_read_from_raw_data_and_from_its_typed_list) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(to_string(c.expected));
    TensorProto raw = tensor_of(c.type, {3});
    raw.set_raw_data(c.raw);
    EXPECT_EQ(numbers(read(raw)), (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(read(raw)->element_type(), c.expected);
    TensorProto typed = tensor_of(c.type, {3});
    for (const std::int64_t v : {1, 2, 3}) c.add(typed, v);
    EXPECT_EQ(numbers(read(typed)), (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(read(typed)->element_type(), c.expected);

    raw.set_raw_data(c.raw.substr(1));
    EXPECT_EQ(code(raw), "MO-ONNX-0032");
    raw.set_raw_data(c.raw + "x");
    EXPECT_EQ(code(raw), "MO-ONNX-0032");
    raw.set_raw_data(c.raw);
    c.add(raw, 1);
    EXPECT_EQ(code(raw), "MO-ONNX-0033");
    typed.set_dims(0, 4);
    EXPECT_EQ(code(typed), "MO-ONNX-0032");
    typed.set_dims(0, 2);
    EXPECT_EQ(code(typed), "MO-ONNX-0032");
  }
}

TEST(OnnxTensor, booleans_are_zero_or_one_whatever_the_file_holds) {
  TensorProto tensor = tensor_of(TensorProto::BOOL, {3});
  tensor.set_raw_data("\0\1\x05"s);
  EXPECT_EQ(numbers(read(tensor)), (std::vector<double>{0, 1, 1}));
  EXPECT_EQ(read(tensor)->bytes()[2], std::byte{1});
  tensor.clear_raw_data();
  for (const int v : {0, 1, 2}) tensor.add_int32_data(v);
  EXPECT_EQ(numbers(read(tensor)), (std::vector<double>{0, 1, 1}));
}

TEST(OnnxTensor, four_bit_numbers_are_packed_low_nibble_first) {
  TensorProto tensor = tensor_of(TensorProto::INT4, {3});
  tensor.set_raw_data("\xF1\x07"s);
  EXPECT_EQ(numbers(read(tensor)), (std::vector<double>{1, -1, 7}));
  tensor.clear_raw_data();
  tensor.add_int32_data(0xF1);
  tensor.add_int32_data(0x07);
  EXPECT_EQ(numbers(read(tensor)), (std::vector<double>{1, -1, 7}));
  tensor.set_data_type(TensorProto::UINT4);
  EXPECT_EQ(numbers(read(tensor)), (std::vector<double>{1, 15, 7}));
  tensor.add_int32_data(1);
  EXPECT_EQ(code(tensor), "MO-ONNX-0032");
}

TEST(OnnxTensor, strings_are_read) {
  TensorProto tensor = tensor_of(TensorProto::STRING, {2, 1});
  tensor.add_string_data("one");
  tensor.add_string_data("");
  EXPECT_EQ(*to_strings(*read(tensor)), (std::vector<std::string>{"one", ""}));
  tensor.add_string_data("three");
  EXPECT_EQ(code(tensor), "MO-ONNX-0032");
  tensor.clear_string_data();
  tensor.set_raw_data("raw");
  EXPECT_EQ(code(tensor), "MO-ONNX-0037");
}

TEST(OnnxTensor, scalars_and_empty_tensors_are_read) {
  TensorProto scalar = tensor_of(TensorProto::FLOAT, {});
  scalar.add_float_data(2.5F);
  EXPECT_EQ(read(scalar)->shape(), Shape{});
  EXPECT_EQ(numbers(read(scalar)), std::vector<double>{2.5});
  const TensorProto empty = tensor_of(TensorProto::INT64, {0});
  EXPECT_EQ(read(empty)->element_count(), 0);
  TensorProto raw = tensor_of(TensorProto::FLOAT, {2, 0});
  raw.set_raw_data("");
  EXPECT_EQ(read(raw)->shape(), (Shape{2, 0}));
}

TEST(OnnxTensor, types_without_a_counterpart_are_named) {
  for (const int type : {0, 14, 15, 27, 99, -1}) {
    TensorProto tensor;
    tensor.set_data_type(type);
    const auto result = read(tensor);
    ASSERT_EQ(code_of(result), "MO-ONNX-0030") << type;
    EXPECT_NE(result.error().first().message.find("tensor 'w'"), std::string::npos);
    EXPECT_NE(result.error().first().message.find(data_type_name(type)), std::string::npos);
  }
}

TEST(OnnxTensor, impossible_shapes_are_errors) {
  EXPECT_EQ(code(tensor_of(TensorProto::FLOAT, {-1})), "MO-ONNX-0031");
  EXPECT_EQ(code(tensor_of(TensorProto::FLOAT, {std::int64_t{1} << 62, 8})), "MO-ONNX-0031");
  EXPECT_EQ(code(tensor_of(TensorProto::DOUBLE, {std::int64_t{1} << 62})), "MO-ONNX-0031");
  EXPECT_EQ(code(tensor_of(TensorProto::FLOAT, std::vector<std::int64_t>(2000, 1))), "MO-ONNX-0031");
  // Without elements nothing is allocated for a shape that promises a terabyte.
  EXPECT_EQ(code(tensor_of(TensorProto::FLOAT, {std::int64_t{1} << 40})), "MO-ONNX-0032");
  TensorProto few = tensor_of(TensorProto::INT64, {std::int64_t{1} << 40});
  few.add_int64_data(1);
  EXPECT_EQ(code(few), "MO-ONNX-0032");
}

TEST(OnnxTensor, elements_in_the_wrong_place_are_errors) {
  TensorProto tensor = tensor_of(TensorProto::FLOAT, {1});
  tensor.add_int32_data(1);
  EXPECT_EQ(code(tensor), "MO-ONNX-0033");
  tensor.add_float_data(1);
  EXPECT_EQ(code(tensor), "MO-ONNX-0033");
  TensorProto byte = tensor_of(TensorProto::UINT8, {1});
  byte.add_int32_data(256);
  EXPECT_EQ(code(byte), "MO-ONNX-0034");
  TensorProto wide = tensor_of(TensorProto::UINT32, {1});
  wide.add_uint64_data(std::uint64_t{1} << 32);
  EXPECT_EQ(code(wide), "MO-ONNX-0034");
  TensorProto segment = tensor_of(TensorProto::FLOAT, {1});
  segment.add_float_data(1);
  segment.mutable_segment()->set_begin(0);
  EXPECT_EQ(code(segment), "MO-ONNX-0035");
}

TEST(OnnxTensor, unpacked_and_split_lists_are_read) {
  // dims 3, data_type FLOAT, float_data: one packed element, then two single ones.
  const std::string message = "\x08\x03\x10\x01\x22\x04\0\0\x80\x3F\x25\0\0\0\x40\x25\0\0\x40\x40\x42\x01w"s;
  Folder folder;
  const auto tensor = read_tensor_file(folder.write("t.pb", message));
  ASSERT_TRUE(tensor) << tensor.error().first().format();
  EXPECT_EQ(tensor->name, "w");
  EXPECT_EQ(*to_reals(tensor->tensor), (std::vector<double>{1, 2, 3}));
}

TEST(OnnxTensor, large_elements_stay_in_the_file) {
  TensorProto tensor = tensor_of(TensorProto::FLOAT, {1000});
  for (int i = 0; i < 1000; ++i) tensor.add_float_data(static_cast<float>(i));
  Folder folder;
  const Read packed = read_path(folder.write("packed.onnx", model_with_tensor(tensor)));
  ASSERT_TRUE(packed.graph);
  const Tensor value = (*packed.graph)->find_node("w").as<Const>()->value;
  EXPECT_NE(value.buffer()->file_range(), nullptr);
  EXPECT_EQ((*to_reals(value))[999], 999.0);
  tensor.clear_float_data();
  tensor.set_raw_data(std::string(4000, '\0'));
  const Read raw = read_path(folder.write("raw.onnx", model_with_tensor(tensor)));
  ASSERT_TRUE(raw.graph);
  EXPECT_NE((*raw.graph)->find_node("w").as<Const>()->value.buffer()->file_range(), nullptr);
}

TEST(OnnxTensor, sparse_tensors_become_dense) {
  const auto sparse = [](std::string_view dims, std::string_view indices) {
    const Read result =
        read_graph("sparse_initializer { " + std::string(dims) +
                   " values { name: 's' data_type: 1 dims: 2 float_data: [5, 6] } indices { data_type: 7 " +
                   std::string(indices) + " } } node { input: 's' output: 'y' op_type: 'A' }");
    if (!result.graph) return result.code();
    const Tensor& value = (*result.graph)->find_node("s").as<Const>()->value;
    std::string text = to_string(value.shape());
    const std::vector<double> elements = *to_reals(value);
    for (const double v : elements) text += std::to_string(static_cast<int>(v));
    return text;
  };
  EXPECT_EQ(sparse("dims: 4", "dims: 2 int64_data: [1, 3]"), "[4]0506");
  EXPECT_EQ(sparse("dims: [2, 2]", "dims: [2, 2] int64_data: [0, 1, 1, 0]"), "[2,2]0560");
  EXPECT_EQ(sparse("dims: 4", "dims: 2 int64_data: [1, 4]"), "MO-ONNX-0036");
  EXPECT_EQ(sparse("dims: 4", "dims: 2 int64_data: [3, 1]"), "MO-ONNX-0036");
  EXPECT_EQ(sparse("dims: 4", "dims: 2 int64_data: [1, 1]"), "MO-ONNX-0036");
  EXPECT_EQ(sparse("dims: 4", "dims: 3 int64_data: [0, 1, 2]"), "MO-ONNX-0036");
  EXPECT_EQ(sparse("dims: [2, 2]", "dims: [2, 2] int64_data: [0, 1, 2, 0]"), "MO-ONNX-0036");
  EXPECT_EQ(sparse("dims: -4", "dims: 2 int64_data: [1, 3]"), "MO-ONNX-0036");
  EXPECT_EQ(sparse("dims: 1099511627776", "dims: 2 int64_data: [1, 3]"), "MO-ONNX-0038");
}

TEST(OnnxTensorFile, a_tensor_is_read_and_anything_else_is_refused) {
  Folder folder;
  TensorProto tensor = tensor_of(TensorProto::INT32, {2});
  tensor.set_name("input");
  tensor.set_raw_data("\1\0\0\0\2\0\0\0"s);
  const auto read_back = read_tensor_file(folder.write("t.pb", tensor.SerializeAsString()));
  ASSERT_TRUE(read_back);
  EXPECT_EQ(read_back->name, "input");
  EXPECT_EQ(*to_integers(read_back->tensor), (std::vector<std::int64_t>{1, 2}));

  SequenceProto sequence;
  sequence.set_name("seq");
  sequence.set_elem_type(SequenceProto::TENSOR);
  EXPECT_EQ(code_of(read_tensor_file(folder.write("s.pb", sequence.SerializeAsString()))), "MO-ONNX-0051");
  *sequence.add_tensor_values() = tensor;
  EXPECT_EQ(code_of(read_tensor_file(folder.write("s.pb", sequence.SerializeAsString()))), "MO-ONNX-0051");
  OptionalProto optional;
  optional.set_name("opt");
  *optional.mutable_tensor_value() = tensor;
  EXPECT_EQ(code_of(read_tensor_file(folder.write("o.pb", optional.SerializeAsString()))), "MO-ONNX-0051");
  EXPECT_EQ(code_of(read_tensor_file(folder / "missing.pb")), "MO-IO-0001");
  EXPECT_NE(code_of(read_tensor_file(folder.write("cut.pb", tensor.SerializeAsString().substr(0, 9)))), "");
}

}  // namespace
}  // namespace mo::onnx::testing
