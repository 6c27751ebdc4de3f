#include "frontends/tensorflow/checkpoint/crc32c.hpp"
#include "frontends/tensorflow/checkpoint/object_graph.hpp"
#include "frontends/tensorflow/checkpoint/slice_spec.hpp"
#include "tests/frontends/tensorflow/checkpoint_folder.hpp"

namespace mo::tensorflow::testing {
namespace {

using namespace std::string_literals;

TEST(Crc32c, is_that_of_the_published_vectors) {
  EXPECT_EQ(crc_of("123456789"), 0xE3069283U);
  EXPECT_EQ(crc_of(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc_of(std::string(32, '\xFF')), 0x62A8AB43U);
  EXPECT_EQ(crc_of("56789", crc_of("1234")), 0xE3069283U);
  EXPECT_EQ(unmask_crc(mask_crc(0xE3069283U)), 0xE3069283U);
  // The trailer of an empty block, as it is in every table.
  EXPECT_EQ(mask_crc(crc_of("\0\0\0\0\1\0\0\0\0"s)), 0xB0A1F2C0U);
}

/// The encoding of one number, cut out of a key.
std::string encoded(std::int64_t value) {
  const std::string key = encode_slice_key("", {{value, 0}});
  EXPECT_EQ(key.substr(0, 5), "\0\0\1\1\1"s);
  EXPECT_EQ(key.back(), '\x80');
  return key.substr(5, key.size() - 6);
}

TEST(SliceKey, numbers_take_as_few_bytes_as_they_need_and_sort_as_they_do) {
  EXPECT_EQ(encoded(0), "\x80");
  EXPECT_EQ(encoded(1), "\x81");
  EXPECT_EQ(encoded(-1), "\x7F");
  EXPECT_EQ(encoded(63), "\xBF");
  EXPECT_EQ(encoded(-64), "\x40");
  EXPECT_EQ(encoded(64), "\xC0\x40");
  EXPECT_EQ(encoded(-65), "\x3F\xBF");
  EXPECT_EQ(encoded(-0x800), "\x38\x00"s);
  EXPECT_EQ(encoded(0x424242), "\xF0\x42\x42\x42");
  EXPECT_EQ(encoded((std::int64_t{1} << 48) - 1), "\xFE\xFF\xFF\xFF\xFF\xFF\xFF");
  EXPECT_EQ(encoded(std::int64_t{1} << 55), "\xFF\x80\x80\0\0\0\0\0\0"s);
  EXPECT_EQ(encoded(INT64_MAX), "\xFF\xC0\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF");
  EXPECT_EQ(encoded(INT64_MIN), "\x00\x3F\x80\x00\x00\x00\x00\x00\x00\x00"s);
  std::string last;
  for (int bit = 0; bit < 63; ++bit)
    for (const std::int64_t value : {(std::int64_t{1} << bit) - 1, std::int64_t{1} << bit}) {
      if (value == 1 && bit == 1) continue;
      if (last == encoded(value)) continue;
      EXPECT_LT(last, encoded(value)) << value;
      EXPECT_GT(encoded(-value), encoded(-value - 1)) << value;
      last = encoded(value);
    }
}

TEST(SliceKey, names_are_escaped_and_whole_dimensions_have_length_minus_one) {
  EXPECT_EQ(encode_slice_key("w", {{0, 5}, {}}), "\0w\0\1\1\2\x80\x85\x80\x7F"s);
  EXPECT_EQ(encode_slice_key("a\0b\xFF"s, {}),
            "\0a\0\xFF"
            "b\xFF\0\0\1\0"s);
}

TEST(ShapeAndSlice, text_of_a_slice_is_parsed) {
  EXPECT_FALSE(*parse_shape_and_slice(""));
  const auto spec = parse_shape_and_slice("10 20 0,5:-");
  ASSERT_TRUE(spec && *spec);
  EXPECT_EQ((**spec).shape, (Shape{10, 20}));
  EXPECT_EQ((**spec).extents, (Extents{{0, 5}, {0, 20}}));
  EXPECT_EQ(to_string(Extents{{0, 5}, {}}), "0,5:-");
}

TEST(ShapeAndSlice, text_that_is_not_a_slice_is_an_error) {
  for (const char* text : {" ",
                           "10",
                           "10 ",
                           " 0,5",
                           "10 0,11",
                           "10 5,6",
                           "10 -1,5",
                           "10 0,0",
                           "10 0,-1",
                           "10 0,5:-",
                           "10 20 0,5",
                           "x -",
                           "10  20 -:-",
                           "-1 -",
                           "10 0",
                           "10 0,5,6",
                           "10 a,b",
                           "9223372036854775807 9223372036854775807 -:-",
                           "99999999999999999999 -",
                           "10 9223372036854775807,9223372036854775807"})
    EXPECT_EQ(code_of(parse_shape_and_slice(text)), "MO-TF-0420") << text;
}

TEST(ObjectGraph, children_and_attributes_are_read) {
  TrackableObjectGraph proto;
  auto& root = *proto.add_nodes();
  auto& child = *root.add_children();
  child.set_node_id(1);
  child.set_local_name("dense");
  auto& attribute = *proto.add_nodes()->add_attributes();
  attribute.set_name("VARIABLE_VALUE");
  attribute.set_full_name("dense/kernel");
  attribute.set_checkpoint_key("dense/kernel/.ATTRIBUTES/VARIABLE_VALUE");
  const auto graph = read_object_graph(proto.SerializeAsString());
  ASSERT_TRUE(graph);
  ASSERT_EQ(graph->nodes.size(), 2U);
  EXPECT_EQ(graph->nodes[0].children[0].id, 1);
  EXPECT_EQ(graph->nodes[0].children[0].local_name, "dense");
  EXPECT_EQ(graph->nodes[1].attributes[0].name, "VARIABLE_VALUE");
  EXPECT_EQ(graph->nodes[1].attributes[0].full_name, "dense/kernel");
  EXPECT_EQ(graph->nodes[1].attributes[0].checkpoint_key, "dense/kernel/.ATTRIBUTES/VARIABLE_VALUE");
  EXPECT_TRUE(read_object_graph("")->nodes.empty());
}

TEST(ObjectGraph, a_reference_to_a_missing_object_is_an_error) {
  for (const int id : {2, 1, -1, INT32_MAX}) {
    TrackableObjectGraph proto;
    proto.add_nodes()->add_children()->set_node_id(id);
    EXPECT_EQ(code_of(read_object_graph(proto.SerializeAsString())), "MO-TF-0422") << id;
  }
  EXPECT_EQ(code_of(read_object_graph("\x0A\x05")), "MO-PB-0001");
}

}  // namespace
}  // namespace mo::tensorflow::testing
