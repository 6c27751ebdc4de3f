#include "core/tensor/convert.hpp"
#include "tests/frontends/onnx/model_builder.hpp"

namespace mo::onnx::testing {
namespace {

namespace fs = std::filesystem;
using Entries = std::vector<std::pair<std::string, std::string>>;

/// A model whose tensor u8[4] is external.
std::string model(const Entries& entries, std::int64_t elements = 4, TensorProto::DataType type = TensorProto::UINT8) {
  TensorProto tensor;
  tensor.set_data_type(type);
  tensor.add_dims(elements);
  tensor.set_data_location(TensorProto::EXTERNAL);
  for (const auto& [key, value] : entries) {
    StringStringEntryProto& entry = *tensor.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
  return model_with_tensor(tensor);
}

/// A folder with the model and "data.bin" (bytes 0 … 9).
class ExternalData : public ::testing::Test {
 protected:
  void SetUp() override { folder.write("data.bin", std::string("\0\1\2\3\4\5\6\7\x8\x9", 10)); }

  Read read(const Entries& entries, std::int64_t elements = 4) const {
    return read_path(folder.write("m.onnx", model(entries, elements)));
  }
  std::string code(const Entries& entries, std::int64_t elements = 4) const { return read(entries, elements).code(); }
  std::string code_at(std::string_view location) const { return code({{"location", std::string(location)}}); }

  Folder folder;
};

TEST_F(ExternalData, a_range_of_the_file_is_the_tensor) {
  const Read result = read({{"location", "data.bin"}, {"offset", "3"}, {"length", "4"}, {"checksum", "anything"}});
  ASSERT_TRUE(result.graph) << result.graph.error().first().format();
  EXPECT_EQ(*to_integers((*result.graph)->find_node("w").as<Const>()->value), (std::vector<std::int64_t>{3, 4, 5, 6}));
  EXPECT_TRUE(result.sink.items.empty());
}

TEST_F(ExternalData, offset_and_length_may_be_missing) {
  EXPECT_EQ(code({{"location", "./data.bin"}}), "");
  EXPECT_EQ(code({{"location", "data.bin"}}, 0), "");
}

TEST_F(ExternalData, a_file_is_opened_once) {
  const std::string path = folder.write("m.onnx", [] {
    ModelProto proto;
    proto.ParseFromString(model({{"location", "data.bin"}}, 10));
    TensorProto second = proto.graph().initializer(0);
    second.set_name("v");
    *proto.mutable_graph()->add_initializer() = second;
    return proto.SerializeAsString();
  }());
  const Read result = read_path(path);
  ASSERT_TRUE(result.graph);
  // Tensors as small as these are copied; the point is that both could be read.
  EXPECT_EQ((*result.graph)->find_node("v").as<Const>()->value.byte_size(), 10U);
}

TEST_F(ExternalData, locations_outside_of_the_folder_are_refused) {
  fs::create_directory(folder / "sub");
  for (const char* location :
       {"", ".", "./", "/etc/passwd", "../data.bin", "sub/../../data.bin", "sub/../data.bin", "..", "sub/..", "a\\b",
        "\\\\host\\share", "C:/data.bin", "c:data.bin", "sub//data.bin", "//data.bin"})
    EXPECT_EQ(code_at(location), "MO-IO-0010") << location;
  EXPECT_EQ(code_at(std::string("data.bin\0.txt", 13)), "MO-IO-0010");
  EXPECT_EQ(code_at(std::string(10'000, 'a')), "MO-IO-0010");
  EXPECT_EQ(code({{"offset", "0"}}), "MO-IO-0010");
}

TEST_F(ExternalData, links_are_refused_wherever_they_are) {
  fs::create_symlink("data.bin", folder / "link.bin");
  EXPECT_EQ(code_at("link.bin"), "MO-IO-0011");
  fs::create_directory(folder / "real");
  folder.write("real/inner.bin", "0123456789");
  EXPECT_EQ(code_at("real/inner.bin"), "");
  fs::create_directory_symlink("real", folder / "linked");
  EXPECT_EQ(code_at("linked/inner.bin"), "MO-IO-0011");
  fs::create_hard_link(folder / "data.bin", folder / "second.bin");
  EXPECT_EQ(code_at("second.bin"), "MO-IO-0012");
}

TEST_F(ExternalData, links_are_followed_where_the_user_allows_them) {
  // The cache of a model hub: names in one folder, contents in another one.
  fs::create_directory(folder / "blobs");
  fs::create_directory(folder / "snapshot");
  folder.write("blobs/1", model({{"location", "weights.bin"}}, 10));
  folder.write("blobs/2", "0123456789");
  fs::create_symlink("../blobs/1", folder / "snapshot/model.onnx");
  fs::create_symlink("../blobs/2", folder / "snapshot/weights.bin");
  const std::string path = folder / "snapshot/model.onnx";
  DiagnosticList diagnostics;
  const auto refused = read_model(path, diagnostics);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().first().code, "MO-IO-0011");
  EXPECT_NE(refused.error().first().hint_text.find("--allow-links"), std::string::npos);
  const auto followed = read_model(path, diagnostics, Links::followed);
  ASSERT_TRUE(followed);
  EXPECT_EQ((*followed)->find_node("w").as<Const>()->value.byte_size(), 10U);
  fs::create_hard_link(folder / "blobs/2", folder / "blobs/3");
  EXPECT_TRUE(read_model(path, diagnostics, Links::followed));
  // Names that lead outside by themselves are refused all the same.
  folder.write("blobs/1", model({{"location", "../blobs/2"}}, 10));
  EXPECT_EQ(read_model(path, diagnostics, Links::followed).error().first().code, "MO-IO-0010");
}

TEST_F(ExternalData, paths_that_are_not_files_are_refused_without_waiting) {
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(code_at("fifo"), "MO-IO-0002");
  fs::create_directory(folder / "sub");
  EXPECT_EQ(code_at("sub"), "MO-IO-0002");
  EXPECT_EQ(code_at("missing.bin"), "MO-IO-0013");
  EXPECT_EQ(code_at("missing/data.bin"), "MO-IO-0013");
  EXPECT_EQ(code_at("data.bin/data.bin"), "MO-IO-0013");
}

TEST_F(ExternalData, numbers_are_strictly_decimal_and_checked_against_the_file) {
  for (const char* number : {"", "-1", "+1", " 1", "1 ", "0x10", "1e1", "1.0", "18446744073709551616", "one"}) {
    EXPECT_EQ(code({{"location", "data.bin"}, {"offset", number}}), "MO-IO-0014") << number;
    EXPECT_EQ(code({{"location", "data.bin"}, {"length", number}}), "MO-IO-0014") << number;
  }
  EXPECT_EQ(code({{"location", "data.bin"}, {"offset", "6"}}), "");
  EXPECT_EQ(code({{"location", "data.bin"}, {"offset", "7"}}), "MO-IO-0015");
  EXPECT_EQ(code({{"location", "data.bin"}, {"offset", "18446744073709551615"}}), "MO-IO-0015");
  EXPECT_EQ(code({{"location", "data.bin"}}, 11), "MO-IO-0015");
  EXPECT_EQ(code({{"location", "data.bin"}, {"length", "5"}}), "MO-IO-0018");
}

TEST_F(ExternalData, unknown_keys_are_reported_once_and_ignored) {
  const Read result = read({{"location", "data.bin"}, {"__class__", "x"}, {"__class__", "y"}});
  ASSERT_TRUE(result.graph);
  EXPECT_EQ(result.sink.items.size(), 1U);
  EXPECT_TRUE(result.warned_of("MO-IO-0016"));
}

TEST_F(ExternalData, a_model_in_memory_has_no_folder) {
  EXPECT_EQ(read_bytes(model({{"location", "data.bin"}})).code(), "MO-IO-0017");
}

TEST_F(ExternalData, strings_and_doubled_elements_are_refused) {
  EXPECT_EQ(read_path(folder.write("m.onnx", model({{"location", "data.bin"}}, 4, TensorProto::STRING))).code(),
            "MO-ONNX-0037");
  TensorProto tensor;
  tensor.set_data_type(TensorProto::UINT8);
  tensor.set_data_location(TensorProto::EXTERNAL);
  tensor.set_raw_data("x");
  EXPECT_EQ(read_bytes(model_with_tensor(tensor)).code(), "MO-ONNX-0033");
}

}  // namespace
}  // namespace mo::onnx::testing
