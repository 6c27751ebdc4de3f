#include <functional>

#include "core/tensor/convert.hpp"
#include "tests/frontends/tensorflow/checkpoint_folder.hpp"

namespace mo::tensorflow::testing {
namespace {

/// "rows": [0,3) and [3,8); "grid": four rectangles; both 8 x 6.
BundleWriter sliced() {
  BundleWriter writer(2);
  writer.add_slice("rows", DT_INT32, {8, 6}, {{0, 3}, {}}, bytes_of(rectangle(6, 0, 3, 0, 6)));
  writer.add_slice("rows", DT_INT32, {8, 6}, {{3, 5}, {}}, bytes_of(rectangle(6, 3, 5, 0, 6)));
  for (const auto& [y, height] : {std::pair(0, 3), std::pair(3, 5)})
    for (const auto& [x, width] : {std::pair(0, 2), std::pair(2, 4)})
      writer.add_slice("grid", DT_INT32, {8, 6}, {{y, height}, {x, width}},
                       bytes_of(rectangle(6, y, height, x, width)));
  return writer;
}

TEST(SlicedVariable, is_put_together) {
  Folder folder;
  sliced().write(folder / "m");
  const Opened opened = open_checkpoint(folder / "m");
  EXPECT_EQ(opened->keys(), (std::vector<std::string>{"grid", "rows"}));
  for (const char* key : {"rows", "grid"}) {
    EXPECT_EQ(opened->type_of(key)->to_string(), "i32[8,6]");
    EXPECT_EQ(elements<std::int32_t>(opened->read(key)), rectangle(6, 0, 8, 0, 6)) << key;
  }
}

TEST(SlicedVariable, any_slice_of_it_can_be_read) {
  Folder folder;
  BundleWriter writer = sliced();
  writer.add("whole", DT_INT32, {8, 6}, bytes_of(rectangle(6, 0, 8, 0, 6)));
  writer.write(folder / "m");
  const Opened opened = open_checkpoint(folder / "m");
  for (const char* key : {"rows", "grid", "whole"})
    for (std::int64_t y = 0; y < 8; ++y)
      for (std::int64_t height = 1; y + height <= 8; ++height)
        for (std::int64_t x = 0; x < 6; ++x)
          for (std::int64_t width = 1; x + width <= 6; ++width) {
            const auto part = opened->read_slice(key, Extents{{y, height}, {x, width}});
            ASSERT_EQ(part->shape(), (Shape{height, width}));
            ASSERT_EQ(elements<std::int32_t>(part), rectangle(6, y, height, x, width))
                << key << y << height << x << width;
          }
  EXPECT_EQ(elements<std::int32_t>(opened->read_slice("grid", Extents{{2, 2}, {}})), rectangle(6, 2, 2, 0, 6));
  EXPECT_EQ(elements<std::int32_t>(opened->read_slice("rows", **parse_shape_and_slice("8 6 1,4:2,3"))),
            rectangle(6, 1, 4, 2, 3));
}

TEST(SlicedVariable, a_slice_that_is_stored_so_stays_in_its_file) {
  Folder folder;
  BundleWriter writer;
  writer.add_slice("v", DT_INT32, {8, 600}, {{0, 3}, {}}, bytes_of(rectangle(600, 0, 3, 0, 600)));
  writer.add_slice("v", DT_INT32, {8, 600}, {{3, 5}, {}}, bytes_of(rectangle(600, 3, 5, 0, 600)));
  writer.write(folder / "m");
  const Opened opened = open_checkpoint(folder / "m");
  for (const Extents& slice : {Extents{{3, 5}, {}}, Extents{{4, 2}, {}}, Extents{{5, 1}, {100, 400}}}) {
    const auto part = opened->read_slice("v", slice);
    ASSERT_TRUE(part);
    EXPECT_TRUE(part->buffer()->file_range());
    const Extent columns = slice[1].length < 0 ? Extent{0, 600} : slice[1];
    EXPECT_EQ(elements<std::int32_t>(part),
              rectangle(600, slice[0].start, slice[0].length, columns.start, columns.length));
  }
}

TEST(SlicedVariable, a_large_one_is_put_together_when_it_is_needed) {
  Folder folder;
  BundleWriter writer(3);
  for (const Extent& rows : {Extent{0, 100}, Extent{100, 1}, Extent{101, 199}})
    for (const Extent& columns : {Extent{0, 150}, Extent{150, 50}})
      writer.add_slice("v", DT_INT32, {300, 200}, {rows, columns},
                       bytes_of(rectangle(200, rows.start, rows.length, columns.start, columns.length)));
  for (const Extent& rows : {Extent{0, 100}, Extent{100, 1}, Extent{101, 199}})
    writer.add_slice("r", DT_INT32, {300, 200}, {rows, {}}, bytes_of(rectangle(200, rows.start, rows.length, 0, 200)));
  writer.write(folder / "m");
  Opened opened = open_checkpoint(folder / "m");
  for (const char* key : {"v", "r"}) {
    const auto whole = opened->read(key);
    ASSERT_TRUE(whole);
    EXPECT_FALSE(whole->in_memory());
    EXPECT_FALSE(whole->buffer()->file_range());
    EXPECT_EQ(elements<std::int32_t>(whole), rectangle(200, 0, 300, 0, 200));
    EXPECT_EQ(elements<std::int32_t>(opened->read_slice(key, Extents{{50, 200}, {10, 180}})),
              rectangle(200, 50, 200, 10, 180));
  }
  // It keeps the files open, not the checkpoint.
  const auto whole = opened->read("v");
  opened.checkpoint = error("MO-TF-0400", "closed");
  EXPECT_EQ(elements<std::int32_t>(whole), rectangle(200, 0, 300, 0, 200));
}

TEST(SlicedVariable, complex_numbers_and_strings_can_be_sliced) {
  Folder folder;
  BundleWriter writer;
  const std::vector<float> numbers = {1, 2, 3, 4, 5, 6, 7, 8};
  writer.add_slice("c", DT_COMPLEX64, {2, 2}, {{}, {0, 1}}, bytes_of(std::vector<float>{1, 2, 5, 6}));
  writer.add_slice("c", DT_COMPLEX64, {2, 2}, {{}, {1, 1}}, bytes_of(std::vector<float>{3, 4, 7, 8}));
  writer.add_strings("s", {4}, {"a", "b", "c", "d"});
  writer.write(folder / "m");
  const Opened opened = open_checkpoint(folder / "m");
  EXPECT_EQ(elements<float>(opened->read("c")), numbers);
  EXPECT_EQ(opened->read("c")->shape(), (Shape{2, 2, 2}));
  EXPECT_EQ(elements<float>(opened->read_slice("c", **parse_shape_and_slice("2 2 1,1:-"))),
            (std::vector<float>{5, 6, 7, 8}));
  EXPECT_EQ(*to_strings(*opened->read_slice("s", Extents{{1, 2}})), (std::vector<std::string>{"b", "c"}));
}

TEST(SlicedVariable, a_slice_that_is_everything_is_the_variable) {
  Folder folder;
  BundleWriter writer;
  set_slice(*writer.add("v", DT_INT32, {2, 3}, bytes_of(rectangle(3, 0, 2, 0, 3))).add_slices(), {{}, {}});
  writer.write(folder / "m");
  EXPECT_EQ(elements<std::int32_t>(open_checkpoint(folder / "m")->read("v")), rectangle(3, 0, 2, 0, 3));
}

TEST(SlicedVariable, requests_outside_of_it_are_errors) {
  Folder folder;
  sliced().write(folder / "m");
  const Opened opened = open_checkpoint(folder / "m");
  for (const Extents& slice :
       {Extents{{0, 9}, {}}, Extents{{8, 1}, {}}, Extents{{-1, 2}, {}}, Extents{{0, 0}, {}}, Extents{{}}, Extents{},
        Extents{{INT64_MAX, INT64_MAX}, {}}, Extents{{2, -1}, {}}, Extents{{0, -2}, {}}})
    EXPECT_EQ(code_of(opened->read_slice("rows", slice)), "MO-TF-0419") << to_string(slice);
  EXPECT_EQ(code_of(opened->read_slice("rows", **parse_shape_and_slice("9 6 0,1:-"))), "MO-TF-0419");
}

TEST(SlicedVariable, slices_that_overlap_or_are_missing_are_errors) {
  const auto code = [](const std::function<void(BundleWriter&)>& edit) {
    Folder folder;
    BundleWriter writer = sliced();
    edit(writer);
    writer.write(folder / "m");
    const Opened opened = open_checkpoint(folder / "m");
    return opened ? code_of(opened->read("rows")) : opened.code();
  };
  const std::string second = encode_slice_key("rows", {{3, 5}, {}});
  EXPECT_EQ(code([](BundleWriter&) {}), "");
  EXPECT_EQ(code([](BundleWriter& w) {
              w.add_slice("rows", DT_INT32, {8, 6}, {{7, 1}, {5, 1}}, "0000");
            }),
            "MO-TF-0417");
  EXPECT_EQ(code([](BundleWriter& w) { set_slice(*w.entries["rows"].add_slices(), {{0, 3}, {}}); }), "MO-TF-0417");
  EXPECT_EQ(code([](BundleWriter& w) { w.entries["rows"].mutable_slices()->RemoveLast(); }), "MO-TF-0417");
  EXPECT_EQ(code([&](BundleWriter& w) { w.entries.erase(second); }), "MO-TF-0417");
  EXPECT_EQ(code([&](BundleWriter& w) { w.entries[second].set_dtype(DT_FLOAT); }), "MO-TF-0417");
  EXPECT_EQ(code([&](BundleWriter& w) { w.entries[second].mutable_shape()->mutable_dim(0)->set_size(4); }),
            "MO-TF-0417");
  EXPECT_EQ(code([&](BundleWriter& w) { set_slice(*w.entries[second].add_slices(), {{}, {}}); }), "MO-TF-0417");
  EXPECT_EQ(code([](BundleWriter& w) { set_slice(*w.entries["rows"].add_slices(), {{8, 1}, {}}); }), "MO-TF-0417");
  EXPECT_EQ(code([](BundleWriter& w) { set_slice(*w.entries["rows"].add_slices(), {{0, 1}}); }), "MO-TF-0417");
  EXPECT_EQ(code([](BundleWriter& w) { set_slice(*w.entries["rows"].add_slices(), {{-1, 1}, {}}); }), "MO-TF-0417");
  EXPECT_EQ(code([](BundleWriter& w) { set_slice(*w.entries["rows"].add_slices(), {{0, 0}, {}}); }), "MO-TF-0417");
  EXPECT_EQ(code([](BundleWriter& w) {
              set_slice(*w.entries["rows"].add_slices(), {{INT64_MAX, INT64_MAX}, {}});
            }),
            "MO-TF-0417");
  EXPECT_EQ(code([](BundleWriter& w) {
              for (int i = 0; i < 20'000; ++i) set_slice(*w.entries["rows"].add_slices(), {{0, 1}, {}});
            }),
            "MO-TF-0409");
}

}  // namespace
}  // namespace mo::tensorflow::testing
