#include "tools/common/npy.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "core/files/output_set.hpp"
#include "core/tensor/convert.hpp"
#include "core/tensor/half.hpp"

namespace mo::tools {
namespace {

std::string temporary(const std::string& name) { return testing::TempDir() + "/npy_test_" + name; }

std::string write_text(const std::string& name, const std::string& content) {
  const std::string path = temporary(name);
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

/// A file of format `version` with this dictionary and this data.
std::string file(const std::string& dictionary, const std::string& data, char version = 1) {
  std::string text = std::string("\x93NUMPY") + version + '\0';
  std::string header = dictionary + "\n";
  text += static_cast<char>(header.size() & 0xFF);
  text += static_cast<char>(header.size() >> 8);
  if (version > 1) text += std::string(2, '\0');
  return text + header + data;
}

std::string code_of(const Expected<Tensor>& result) { return result ? "no error" : result.error().first().code; }

std::string code_of_file(const std::string& content) { return code_of(read_npy(write_text("bad.npy", content))); }

/// The file alone, as mo_run writes each of its outputs.
Expected<void> write_file(const std::string& path, const Tensor& tensor) {
  const std::filesystem::path place(path);
  MO_ASSIGN(const std::unique_ptr<OutputSet> set,
            OutputSet::create(place.parent_path().string(), "npy_test", {place.filename().string()}));
  MO_ASSIGN(OutputFile* const file, set->open(0));
  MO_TRY(write_npy(*file, tensor));
  return set->commit();
}

TEST(Npy, every_element_type_survives_a_round_trip) {
  for (const ElementType type :
       {ElementType::boolean, ElementType::i8, ElementType::i16, ElementType::i32, ElementType::i64, ElementType::u8,
        ElementType::u16, ElementType::u32, ElementType::u64, ElementType::f16, ElementType::f32, ElementType::f64}) {
    const auto tensor = from_integers(type, {2, 3}, {0, 1, 1, 0, 1, 1});
    ASSERT_TRUE(tensor);
    const std::string path = temporary("round.npy");
    ASSERT_TRUE(write_file(path, *tensor)) << to_string(type);
    const auto back = read_npy(path);
    ASSERT_TRUE(back) << to_string(type);
    EXPECT_EQ(back->element_type(), type);
    EXPECT_EQ(back->shape(), tensor->shape());
    EXPECT_EQ(*to_integers(*back), *to_integers(*tensor));
  }
}

TEST(Npy, scalars_vectors_and_empty_arrays_survive_a_round_trip) {
  for (const Shape& shape : {Shape{}, Shape{1}, Shape{5}, Shape{0}, Shape{2, 0, 3}, Shape{1, 1, 1, 1, 1, 7}}) {
    const auto tensor = Tensor::allocate(ElementType::f32, shape);
    ASSERT_TRUE(tensor);
    const std::string path = temporary("shape.npy");
    ASSERT_TRUE(write_file(path, *tensor));
    const auto back = read_npy(path);
    ASSERT_TRUE(back) << to_string(shape);
    EXPECT_EQ(back->shape(), shape);
    EXPECT_EQ((std::filesystem::file_size(path) - tensor->byte_size()) % 64, 0U);
  }
}

TEST(Npy, types_that_numpy_lacks_are_widened) {
  const std::string path = temporary("wide.npy");
  const auto bf16 = from_reals(ElementType::bf16, {2}, {1.5, -2});
  ASSERT_TRUE(write_file(path, *bf16));
  EXPECT_EQ(read_npy(path)->element_type(), ElementType::f32);
  EXPECT_EQ(*to_reals(*read_npy(path)), (std::vector<double>{1.5, -2}));
  const auto i4 = from_integers(ElementType::i4, {3}, {-8, 7, 1});
  ASSERT_TRUE(write_file(path, *i4));
  EXPECT_EQ(read_npy(path)->element_type(), ElementType::i8);
  EXPECT_EQ(*to_integers(*read_npy(path)), (std::vector<std::int64_t>{-8, 7, 1}));
}

TEST(Npy, strings_are_refused) {
  const auto result = write_file(temporary("text.npy"), from_strings({1}, {"a"}));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().first().code, "MO-NPY-0006");
}

TEST(Npy, fortran_order_is_read_as_row_major) {
  const auto tensor = read_npy(write_text(
      "f.npy", file("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", "\x01\x04\x02\x05\x03\x06")));
  ASSERT_TRUE(tensor);
  EXPECT_EQ(*to_integers(*tensor), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}));
}

