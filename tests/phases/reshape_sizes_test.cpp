#include "phases/partial_inference/reshape_sizes.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <string>

namespace mo::phases {
namespace {

using Numbers = std::vector<std::int64_t>;

/// "[0,-1,x1*2/4]", "as it is" or "dimension 1".
std::string text(const ReshapeRepair& repair) {
  if (repair.lost_axis) return "dimension " + std::to_string(*repair.lost_axis);
  if (repair.target.empty()) return "as it is";
  std::string made;
  for (const TargetElement& element : repair.target) {
    made += made.empty() ? "[" : ",";
    if (element.kind == TargetElement::Kind::number)
      made += std::to_string(element.number);
    else
      made += "x" + std::to_string(element.axis) + "*" + std::to_string(element.number) + "/" +
              std::to_string(element.divisor);
  }
  return made + "]";
}

std::string repaired(const Shape& exported, const PartialShape& now, const Numbers& target, bool copies = true) {
  MergedSizes merged;
  SizeSymbols symbols;
  return text(repair_reshape({exported, now, target, copies, copies}, merged, symbols));
}

const Dimension kBatch = Dimension::unknown(1);

TEST(ReshapeSizes, AnElementFollowsTheDimensionThatItIs) {
  EXPECT_EQ(repaired({1, 8, 1, 1}, {kBatch, 8, 1, 1}, {1, 8}), "[0,8]");
  EXPECT_EQ(repaired({1, 8, 1, 1}, {3, 8, 1, 1}, {1, -1}), "[0,-1]");
  EXPECT_EQ(repaired({2, 8}, {kBatch, 8}, {2, 2, 4}, false), "[-1,2,4]") << "a 0 is an empty dimension";
  EXPECT_EQ(repaired({7, 2, 8}, {7, kBatch, 8}, {7, 2, 4, 2}), "[7,0,4,2]");
  EXPECT_EQ(repaired({1, 1, 144, 256}, {kBatch, 1, 144, 256}, {1, 144, 256, 1}), "[0,144,256,1]");
  EXPECT_EQ(repaired({1, 8}, {kBatch, 8}, {-1, 8}), "as it is");
  EXPECT_EQ(repaired({1, 8}, {kBatch, 8}, {0, 4, 2}), "as it is");
  EXPECT_EQ(repaired({1, 8}, {1, 8}, {1, 4, 2}), "as it is") << "nothing has changed";
  EXPECT_EQ(repaired({1, 8}, {kBatch, 8}, {1, 4, -1}, false), "[-1,4,2]") << "only one element can be -1";
}

TEST(ReshapeSizes, AZeroThatCopiesAnotherDimensionIsWrittenOut) {
  EXPECT_EQ(repaired({1, 7, 8}, {1, 7, kBatch}, {7, 1, 8}), "[7,1,0]");
  EXPECT_EQ(repaired({4, 1, 6}, {4, kBatch, 6}, {2, 0, 2, 6}), "[2,1,-1,6]");
  EXPECT_EQ(repaired({2, 2, 6}, {kBatch, 2, 6}, {4, 0, 3}), "[-1,0,3]") << "the dimension that it copies stays";
}

TEST(ReshapeSizes, AMergedBatchIsFoundAgain) {
  MergedSizes merged;
  SizeSymbols symbols;
  symbols.reserve(1);
  // Windows of an image and back, as vision transformers make them.
  EXPECT_EQ(
      text(repair_reshape({{1, 8, 8, 7, 7, 96}, {kBatch, 8, 8, 7, 7, 96}, {64, 49, 96}, true, true}, merged, symbols)),
      "[-1,49,96]");
  const Dimension of[] = {kBatch, 64};
  const Dimension windows = symbols.quotient(of, {}, Dimension());
  EXPECT_EQ(text(repair_reshape({{64, 49, 96}, {windows, 49, 96}, {1, 8, 8, 7, 7, 96}, true, true}, merged, symbols)),
            "[-1,8,8,7,7,96]");
  // With a second size that is unknown, the batch is computed.
  EXPECT_EQ(text(repair_reshape({{64, 49, 96}, {windows, Dimension::unknown(9), 96}, {1, 64, 49, 96}, true, true},
                                merged, symbols)),
            "[-1,64,x1*1/1,96]");
  EXPECT_EQ(text(repair_reshape({{64, 6}, {192, 6}, {2, 32, 6}, true, true}, merged, symbols)), "dimension 0")
      << "64 is one number here";
}

TEST(ReshapeSizes, OfTwoNeighboursTheOneTakesTheBatchThatIsNotADimensionOfTheData) {
  EXPECT_EQ(repaired({7, 1, 16}, {7, kBatch, 16}, {7, 16}), "[-1,16]") << "the last element holds features";
  EXPECT_EQ(repaired({7, 1, 16}, {7, kBatch, 16}, {7, 4, 4}), "[7,-1,4]") << "heads of attention";
  EXPECT_EQ(repaired({7, 1, 8, 2}, {7, kBatch, 8, 2}, {7, 8, 2}), "dimension 1");
}

TEST(ReshapeSizes, ASplitOrMixedBatchIsLost) {
  EXPECT_EQ(repaired({6, 4}, {kBatch, 4}, {2, 12}), "dimension 0");
  EXPECT_EQ(repaired({6, 4}, {kBatch, 4}, {8, 3}), "dimension 0");
  EXPECT_EQ(repaired({1, 8}, {kBatch, 8}, {1, 1, 8}), "[0,1,8]") << "a dimension stays in its place";
  EXPECT_EQ(repaired({4, 1, 2}, {4, kBatch, 2}, {2, 2, 1, 1, 2}), "dimension 1");
}

TEST(ReshapeSizes, TargetsThatDoNotFitTheExportedDataStay) {
  EXPECT_EQ(repaired({1, 8}, {kBatch, 8}, {3, 8}), "as it is");
  EXPECT_EQ(repaired({1, 8}, {kBatch, 8}, {0, 0, 0}), "as it is");
  EXPECT_EQ(repaired({1, 8}, {kBatch, 8}, {-1, -1}), "as it is");
}

/// All ways to write `count` as an ordered product of `parts` factors.
void for_each_product(std::int64_t count, std::size_t parts, Numbers& made,
                      const std::function<void(const Numbers&)>& visit) {
  if (parts == 0) {
    if (count == 1) visit(made);
    return;
  }
  for (std::int64_t factor = 1; factor <= count; ++factor) {
    if (count % factor != 0) continue;
    made.push_back(factor);
    for_each_product(count / factor, parts - 1, made, visit);
    made.pop_back();
  }
}

/// The number that a target gives each element for data of `elements`; empty when it does not fit.
Numbers sizes_of(const ReshapeRepair& repair, const Numbers& target, const Shape& data) {
  Numbers sizes = target;
  std::int64_t known = 1;
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    if (!repair.target.empty()) {
      const TargetElement& element = repair.target[j];
      sizes[j] = element.kind == TargetElement::Kind::number
                     ? element.number
                     : data[static_cast<std::size_t>(element.axis)] * element.number / element.divisor;
    }
    if (sizes[j] == 0) sizes[j] = data[j];
    if (sizes[j] != -1) known *= sizes[j];
  }
  const std::int64_t elements = std::accumulate(data.begin(), data.end(), std::int64_t{1}, std::multiplies<>());
  for (std::int64_t& size : sizes)
    if (size == -1) size = elements / known;
  const std::int64_t made = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
  return made == elements ? sizes : Numbers();
}

TEST(ReshapeSizes, EveryTargetWithALeadingBatchGrowsWithTheBatchInOneElement) {
  int seen = 0;
  for (const std::int64_t batch : {1, 2, 5})
    for (const Shape& sample : {Shape{12}, Shape{3, 4}, Shape{6, 1, 2}}) {
      Shape exported = {batch};
      exported.insert(exported.end(), sample.begin(), sample.end());
      for (const std::size_t parts : {1, 2, 3, 4}) {
        Numbers made;
        for_each_product(batch * 12, parts, made, [&](const Numbers& target) {
          if (target.front() % batch != 0) return;
          for (const bool rest : {false, true}) {
            Numbers written = target;
            if (rest) written.back() = -1;
            Shape now = exported;
            now[0] = batch * 3;
            MergedSizes merged;
            SizeSymbols symbols;
            const ReshapeRepair repair =
                repair_reshape({exported, PartialShape(now), written, true, true}, merged, symbols);
            if (repair.lost_axis) continue;  // a sequence of ones
            const Numbers sizes = sizes_of(repair, written, now);
            ASSERT_EQ(sizes.size(), target.size()) << to_string(exported) << " " << to_string(written);
            int grown = 0;
            for (std::size_t j = 0; j < sizes.size(); ++j) {
              if (sizes[j] == target[j]) continue;
              EXPECT_EQ(sizes[j], target[j] * 3);
              // Samples stay apart: before the batch there are only ones.
              for (std::size_t before = 0; before < j; ++before) EXPECT_EQ(target[before], 1);
              ++grown;
            }
            EXPECT_EQ(grown, 1) << to_string(exported) << " " << to_string(written);
            ++seen;
          }
        });
      }
    }
  EXPECT_GT(seen, 500);
}

}  // namespace
}  // namespace mo::phases
