#include "core/support/index_table.hpp"

#include <gtest/gtest.h>

namespace mo {
namespace {

/// Finds numbers by `number % buckets`, as its owner would find what the numbers stand for.
class Numbers {
 public:
  explicit Numbers(std::uint32_t buckets) : buckets_(buckets) {}
  void add(std::uint32_t number) {
    index_.make_room();
    index_.put(number % buckets_, static_cast<std::uint32_t>(numbers_.size()));
    numbers_.push_back(number);
  }
  std::uint32_t find(std::uint32_t number) const {
    return index_.find(number % buckets_, [&](std::uint32_t place) { return numbers_[place] == number; });
  }

 private:
  std::uint32_t buckets_;
  std::vector<std::uint32_t> numbers_;
  IndexTable index_;
};

TEST(IndexTable, FindsInsertedEntriesOnly) {
  EXPECT_EQ(Numbers(1).find(0), IndexTable::kNone);
  for (const std::uint32_t buckets : {1U, 7U, 1U << 31U}) {  // all of one hash, many of one, one of each
    Numbers numbers(buckets);
    for (std::uint32_t i = 0; i < 1000; ++i) {
      ASSERT_EQ(numbers.find(2 * i), IndexTable::kNone) << buckets;
      numbers.add(2 * i);
      ASSERT_EQ(numbers.find(2 * i), i) << buckets;
    }
    for (std::uint32_t i = 0; i < 1000; ++i) {
      EXPECT_EQ(numbers.find(2 * i), i) << buckets;
      EXPECT_EQ(numbers.find(2 * i + 1), IndexTable::kNone) << buckets;
    }
  }
}

TEST(IndexTable, ReservedRoomIsUsed) {
  IndexTable index;
  for (std::uint32_t i = 0; i < 48; ++i) {  // three quarters of 64
    index.make_room();
    index.put(i, i);
  }
  const std::size_t bytes = index.bytes();
  EXPECT_EQ(bytes, 64 * 8U);
  for (int i = 0; i < 10; ++i) index.make_room();
  EXPECT_EQ(index.bytes(), 2 * bytes) << "for the next one, once";
}

}  // namespace
}  // namespace mo