TEST(Npy, versions_2_and_3_have_a_longer_length_field) {
  for (const char version : {'\x02', '\x03'})
    EXPECT_TRUE(
        read_npy(write_text("v.npy", file("{'descr': '|i1', 'fortran_order': False, 'shape': (2,)}", "ab", version))));
}

TEST(Npy, keys_may_come_in_any_order_and_with_double_quotes) {
  EXPECT_TRUE(read_npy(write_text("k.npy", file(R"({"shape":(),"descr":"<i2","fortran_order":False})", "ab"))));
}

TEST(Npy, a_boolean_that_is_not_0_or_1_becomes_1) {
  const auto tensor = read_npy(
      write_text("b.npy", file("{'descr': '|b1', 'fortran_order': False, 'shape': (2,)}", std::string("\x07\x00", 2))));
  ASSERT_TRUE(tensor);
  EXPECT_EQ(std::to_integer<int>(tensor->bytes()[0]), 1);
  EXPECT_EQ(std::to_integer<int>(tensor->bytes()[1]), 0);
}

TEST(Npy, other_files_are_named_as_such) {
  EXPECT_EQ(code_of_file(""), "MO-NPY-0001");
  EXPECT_EQ(code_of_file("PK\x03\x04 this is a zip"), "MO-NPY-0001");
  EXPECT_EQ(code_of_file(file("{}", "", '\x09')), "MO-NPY-0001");
  EXPECT_EQ(code_of(read_npy(temporary("absent.npy"))), "MO-IO-0001");
}

TEST(Npy, malformed_headers_are_refused) {
  for (const char* header :
       {"", "{", "{'descr'", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 1}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (), 'more': ()}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}"})
    EXPECT_EQ(code_of_file(file(header, "1234")), "MO-NPY-0002") << header;
  EXPECT_EQ(code_of_file(std::string("\x93NUMPY\x01\x00\xFF\xFF", 10)), "MO-NPY-0002");
  EXPECT_EQ(code_of_file(std::string("\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF", 12)), "MO-NPY-0002");
}

TEST(Npy, unsupported_element_types_are_refused) {
  for (const char* type : {"'>f4'", "'<c8'", "'|O'", "'<U3'", "'|S3'", "'<M8[ns]'", "''", "'<f16'", "[('a', '<f4')]"})
    EXPECT_EQ(code_of_file(file(std::string("{'descr': ") + type + ", 'fortran_order': False, 'shape': ()}", "1234")),
              "MO-NPY-0003")
        << type;
}

TEST(Npy, sizes_that_do_not_fit_the_file_are_refused_before_anything_is_allocated) {
  const auto with_shape = [](const std::string& shape) {
    return file("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + "}", "12345678");
  };
  EXPECT_EQ(code_of_file(with_shape("(3,)")), "MO-NPY-0004");
  EXPECT_EQ(code_of_file(with_shape("(1,)")), "MO-NPY-0004");
  EXPECT_EQ(code_of_file(with_shape("(4611686018427387904, 4)")), "MO-NPY-0004");
  EXPECT_EQ(code_of_file(with_shape("(1000000000000,)")), "MO-NPY-0004");
}

TEST(Npy, a_truncated_file_is_refused_at_every_length) {
  const std::string whole = file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "12345678");
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(code_of_file(whole.substr(0, length)), "no error") << length;
}

TEST(Npy, a_place_that_cannot_be_written_is_named) {
  const auto result = write_file("/proc/x.npy", Tensor::scalar(1.0F));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().first().code, "MO-EMIT-0001");
}

}  // namespace
}  // namespace mo::tools
