#include <functional>
#include <numeric>

#include "core/tensor/convert.hpp"
#include "tests/frontends/tensorflow/checkpoint_folder.hpp"

namespace mo::tensorflow::testing {
namespace {

using namespace std::string_literals;

template <class T, class Set>
TensorProto values_of(const std::vector<T>& values, Set set) {
  TensorProto proto;
  for (const T& value : values) (proto.*set)(value);
  return proto;
}

TensorProto floats(const std::vector<float>& values) { return values_of(values, &TensorProto::add_float_val); }
TensorProto ints(const std::vector<std::int32_t>& values) { return values_of(values, &TensorProto::add_int_val); }

class SavedSlicesRoundTrip : public ::testing::TestWithParam<bool> {};

TEST_P(SavedSlicesRoundTrip, every_type_of_value_is_read) {
  Folder folder;
  SavedSlicesWriter writer({16, 1000, GetParam()});
  writer.add("f", DT_FLOAT, {2, 2}, floats({1, 2, 3, -4}));
  writer.add("d", DT_DOUBLE, {2}, values_of(std::vector<double>{1.5, -2}, &TensorProto::add_double_val));
  writer.add("i", DT_INT32, {3}, ints({1, -2, 3}));
  writer.add("i8", DT_INT8, {2}, ints({-128, 127}));
  writer.add("u8", DT_UINT8, {2}, ints({0, 255}));
  writer.add("l", DT_INT64, {}, values_of(std::vector<std::int64_t>{INT64_MIN}, &TensorProto::add_int64_val));
  writer.add("b", DT_BOOL, {2}, values_of(std::vector<bool>{true, false}, &TensorProto::add_bool_val));
  writer.add("h", DT_HALF, {1}, values_of(std::vector<std::int32_t>{0x3C00}, &TensorProto::add_half_val));
  writer.add("c", DT_COMPLEX64, {2}, values_of(std::vector<float>{1, 2, 3, 4}, &TensorProto::add_scomplex_val));
  writer.add("s", DT_STRING, {2},
             values_of(std::vector<std::string>{"x", "yz"},
                       static_cast<void (TensorProto::*)(const std::string&)>(&TensorProto::add_string_val)));
  std::vector<float> large(3'000'000);
  std::iota(large.begin(), large.end(), 0.0F);
  writer.add("large", DT_FLOAT, {1000, 3000}, floats(large));
  const std::vector<std::int32_t> numbers = rectangle(2000, 0, 500, 0, 2000);
  writer.add("large_int", DT_INT32, {500, 2000}, ints(numbers));
  write_file(folder / "model.ckpt-1", writer.finish());
  const Opened opened = open_checkpoint(folder / "model.ckpt-1");
  ASSERT_EQ(opened.code(), "");
  EXPECT_EQ(opened->keys().size(), 12U);
  EXPECT_EQ(opened->type_of("c")->to_string(), "f32[2,2]");
  EXPECT_EQ(elements<float>(opened->read("f")), (std::vector<float>{1, 2, 3, -4}));
  EXPECT_EQ(elements<double>(opened->read("d")), (std::vector<double>{1.5, -2}));
  EXPECT_EQ(elements<std::int32_t>(opened->read("i")), (std::vector<std::int32_t>{1, -2, 3}));
  EXPECT_EQ(elements<std::int8_t>(opened->read("i8")), (std::vector<std::int8_t>{-128, 127}));
  EXPECT_EQ(elements<std::uint8_t>(opened->read("u8")), (std::vector<std::uint8_t>{0, 255}));
  EXPECT_EQ(elements<std::int64_t>(opened->read("l")), (std::vector<std::int64_t>{INT64_MIN}));
  EXPECT_EQ(raw(opened->read("b")), "\1\0"s);
  EXPECT_EQ(raw(opened->read("h")), "\x00\x3C"s);
  EXPECT_EQ(elements<float>(opened->read("c")), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(*to_strings(*opened->read("s")), (std::vector<std::string>{"x", "yz"}));
  EXPECT_EQ(elements<float>(opened->read("large")), large);
  EXPECT_EQ(elements<std::int32_t>(opened->read("large_int")), numbers);
  EXPECT_FALSE(opened->read("large")->in_memory());
  EXPECT_EQ(opened->read("large")->buffer()->file_range() == nullptr, GetParam())
      << "what is not compressed stays in the file";
  EXPECT_EQ(elements<float>(opened->read_slice("large", Extents{{7, 1}, {10, 3}})),
            (std::vector<float>{21010, 21011, 21012}));
}

INSTANTIATE_TEST_SUITE_P(Compression, SavedSlicesRoundTrip, ::testing::Bool());

TEST(SavedSlices, slices_may_lie_in_several_files) {
  Folder folder;
  for (int i = 0; i < 3; ++i) {
    SavedSlicesWriter writer;
    writer.add("v", DT_INT32, {6, 2}, {{2 * i, 2}, {}}, ints(rectangle(2, 2 * i, 2, 0, 2)));
    writer.add("own" + std::to_string(i), DT_FLOAT, {1}, floats({static_cast<float>(i)}));
    write_file(folder / shard_name("m-", i, 3), writer.finish());
  }
  const Opened opened = open_checkpoint(folder / "m");
  ASSERT_EQ(opened.code(), "");
  EXPECT_EQ(elements<std::int32_t>(opened->read("v")), rectangle(2, 0, 6, 0, 2));
  EXPECT_EQ(elements<std::int32_t>(opened->read_slice("v", Extents{{1, 4}, {1, 1}})),
            (std::vector<std::int32_t>{3, 5, 7, 9}));
  EXPECT_EQ(elements<float>(opened->read("own2")), (std::vector<float>{2}));
  fs::remove(folder / "m-00001-of-00003");
  EXPECT_EQ(open_checkpoint(folder / "m").code(), "MO-TF-0413");
  fs::rename(folder / "m-00002-of-00003", folder / "m-00001-of-00003");
  EXPECT_EQ(open_checkpoint(folder / "m").code(), "MO-TF-0413");
}

TEST(SavedSlices, files_that_contradict_themselves_are_errors) {
  const auto code = [](const std::function<void(SavedSlicesWriter&)>& edit, const char* key = "v") {
    Folder folder;
    SavedSlicesWriter writer;
    writer.add("v", DT_FLOAT, {4}, {{0, 2}}, floats({1, 2}));
    writer.add("v", DT_FLOAT, {4}, {{2, 2}}, floats({3, 4}));
    edit(writer);
    write_file(folder / "m", writer.finish());
    const Opened opened = open_checkpoint(folder / "m");
    return opened ? code_of(opened->read(key)) : opened.code();
  };
  EXPECT_EQ(code([](SavedSlicesWriter&) {}), "");
  EXPECT_EQ(code([](SavedSlicesWriter&) {}, "w"), "MO-TF-0418");
  EXPECT_EQ(code([](SavedSlicesWriter& w) { w.add("v", DT_FLOAT, {4}, {{2, 2}}, floats({3})); }), "MO-TF-0417");
  EXPECT_EQ(code([](SavedSlicesWriter& w) { w.variables["v"].slices.pop_back(); }), "MO-TF-0417");
  EXPECT_EQ(code([](SavedSlicesWriter& w) { w.variables["v"].slices.push_back({{4, 1}}); }), "MO-TF-0417");
  EXPECT_EQ(code([](SavedSlicesWriter& w) { w.records.erase(encode_slice_key("v", {{2, 2}})); }), "MO-TF-0417");
  EXPECT_EQ(code([](SavedSlicesWriter& w) { w.variables["v"].shape = {-4}; }), "MO-TF-0021");
  EXPECT_EQ(code([](SavedSlicesWriter& w) { w.variables["v"].shape = {-1}; }), "MO-TF-0411");
  EXPECT_EQ(code([](SavedSlicesWriter& w) { w.variables["v"].type = DT_RESOURCE; }), "MO-TF-0421");
  // Fewer values, more values, values of another type, another variable's record, a record that is none.
  EXPECT_EQ(code([](SavedSlicesWriter& w) { w.add("s", DT_FLOAT, {3}, floats({3})); }, "s"), "MO-TF-0423");
  EXPECT_EQ(code([](SavedSlicesWriter& w) { w.add("s", DT_FLOAT, {1}, floats({3, 4})); }, "s"), "MO-TF-0423");
  EXPECT_EQ(code([](SavedSlicesWriter& w) { w.add("s", DT_FLOAT, {1}, ints({3})); }, "s"), "MO-TF-0423");
  EXPECT_EQ(code([](SavedSlicesWriter& w) {
              w.records[encode_slice_key("v", {{0, 2}})] = w.records[encode_slice_key("x", {{0, 2}})];
            }),
            "MO-TF-0423");
  EXPECT_EQ(code([](SavedSlicesWriter& w) {
              w.add("x", DT_FLOAT, {2}, floats({9, 9}));
              w.records[encode_slice_key("v", {{0, 2}})] = w.records[encode_slice_key("x", {{}})];
            }),
            "MO-TF-0423");
  EXPECT_EQ(code([](SavedSlicesWriter& w) { w.records[encode_slice_key("v", {{0, 2}})] = "\x12\xFF"; }), "MO-PB-0001");
}

TEST(SavedSlices, files_with_different_ideas_of_a_variable_are_errors) {
  Folder folder;
  for (int i = 0; i < 2; ++i) {
    SavedSlicesWriter writer;
    writer.add("v", i == 0 ? DT_FLOAT : DT_INT32, {4}, {{2 * i, 2}}, floats({1, 2}));
    write_file(folder / shard_name("m-", i, 2), writer.finish());
  }
  EXPECT_EQ(open_checkpoint(folder / "m").code(), "MO-TF-0423");
}

TEST(SavedSlices, a_table_of_something_else_is_refused) {
  Folder folder;
  TableWriter table;
  table.add("a", "b");
  write_file(folder / "m", table.finish());
  EXPECT_EQ(open_checkpoint(folder / "m").code(), "MO-TF-0423");
}

}  // namespace
}  // namespace mo::tensorflow::testing
